package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.hotrow.engine.StepComposer.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Continuous batching: many requests, batch by batch, on one device.
 *
 * <pre>
 * any thread      submit, cancel -> queues
 * owner's thread  step: | news | decide, commit | batch | tokens to listeners | drafts, copies | finish | ends |
 * </pre>
 *
 * With speculative tokens a batch also has rows of guesses: the next token is drawn from the logits of each row in turn,
 * as long as it is the one that was guessed for the next row. So each token is drawn from the same logits by the same
 * random numbers as without guesses, and no guess changes the text. That is rejection sampling too: a guess is taken with
 * the probability that the model gives it, and what comes instead has the distribution of the rest.
 *
 * What is decided how is {@link StepComposer}'s; the bits of a request's logits don't depend on it. Each request that
 * can run alone ends if steps are taken as long as there is something to do.
 */
public final class Scheduler {
    /** What a step did. */
    public enum Progress {
        /** It computed a batch. */
        STEPPED,
        /** Nothing, before a copy is through. */
        WAITING,
        /** There is nothing to do. */
        IDLE
    }

    private static final Comparator<Sequence> BY_AGE = Comparator.comparingLong(s -> s.number);

    private final Allocator allocator;
    private final StepDevice device;
    private final LongSupplier nanos;
    private final StepComposer composer;
    private final Queue<Sequence> arrivals = new ConcurrentLinkedQueue<>();
    private final Queue<Sequence> cancellations = new ConcurrentLinkedQueue<>();
    private final SortedSet<Sequence> waiting = new TreeSet<>(BY_AGE);
    private final List<Sequence> running = new ArrayList<>();
    private final int drafts;
    private final Speculation speculation;
    private long submitted;

    private final Batch batch;
    /** The requests of the batch, by its entries. */
    private final List<Sequence> batched = new ArrayList<>();

    /**
     * A scheduler without requests.
     *
     * @param maxSeqs most requests that run at once; no more than the allocator has seats
     * @param maxBatchedTokens most rows of a batch
     * @param nanos the clock of the sequences' times
     */
    public Scheduler(Allocator allocator, StepDevice device, int maxSeqs, int maxBatchedTokens, LongSupplier nanos) {
        this(allocator, device, maxSeqs, maxBatchedTokens, 0, nanos);
    }

    /**
     * The same with guesses.
     *
     * @param drafts most guesses of a request that a batch verifies; more than 0 only if the device drafts
     */
    public Scheduler(
            Allocator allocator, StepDevice device, int maxSeqs, int maxBatchedTokens, int drafts, LongSupplier nanos) {
        this.allocator = allocator;
        this.device = device;
        this.nanos = nanos;
        this.drafts = drafts;
        speculation = new Speculation(drafts);
        composer = new StepComposer(allocator, maxSeqs, maxBatchedTokens, drafts);
        batch = new Batch(maxSeqs);
    }

    /** Adds a request. Any thread may. */
    public void submit(Sequence sequence) {
        sequence.submitted = nanos.getAsLong();
        arrivals.add(sequence);
    }

    /** Ends a submitted request before the next step, unless it has ended. Any thread may. */
    public void cancel(Sequence sequence) {
        cancellations.add(sequence);
    }

    /** What guesses were worth. */
    Speculation speculation() {
        return speculation;
    }

    /** Requests that have seats. */
    public int running() {
        return running.size();
    }

    /** Requests that are submitted and have no seat, as far as the last step knew. */
    public int waiting() {
        return waiting.size();
    }

    /**
     * Computes the next batch.
     *
     * @throws RuntimeException what the device or a listener's {@code ended} throws; requests whose rows were lost run
     *     again
     */
    public Progress step() {
        allocator.drain();
        takeNews();
        Decision decision = decide();
        if (decision != Decision.COMPUTE) {
            return decision == Decision.IDLE ? Progress.IDLE : Progress.WAITING;
        }
        compute(composer.plan());
        return Progress.STEPPED;
    }

    private void takeNews() {
        takeArrivals();
        for (Sequence next = cancellations.poll(); next != null; next = cancellations.poll()) {
            // It may have been submitted since the arrivals were taken.
            takeArrivals();
            if (!next.ended()) {
                end(next, FinishReason.CANCELLED);
            }
        }
    }

    private void takeArrivals() {
        for (Sequence next = arrivals.poll(); next != null; next = arrivals.poll()) {
            arrive(next);
        }
    }

    private void arrive(Sequence sequence) {
        sequence.number = submitted++;
        sequence.drafts = new Drafts(drafts);
        try {
            sequence.open(allocator.open(sequence.prompt(), sequence.maxTokens(), sequence.imported()));
        } catch (IllegalArgumentException e) {
            sequence.fail(e, nanos.getAsLong());
            return;
        }
        waiting.add(sequence);
    }

