package org.hotrow.allocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Completion.Kind;
import org.hotrow.kernels.Replacement;

/**
 * The allocator with a device of tags, a copy engine that delays, reorders and fails, and a scheduler that does whatever
 * the events say. After every event all invariants are checked and every position of every request is read.
 */
final class Simulation {
    private static final int VOCABULARY = 3;

    final World world;
    final long seed;
    private final AllocatorConfig config;
    final Allocator allocator;
    final SimDevice device;
    private final Expected expected = new Expected();
    private final Random random;
    /** Requests that are not closed, oldest first. */
    final List<KvRequest> requests = new ArrayList<>();

    private final List<int[]> prompts = new ArrayList<>();
    final List<Step.WriteBack> copies = new ArrayList<>();
    private final Set<Long> enqueued = new HashSet<>();
    /** Contents that completed for requests which did not make room before. */
    private final Set<Long> completed = new HashSet<>();

    boolean sabotage;
    /** Events that went well. */
    int events;

    Simulation(World world, long seed) {
        this.world = world;
        this.seed = seed;
        config = world.config();
        allocator = new Allocator(config);
        device = new SimDevice(config, seed % 2 == 0 ? Replacement.SCORE : Replacement.LRU);
        random = new Random(seed);
    }

    void run(List<SimEvent> history) {
        for (SimEvent event : history) {
            apply(event);
            verify();
            events++;
        }
    }

    void verify() {
        allocator.check();
        requests.forEach(request -> request.residency().ifPresent(r -> device.verify(r, expected)));
    }

    private void apply(SimEvent event) {
        int a = event.a();
        int b = event.b();
        switch (event.kind()) {
            case OPEN -> open(prompt(1 + a * world.blocks() * 64 / 700, new int[0]), b % 100);
            case OPEN_SHARED -> open(prompt(b, earlier(a)), 40);
            case IMPORT -> openImport(prompt(b, earlier(a)), 40, a);
            case STEP_ALL -> stepAll(1 + a % 3);
            case STEP_ONE -> stepOne(a, 1 + b % 20, 0);
            case PREFILL -> stepOne(a, 1 + b, 0);
            case SPECULATE -> stepOne(a, 1, 1 + b % 4);
            case BROKEN_STEP -> brokenStep(a, 1 + b);
            case CLOSE -> pick(requests, a).forEach(this::close);
            case PREEMPT -> pick(requests, a).forEach(allocator::preempt);
            case ENQUEUE -> pick(copies, a).forEach(this::enqueue);
            case COMPLETE -> pick(copies, a).forEach(this::complete);
            case FAIL -> pick(copies, a).forEach(this::fail);
            case SETTLE -> settle();
            case PROBE -> probe(a, 1 + b);
            case STALE -> stale(a, b);
            case FLOOD -> flood(a);
        }
    }

    private int[] earlier(int which) {
        return prompts.isEmpty() ? new int[0] : prompts.get(which % prompts.size());
    }

    /** All tokens of one prompt in three are imported, any number of those of the others. */
    private void openImport(int[] prompt, int more, int which) {
        open(prompt, more, which % 3 == 0 ? prompt.length : which * 7919 % (prompt.length + 1));
    }

    private static <T> List<T> pick(List<T> list, int which) {
        return list.isEmpty() ? List.of() : List.of(list.get(which % list.size()));
    }

