package org.hotrow.engine;

import java.util.List;
import java.util.Objects;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.PlanResult;
import org.hotrow.allocator.Refusal;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.modelloader.ModelConfig;
import org.jspecify.annotations.Nullable;

/**
 * A model on the CPU with its cache. Sessions take turns: a step computes tokens of one of them.
 *
 * <pre>
 * allocator step   | plan, commit | restores | walk | write-backs | walk | walk ... | finish, completions |
 *                                             tokens                next tokens, to the end of the page
 * </pre>
 *
 * A committed step reserves the rows to the end of its last page, so that decoding asks the allocator once per page and
 * allocates nothing between.
 */
final class CpuDevice implements AutoCloseable {
    private final ModelConfig config;
    private final Model model;
    private final CpuWeights weights;
    private final Workers workers;
    private final Lanes lanes;
    private final CacheFormat format;
    private final boolean everyLogit;
    private final WalkProbe probe;
    private final CpuCache cache;
    private final Allocator allocator;
    private final StepArrays arrays;
    private final CpuHotRows hotRows;
    private Lanes walkLanes;
    private ModelWalk walk;

    /** The committed step, its session, and how many of its rows are computed. */
    private @Nullable Step step;

    private @Nullable CpuSession owner;
    private int walked;
    private int sessions;

    /**
     * @param maxRows tokens of the largest step
     * @param everyLogit logits of all tokens of a step, else of the last one only
     * @throws EngineException if the machine hasn't the memory
     * @throws IllegalArgumentException if no such cache can be laid out
     */
    CpuDevice(
            Model model,
            CpuWeights weights,
            Workers workers,
            Lanes lanes,
            CacheFormat format,
            CacheConfig cacheConfig,
            int maxRows,
            boolean everyLogit,
            WalkProbe probe) {
        this.model = model;
        this.weights = weights;
        this.workers = workers;
        this.lanes = lanes;
        this.format = format;
        this.everyLogit = everyLogit;
        this.probe = probe;
        config = model.config();
        cache = new CpuCache(config, format, cacheConfig, model.weights().bytes());
        try {
            allocator = cache.allocator();
            arrays = new StepArrays(
                    maxRows,
                    everyLogit ? maxRows : 1,
                    cacheConfig.seats(),
                    Block.pages(cacheConfig.maxTokens()),
                    cache.geometry().indexBlocks(cacheConfig.maxTokens()),
                    Math.max(1, cache.hotBlocks()));
            hotRows = new CpuHotRows(arrays, cache, config.indexer().anchors(), workers);
            walkLanes = lanes.now();
            walk = walk();
        } catch (RuntimeException | Error e) {
            cache.close();
            throw e;
        }
    }

    private ModelWalk walk() {
        var ops = new CpuOps(config, weights, format, arrays, cache.slabs(), hotRows, workers, walkLanes);
        return new ModelWalk(config, model.weights(), ops, probe);
    }

    /** A session of up to so many tokens. */
    CpuSession open(int maxTokens) {
        if (sessions == 0 && walkLanes != lanes.now()) {
            walkLanes = lanes.now();
            walk = walk();
        }
        sessions++;
        return new CpuSession(this, maxTokens);
    }

    CpuCache cache() {
        return cache;
    }

    CacheCounters counters() {
        return cache.counters(hotRows);
    }

    /** Logits of the last step: row i belongs to its i-th token that wanted them. */
    CpuActivation logits() {
        return CpuActivation.of(walk.logits());
    }

    CpuActivation finalNorm() {
        return CpuActivation.of(walk.finalNorm());
    }

    /** The stored row of a position on the device, decoded: {@code [latent | rope]}. */
    void readRow(int seat, int layer, int position, float[] row) {
        long at = cache.geometry().rowOffset(layer, arrays.row(seat, position));
        cache.rowFormat().read(cache.slabs().of(layer), at, row, 0);
    }