    private Decision decide() {
        Decision decision = composer.decide(running, waiting);
        while (decision == Decision.MAKE_ROOM) {
            Sequence sequence = composer.youngest();
            allocator.preempt(sequence.request());
            makeRoom(sequence);
            decision = composer.decide(running, waiting);
        }
        return decision;
    }

    private void makeRoom(Sequence sequence) {
        sequence.preempt();
        running.remove(sequence);
        waiting.add(sequence);
    }

    private void compute(@Nullable StepPlan plan) {
        Step step = plan == null ? null : allocator.commit(plan);
        batched.clear();
        batch.start(step);
        // By index, here and below: an iterator would be all that a decoded token allocates.
        List<Sequence> advancing = composer.advancing();
        for (int i = 0; i < advancing.size(); i++) {
            add(advancing.get(i), advancing.get(i).request().length(), 1);
        }
        if (step != null) {
            seat(step);
        }
        Throwable thrown;
        try {
            device.run(batch);
            thrown = drawTokens();
            device.complete(batch);
        } catch (RuntimeException | Error e) {
            if (step != null) {
                allocator.giveUp(step);
                composer.asked().forEach(this::makeRoom);
            }
            throw e;
        }
        if (step != null) {
            finish(step, advancing.size());
        }
        for (int i = 0; i < advancing.size(); i++) {
            allocator.advance(advancing.get(i).request(), batch.kept(i));
        }
        endSome(thrown);
    }

    /** @param first entry of the batch that is of the step */
    private void finish(Step step, int first) {
        IntArrayList kept = new IntArrayList(step.parts().size());
        for (int i = first; i < batch.size(); i++) {
            kept.add(batch.kept(i));
        }
        allocator.finish(step, kept);
    }

    private void add(Sequence sequence, int position, int tokens) {
        batched.add(sequence);
        batch.add(Objects.requireNonNull(sequence.part), position, tokens, sequence.drafts, sequence.verified);
    }

    private void seat(Step step) {
        for (int i = 0; i < step.parts().size(); i++) {
            Sequence sequence = composer.asked().get(i);
            Step.Part part = step.parts().get(i);
            sequence.part = part;
            if (waiting.remove(sequence)) {
                running.add(sequence);
                running.sort(BY_AGE);
                sequence.admit(part.first(), nanos.getAsLong());
            }
            add(sequence, part.first(), part.tokens());
        }
    }

    /** Everybody has their tokens; the result is what a listener threw. */
    private @Nullable Throwable drawTokens() {
        Throwable thrown = null;
        long now = nanos.getAsLong();
        int logits = 0;
        for (int i = 0; i < batch.size(); i++) {
            Sequence sequence = batched.get(i);
            sequence.computed(batch.from(i), batch.count(i));
            if (batch.wantsLogits(i)) {
                thrown = first(thrown, verify(i, sequence, logits, now));
                logits += 1 + batch.guesses(i);
            }
        }
        return thrown;
    }

    /** Draws the next token, and one more as long as the last was guessed. */
    private @Nullable Throwable verify(int entry, Sequence sequence, int logits, long now) {
        int dropped = device.dropped(entry);
        int computed = batch.guesses(entry) - dropped;
        Throwable thrown = sequence.next(device.logits(), device.logitsAt(logits), now);
        int right = 0;
        while (right < computed && sequence.ending == null && sequence.last() == sequence.drafts.token(right)) {
            right++;
            thrown = first(thrown, sequence.next(device.logits(), device.logitsAt(logits + right), now));
        }
        speculation.add(batch.guesses(entry), right, dropped);
        batch.keep(entry, batch.count(entry) + right, drafts == 0 ? 0 : sequence.wantsDrafts());
        return thrown;
    }

    /** What was thrown before comes out of here when all that end have ended. */
    private void endSome(@Nullable Throwable before) {
        Throwable thrown = before;
        for (int i = 0; i < batched.size(); i++) {
            FinishReason reason = batched.get(i).ending;
            if (reason != null) {
                try {
                    end(batched.get(i), reason);
                } catch (RuntimeException | Error e) {
                    thrown = first(thrown, e);
                }
            }
        }
        switch (thrown) {
            case null -> {}
            case Error error -> throw error;
            default -> throw (RuntimeException) thrown;
        }
    }

    private static @Nullable Throwable first(@Nullable Throwable thrown, @Nullable Throwable next) {
        return thrown == null ? next : thrown;
    }

    private void end(Sequence sequence, FinishReason reason) {
        waiting.remove(sequence);
        running.remove(sequence);
        allocator.close(sequence.request());
        sequence.end(reason, nanos.getAsLong());
    }
}