    private int[] prompt(int length, int[] start) {
        int[] tokens = new int[Math.max(1, length)];
        int unlike = random.nextInt();
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = i < start.length ? start[i] : i % 64 == 0 ? unlike : i % VOCABULARY;
        }
        return tokens;
    }

    void open(int[] prompt, int more) {
        open(prompt, more, 0);
    }

    /** Opens a request if it could run alone. */
    void open(int[] prompt, int more, int imported) {
        try {
            requests.add(allocator.open(prompt, prompt.length + more, Optional.of(new SimImport(imported))));
            prompts.add(prompt);
        } catch (IllegalArgumentException tooLong) {
            if (!String.valueOf(tooLong.getMessage()).contains("needs a pool of")) {
                throw tooLong;
            }
        }
    }

    void close(KvRequest request) {
        allocator.close(request);
        requests.remove(request);
    }

    /** An ask for a request, which gets a next token if it has none left; closes it at its full length. */
    private List<Ask> ask(KvRequest request, int tokens, int drafts) {
        if (request.known() == request.length()) {
            if (request.known() == request.maxLength()) {
                close(request);
                return List.of();
            }
            request.append(random.nextInt());
        }
        if (tokens == 1 && drafts == 0 && request.reserved() > 0 && random.nextBoolean()) {
            device.advance(request, expected, random);
            allocator.advance(request, 1);
            return List.of();
        }
        return List.of(new Ask(request, tokens, Math.min(drafts, request.maxLength() - request.known())));
    }

    private void stepAll(int tokens) {
        List<Ask> asks = new ArrayList<>();
        for (KvRequest request : List.copyOf(requests)) {
            asks.addAll(ask(request, tokens, 0));
        }
        while (!asks.isEmpty() && !step(asks)) {
            asks.removeLast();
        }
    }

    private void stepOne(int which, int tokens, int drafts) {
        for (KvRequest request : pick(requests, which)) {
            List<Ask> asks = ask(request, tokens, drafts);
            for (int fewer = tokens; !asks.isEmpty() && fewer > 0 && !step(asks); fewer /= 4) {
                asks = ask(request, fewer, drafts);
            }
        }
    }

    /** Plans, commits, runs and finishes a step; false if it is refused. */
    boolean step(List<Ask> asks) {
        if (asks.isEmpty() || !(allocator.plan(asks) instanceof StepPlan plan)) {
            return false;
        }
        Step step = commit(plan);
        IntArrayList kept = new IntArrayList();
        for (Step.Part part : step.parts()) {
            int accepted = random.nextInt(part.drafts() + 1);
            for (int i = 0; i < accepted; i++) {
                part.request().append(random.nextInt());
            }
            device.accept(part, accepted, expected);
            kept.add(part.tokens() + accepted);
        }
        allocator.check();
        allocator.finish(step, kept);
        for (Step.PageImport page : step.imports()) {
            page.to().ifPresent(host -> completed.add(expected.key(page.request(), page.page() * 64 + 63)));
        }
        return true;
    }

    private Step commit(StepPlan plan) {
        int[] before = generations();
        Step step = allocator.commit(plan);
        allocator.check();
        int[] after = generations();
        List<Integer> taken = new ArrayList<>();
        for (int block = 1; block < before.length; block++) {
            if (before[block] != after[block]) {
                taken.add(block);
            }
        }
        for (Step.Part part : step.parts()) {
            int hit = step.imports().stream()
                    .filter(page -> page.request() == part.request())
                    .mapToInt(page -> page.page() * 64)
                    .findFirst()
                    .orElse(part.first());
            for (int end = 64; part.appendedFrom() == 0 && end <= hit; end += 64) {
                if (!completed.contains(expected.key(part.request(), end - 1))) {
                    throw new AssertionError("hit on a page that was not published, up to token " + end);
                }
            }
        }
        copies.addAll(step.writeBacks());
        device.run(step, taken, expected, random);
        return step;
    }

    private int[] generations() {
        int[] generations = new int[world.blocks()];
        Arrays.setAll(generations, allocator.pool()::generation);
        return generations;
    }

    private void brokenStep(int which, int tokens) {
        for (KvRequest request : pick(requests, which)) {
            List<Ask> asks = ask(request, tokens, 0);
            if (!asks.isEmpty() && allocator.plan(asks) instanceof StepPlan plan) {
                Step step = commit(plan);
                device.spoil(step);
                allocator.finish(step, IntArrayList.newListWith(-1));
            }
        }
    }

    void enqueue(Step.WriteBack copy) {
        if (enqueued.add(copy.copy())) {
            device.enqueue(copy);
            news(copy, Kind.ENQUEUED);
        }
    }

    private void complete(Step.WriteBack copy) {
        enqueue(copy);
        device.complete(copy, sabotage && copy.copy() % 3 == 0);
        WriteAhead.Pending pending = allocator.state().writeAhead.pending.get(copy.copy());
        if (!pending.residency.abandoned) {
            completed.add(expected.key(pending.residency.request, pending.page * 64 + 63));
        }
        copies.remove(copy);
        news(copy, Kind.COMPLETED);
        allocator.post(new Completion(copy.copy(), Kind.COMPLETED));
        if (allocator.drain() != 0) {
            throw new AssertionError("a completion was applied twice");
        }
    }

    private void fail(Step.WriteBack copy) {
        device.fail(copy);
        copies.remove(copy);
        news(copy, Kind.FAILED);
    }

    private void news(Step.WriteBack copy, Kind kind) {
        allocator.post(new Completion(copy.copy(), kind));
        if (allocator.drain() != 1) {
            throw new AssertionError("news of copy " + copy + " got lost");
        }
    }

    void settle() {
        while (!copies.isEmpty()) {
            complete(copies.getLast());
        }
    }

    private void probe(int which, int tokens) {
        for (KvRequest request : pick(requests, which)) {
            List<Ask> asks = ask(request, tokens, 0);
            String before = fingerprint();
            if (asks.isEmpty()) {
                continue;
            }
            boolean planned = allocator.plan(asks) instanceof StepPlan;
            if (planned != allocator.plan(asks) instanceof StepPlan || !before.equals(fingerprint())) {
                throw new AssertionError("a plan changed something");
            }
        }
    }

    private String fingerprint() {
        KvState state = allocator.state();
        StringBuilder text = new StringBuilder();
        text.append(Arrays.toString(state.pool.queue().queue())).append(Arrays.toString(state.host.queue()));
        text.append(Arrays.toString(generations()))
                .append(state.cache.published())
                .append(state.copiesInFlight());
        for (Residency r : state.seated) {
            text.append(r.seat)
                    .append(r.blocks)
                    .append(r.hostPages)
                    .append(r.indexBlocks)
                    .append(r.hotBlocks);
            text.append(r.edited)
                    .append(r.copying)
                    .append(r.unpinned)
                    .append(r.durable)
                    .append(r.nextCopy);
        }
        return text.toString();
    }

    private void stale(int which, int other) {
        for (KvRequest request : pick(requests, which)) {
            List<Ask> asks = ask(request, 1, 0);
            if (asks.isEmpty() || !(allocator.plan(asks) instanceof StepPlan plan)) {
                continue;
            }
            pick(requests, other).forEach(allocator::preempt);
            String before = fingerprint();
            try {
                allocator.commit(plan);
            } catch (IllegalStateException refused) {
                if (!before.equals(fingerprint())) {
                    throw new AssertionError("a refused plan changed something", refused);
                }
                continue;
            }
            throw new AssertionError("a stale plan was committed");
        }
    }

    /** Short requests until one is refused: at 100 % full nothing throws. */
    private void flood(int a) {
        for (int i = 0; i < 12; i++) {
            open(prompt(1 + (a + 37 * i) % 300, new int[0]), 1);
            if (requests.isEmpty() || !step(ask(requests.getLast(), 1 + a % 90, 0))) {
                return;
            }
        }
    }

    /** No more faults: every request gets to its full length, oldest first, the youngest making room. */
    void finishAll() {
        int rounds = 0;
        while (!requests.isEmpty()) {
            if (rounds++ > 20_000) {
                throw new AssertionError("no end after " + rounds + " rounds: " + requests.size() + " requests");
            }
            settle();
            KvRequest oldest = requests.getFirst();
            List<Ask> asks = ask(oldest, 64, 0);
            if (!asks.isEmpty() && !step(asks)) {
                List<Ask> one = ask(oldest, 1, 0);
                // It may have gone on by a token without a step.
                if (!one.isEmpty() && !step(one)) {
                    makeRoom(oldest);
                }
            }
        }
        requireNothingLeaked();
    }

    /** Every request is over where it is, some before their copies are through. */
    void closeAll() {
        List.copyOf(requests).forEach(this::close);
        requireNothingLeaked();
    }

    private void requireNothingLeaked() {
        settle();
        allocator.check();
        KvState state = allocator.state();
        if (state.pool.free() != world.blocks() - 1 || state.host.free() != world.hostPages()) {
            throw new AssertionError("leaked: " + state.pool.free() + " blocks free, " + state.host.free() + " pages");
        }
    }

    /** Alone, it waits for copies of what is behind, as the scheduler does. */
    private void makeRoom(KvRequest oldest) {
        Optional<KvRequest> youngest = requests.reversed().stream()
                .filter(request -> request != oldest && request.residency().isPresent())
                .findFirst();
        if (youngest.isPresent()) {
            allocator.preempt(youngest.get());
        } else if (!copyBehind()) {
            throw new AssertionError("the oldest request alone is refused: " + allocator.plan(ask(oldest, 1, 0)) + " "
                    + oldest.length() + " of " + oldest.maxLength());
        }
    }

    /** A step of no requests; false if there is nothing to copy. */
    private boolean copyBehind() {
        if (!(allocator.plan(List.of()) instanceof StepPlan plan) || plan.copiedPages() == 0) {
            return false;
        }
        allocator.finish(commit(plan));
        return true;
    }
}