    /** The stored index key of a position, decoded. */
    void readIndexKey(int seat, int layer, int position, float[] key) {
        long page = arrays.indexPageOffset(cache.geometry(), layer, seat, position);
        cache.keyFormat().read(cache.slabs().of(layer), page, position % Block.TOKENS, key, 0);
    }

    /**
     * Computes at most {@code most} tokens of a session that have no rows; the result says how many.
     *
     * @throws EngineException if the pool has no room beside the other sessions
     */
    int step(CpuSession session, int most) {
        KvRequest request = session.request();
        int tokens = Math.min(Math.min(most, arrays.maxRows), session.pending());
        boolean first = step == null || owner != session || walked + tokens > reserved();
        if (first) {
            settle();
            tokens = commit(session, request, tokens);
        }
        Step.Part part = part();
        arrays.clear();
        if (first) {
            arrays.fillTables(part);
        }
        for (int i = walked; i < walked + tokens; i++) {
            boolean wanted = everyLogit || i == walked + tokens - 1;
            int position = part.first() + i;
            arrays.addRow(part.residency().seat(), request.token(position), position, wanted);
        }
        run(tokens, first);
        session.computed(part.first() + walked);
        return tokens;
    }

    private Step.Part part() {
        return Objects.requireNonNull(step).parts().getFirst();
    }

    private int reserved() {
        return part().tokens() + part().drafts();
    }

    /** Commits a step of as many of the tokens as there is room for now, at least 1. */
    private int commit(CpuSession session, KvRequest request, int tokens) {
        // Rows to the end of the page are there anyway.
        int rest = Math.floorMod(-request.known(), Block.TOKENS);
        int drafts = Math.min(rest, request.maxLength() - request.known());
        int asked = tokens;
        PlanResult result = allocator.plan(List.of(new Ask(request, asked, drafts)));
        while (result instanceof Refusal refusal) {
            if (asked == 1 || refusal.reason() != Refusal.Reason.BLOCKS) {
                throw refused(refusal);
            }
            asked /= 2;
            result = allocator.plan(List.of(new Ask(request, asked, drafts)));
        }
        step = allocator.commit((StepPlan) result);
        owner = session;
        walked = 0;
        if (session.computed() == 0) {
            session.found(part().first());
        }
        return part().tokens();
    }

    private EngineException refused(Refusal refusal) {
        String what = refusal.reason() == Refusal.Reason.SEATS ? " seats" : " blocks";
        return new EngineException("the cache has no room beside the other requests: " + refusal.missing() + what
                + " are missing, and it has " + cache.geometry().blocks()
                + " blocks; end another request, or raise --kv-blocks");
    }

    private void run(int tokens, boolean first) {
        Step running = Objects.requireNonNull(step);
        try {
            if (first) {
                resetHotMaps();
                cache.restore(running);
            }
            walk.step();
        } catch (RuntimeException | Error e) {
            if (first) {
                cache.giveUp(running);
            }
            settle();
            throw e;
        }
        walked += tokens;
        if (first) {
            cache.writeBack(running);
        }
    }

    private void resetHotMaps() {
        for (int i = 0; i < arrays.counts[StepArrays.RESET_SEATS]; i++) {
            cache.hot().reset(arrays.resetSeat[i]);
        }
    }

    /** Ends the committed step with the rows that are computed. */
    private void settle() {
        if (step != null) {
            // Without any the request gives up all it has.
            allocator.finish(step, IntArrayList.newListWith(walked == 0 ? -1 : walked));
            if (walked == 0) {
                Objects.requireNonNull(owner).computed(0);
            }
            allocator.drain();
            step = null;
            owner = null;
        }
    }

    /** The request has no rows any more; it is computed again when it goes on. */
    void preempt(CpuSession session) {
        settle();
        allocator.preempt(session.request());
        session.computed(0);
    }

    void close(CpuSession session) {
        settle();
        session.opened().ifPresent(allocator::close);
        sessions--;
    }

    @Override
    public void close() {
        cache.close();
    }
}
