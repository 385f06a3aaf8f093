package org.hotrow.allocator;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.collections.api.list.primitive.IntList;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The KV cache's bookkeeping: who has which blocks of the device and which pages of the host. It moves no bytes.
 *
 * <pre>
 * open -> [ plan -> commit -> (the engine runs the step) -> finish ]*  -> close
 *              \-> refused: wait, ask for less, or          [ advance ]*  between steps, in the last page
 *                  preempt the youngest, which keeps its tokens and is planned again later
 *
 * copy threads -> post -> queue -> drain
 * </pre>
 *
 * {@link #plan} changes nothing and counts every block and host page that its step takes or holds; {@link #commit}
 * carries it out and can't fail; a plan that anything came between is refused as a whole. The oldest request, alone, can
 * always go on with single tokens once its copies are through, so a scheduler that preempts the youngest first makes
 * progress.
 *
 * <p>One thread owns the allocator. Only {@link #post} may be called by others.
 */
public final class Allocator {
    private final AllocatorConfig config;
    private final KvState state;
    private final Queue<Completion> news = new ConcurrentLinkedQueue<>();
    private long version;
    private @Nullable Step open;

    /** An allocator of an empty pool. */
    public Allocator(AllocatorConfig config) {
        this.config = config;
        state = new KvState(config);
    }

    /**
     * A new request; nothing is taken for it yet.
     *
     * @param tokens its prompt, 1 token or more
     * @param maxLength most tokens that may ever be in the cache
     * @throws IllegalArgumentException if it could not even run alone, naming the pool that it needs
     */
    public KvRequest open(int[] tokens, int maxLength) {
        return open(tokens, maxLength, Optional.empty());
    }

    /**
     * A new request whose first tokens have rows elsewhere. Each time it gets a seat, those that no prefix hit has are
     * written by the step that seats it ({@link Step#imports}), to the device or to the host.
     *
     * @param imported rows of the prompt's first tokens, at most of all; the last known token is computed all the same
     * @throws IllegalArgumentException as {@link #open(int[], int)}
     */
    public KvRequest open(int[] tokens, int maxLength, Optional<Import> imported) {
        int elsewhere = imported.map(Import::tokens).orElse(0);
        if (elsewhere < 0 || elsewhere > tokens.length) {
            throw new IllegalArgumentException(
                    elsewhere + " imported tokens of a prompt of " + tokens.length + " tokens");
        }
        if (tokens.length < 1 || tokens.length > maxLength) {
            throw new IllegalArgumentException(
                    "prompt of " + tokens.length + " tokens: expected 1 to " + maxLength + " (the most in the cache)");
        }
        Reservation alone = Reservation.NONE.plus(Reservation.NONE.claim(config, maxLength, 0));
        if (!alone.fits(config.geometry())) {
            throw new IllegalArgumentException("request of up to " + maxLength + " tokens: needs a pool of "
                    + alone.pool() + " blocks, this one has "
                    + config.geometry().blocks() + needsHost(maxLength)
                    + "; use a larger pool or shorten the request");
        }
        return new KvRequest(tokens, maxLength, imported);
    }

    /** Says when a larger host pool would do too. */
    private String needsHost(int maxLength) {
        int pages = Block.pages(maxLength);
        int smallest = config.geometry().smallestPool(maxLength, config.hotRows());
        return config.policy().losesPages() && pages > config.hostPages()
                ? ", or " + smallest + " blocks with " + pages + " pages of host pool, which has " + config.hostPages()
                : "";
    }

    /**
     * Plans a step that computes something for every request that is asked for, or says why it can't be now. A step of no
     * requests only copies what is behind.
     */
    public PlanResult plan(List<Ask> asks) {
        requireNoOpenStep();
        return new Planner(state, config, version).plan(asks);
    }

    /** Carries out a plan. Only a plan of an earlier state is refused. */
    public Step commit(StepPlan plan) {
        requireNoOpenStep();
        if (plan.version != version) {
            throw new IllegalStateException("the plan is of an earlier state; plan again");
        }
        version++;
        Step step = new Commit(state, config.geometry()).run(plan);
        open = step;
        state.pool.checkCounts();
        return step;
    }

    /** The step is computed, and all its known tokens have their rows; drafts are dropped. */
    public void finish(Step step) {
        IntArrayList kept = new IntArrayList(step.parts.size());
        step.parts.forEach(part -> kept.add(part.tokens()));
        finish(step, kept);
    }

    /** The step failed: its requests give up all their rows as {@link #preempt} makes them do. */
    public void giveUp(Step step) {
        finish(step, IntArrayList.newWithNValues(step.parts.size(), -1));
    }

    /**
     * The step is computed.
     *
     * @param kept per request: how many of its new rows stay, from the first on: all its tokens, and so many of the
     *     drafts as were right, which are appended to the request before; -1 if the step failed for it, which makes
     *     it give up all its rows as {@link #preempt} does
     */
    public void finish(Step step, IntList kept) {
        if (step != open || kept.size() != step.parts.size()) {
            throw new IllegalArgumentException("not the open step, or not one number for each of its requests");
        }
        for (int i = 0; i < kept.size(); i++) {
            requireKept(step.parts.get(i), kept.get(i));
        }
        version++;
        open = null;
        for (int i = 0; i < kept.size(); i++) {
            Step.Part part = step.parts.get(i);
            if (kept.get(i) < 0) {
                state.end(part.residency(), true);
            } else {
                state.advance(part, kept.get(i));
            }
        }
        step.heldBlocks.forEach(block -> state.pool.drop(block, state.wanted(block)));
        state.pool.checkCounts();
    }

    /**
     * Rows in the request's {@link KvRequest#reserved} part were computed without a step of their own: most decoding is.
     *
     * @param rows of its next known tokens, 1 or more
     */
    public void advance(KvRequest request, int rows) {
        requireNoOpenStep();
        int most = Math.min(request.reserved(), request.known() - request.length());
        if (rows < 1 || rows > most) {
            throw new IllegalArgumentException("advance by " + rows + " rows: expected 1 to " + most
                    + ", known tokens with rows in the request's last page");
        }
        version++;
        Residency residency = Objects.requireNonNull(request.residency);
        state.advance(residency, residency.length + rows);
    }

    private static void requireKept(Step.Part part, int kept) {
        boolean failed = kept == -1;
        boolean inRange = kept >= part.tokens() && kept <= part.tokens() + part.drafts();
        boolean known = part.first() + kept <= part.request().known();
        if (!failed && !(inRange && known)) {
            throw new IllegalArgumentException("kept " + kept + " rows: expected -1 or " + part.tokens() + " to "
                    + (part.tokens() + part.drafts()) + ", and accepted drafts to be appended before");
        }
    }

    /** The request is over. Its copies on their way are published when they complete. */
    public void close(KvRequest request) {
        requireNoOpenStep();
        if (!request.closed) {
            version++;
            request.closed = true;
            request.residency().ifPresent(residency -> state.end(residency, false));
        }
    }

    /** The request makes room: it has no rows any more, and its copies on their way won't be published. */
    public void preempt(KvRequest request) {
        requireNoOpenStep();
        version++;
        request.residency().ifPresent(residency -> state.end(residency, true));
    }

    private void requireNoOpenStep() {
        if (open != null) {
            throw new IllegalStateException("a step is open; finish it first");
        }
    }

    /** Brings news of a copy. Any thread may. */
    public void post(Completion completion) {
        news.add(completion);
    }

    /** Takes all news that was posted; the number of those that changed something. */
    public int drain() {
        int applied = 0;
        for (Completion next = news.poll(); next != null; next = news.poll()) {
            applied += state.writeAhead.apply(next) ? 1 : 0;
        }
        version += applied > 0 ? 1 : 0;
        return applied;
    }

    /** Copies to the host that have neither completed nor failed. */
    public int copiesInFlight() {
        return state.copiesInFlight();
    }

    /** What it has done so far. */
    public Counters counters() {
        KvGeometry geometry = config.geometry();
        return new Counters(
                state.spilledPages,
                state.writeAhead.completed() * geometry.hostPageBytes(),
                state.pool.peak(),
                state.prefixHitPages);
    }

    /** Blocks that a plan can take; those among them that are still readable too. */
    public int freeBlocks() {
        return state.pool.free();
    }

    /** How often a block was taken: with its number that names its content. */
    public int generation(BlockId block) {
        return state.pool.generation(block.value());
    }

    /** Blocks of a group that are referenced. */
    public int pinnedBlocks(BlockGroup group) {
        return state.pool.pinned(group);
    }

    /** Verifies every invariant, in time proportional to everything there is; the cheap part runs in every step. */
    public void check() {
        new Invariants(state, config, open).check();
    }

    BlockPool pool() {
        return state.pool;
    }

    KvState state() {
        return state;
    }
}
