package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostMemory;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Step;
import org.hotrow.engine.lanes.Lanes;
import org.jspecify.annotations.Nullable;

/**
 * A model with its cache, and a walk on some device: computes batches.
 *
 * <pre>
 * batch with a step   | tables, hot maps, restores, imports | walk | tokens are drawn | drafts | write-backs |
 * batch without       | walk                                       | tokens are drawn | drafts |
 * </pre>
 *
 * Rows of many requests share each read of a weight; the bits of a row don't depend on who else is in the batch.
 */
final class ModelDevice implements StepDevice, AutoCloseable {
    /** Where the cache lies and what computes the rows of steps. */
    interface Backend extends KvCache.Memory {
        /**
         * The walk over these arrays and this cache.
         *
         * @throws EngineException if there is none of the model
         */
        StepWalk walk(StepArrays arrays, KvCache cache);
    }

    /** The CPU and the memory of this process. */
    private record Cpu(
            Model model, CpuWeights weights, Workers workers, Lanes lanes, CacheFormat format, WalkProbe probe)
            implements Backend {
        @Override
        public KvTensor tensor(KvGeometry geometry) {
            return new KvSlabs(geometry);
        }

        @Override
        public HostMemory host() {
            return HostMemory.plain();
        }

        @Override
        public StepWalk walk(StepArrays arrays, KvCache cache) {
            return new CpuWalk(model, weights, format, arrays, cache, workers, lanes, probe);
        }
    }

    private final boolean everyLogit;
    private final KvCache cache;
    private final StepArrays arrays;
    private final StepWalk walk;
    private final ModelTurns turns;
    private final int[] dropped;
    private final @Nullable DraftRound drafter;
    private boolean open = true;

    /** A device on the CPU; see the other constructor. */
    ModelDevice(
            Model model,
            CpuWeights weights,
            Workers workers,
            Lanes lanes,
            CacheFormat format,
            CacheConfig cacheConfig,
            int maxRows,
            boolean everyLogit,
            WalkProbe probe) {
        this(model, format, cacheConfig, maxRows, everyLogit, new Cpu(model, weights, workers, lanes, format, probe));
    }

    /**
     * @param maxRows tokens of the largest step
     * @param everyLogit logits of all tokens of a step, else only of those that a next token is drawn from
     * @throws EngineException if the machine hasn't the memory
     * @throws IllegalArgumentException if no such cache can be laid out
     */
    ModelDevice(
            Model model,
            CacheFormat format,
            CacheConfig cacheConfig,
            int maxRows,
            boolean everyLogit,
            Backend backend) {
        this.everyLogit = everyLogit;
        cache = new KvCache(
                model.config(), format, cacheConfig, model.weights().bytes(cacheConfig.drafting()), backend);
        try {
            arrays = arrays(cacheConfig, cache.geometry(), maxRows, everyLogit);
            dropped = new int[cacheConfig.seats()];
            walk = backend.walk(arrays, cache);
            turns = new ModelTurns(this);
            drafter = cacheConfig.drafting() ? new DraftRound(arrays, walk, everyLogit) : null;
        } catch (RuntimeException | Error e) {
            cache.close();
            throw e;
        }
    }

    /** The arrays of its steps. */
    static StepArrays arrays(CacheConfig cacheConfig, KvGeometry geometry, int maxRows, boolean everyLogit) {
        return new StepArrays(
                maxRows,
                everyLogit ? maxRows : (int) Math.min(maxRows, (long) cacheConfig.seats() * (1 + cacheConfig.drafts())),
                cacheConfig.seats(),
                Block.pages(cacheConfig.maxTokens()),
                geometry.indexBlocks(cacheConfig.maxTokens()),
                Math.max(1, cacheConfig.hotBlocks()));
    }

    /** A request of up to so many tokens that is driven by hand, beside others that take turns with it. */
    ModelSession open(int maxTokens) {
        return open(maxTokens, Optional.empty());
    }

    /** The same, with rows of its first tokens from elsewhere. */
    ModelSession open(int maxTokens, Optional<Import> imported) {
        return new ModelSession(turns, maxTokens, imported);
    }

    /** Rows of the largest step. */
    int maxRows() {
        return arrays.maxRows;
    }

    KvCache cache() {
        return cache;
    }

    CacheCounters counters() {
        return cache.counters(walk);
    }

    /** The same of what has drafts. */
    SpeculationCounters counters(Speculation speculation) {
        return speculation.counters(walk);
    }

    @Override
    public float[] logits() {
        return logitRows().data();
    }

    @Override
    public int logitsAt(int i) {
        return logitRows().at(i);
    }

    /** Logits of the last batch: row i belongs to its i-th token that wanted them. */
    CpuActivation logitRows() {
        return walk.logits();
    }

    CpuActivation finalNorm() {
        return walk.finalNorm();
    }

    /** The stored row of a position on the device, decoded: {@code [latent | rope]}. */
    void readRow(int seat, int layer, int position, float[] row) {
        long at = cache.geometry().rowOffset(layer, arrays.row(seat, position));
        MemorySegment stored = MemorySegment.ofArray(new long[cache.geometry().rowBytes() / Long.BYTES]);
        cache.tensor().read(layer, at, stored);
        cache.rowFormat().read(stored, 0, row, 0);
    }

    /** The stored index key of a position, decoded. */
    void readIndexKey(int seat, int layer, int position, float[] key) {
        long page = arrays.indexPageOffset(cache.geometry(), layer, seat, position);
        MemorySegment stored = MemorySegment.ofArray(new long[cache.geometry().indexPageBytes() / Long.BYTES]);
        cache.tensor().read(layer, page, stored);
        cache.keyFormat().read(stored, 0, position % Block.TOKENS, key, 0);
    }

    @Override
    public void run(Batch batch) {
        arrays.clear();
        if (batch.step().isPresent()) {
            Step step = batch.step().get();
            step.others().forEach(arrays::fillTables);
            step.parts().forEach(arrays::fillTables);
        }
        for (int i = 0; i < batch.size(); i++) {
            addRows(batch, i);
        }
        if (batch.step().isPresent()) {
            walk(batch.step().get());
        } else {
            walk.step();
        }
        countDropped(batch);
    }

    private void walk(Step step) {
        try {
            cache.restore(step);
            walk.step();
        } catch (RuntimeException | Error e) {
            cache.giveUp(step);
            throw e;
        }
    }

    /** Copies are done when it returns. */
    @Override
    public void complete(Batch batch) {
        if (batch.step().isPresent()) {
            complete(batch, batch.step().get());
        } else {
            draft(batch);
        }
    }

    private void complete(Batch batch, Step step) {
        try {
            draft(batch);
            cache.copyBack(step);
        } catch (RuntimeException | Error e) {
            cache.giveUp(step);
            throw e;
        }
        cache.completed(step);
    }

    private void draft(Batch batch) {
        if (drafter != null) {
            drafter.run(batch);
        }
    }

    @Override
    public int dropped(int entry) {
        return dropped[entry];
    }

    private void countDropped(Batch batch) {
        int end = 0;
        for (int i = 0; i < batch.size(); i++) {
            end += batch.count(i) + batch.guesses(i);
            dropped[i] = 0;
            while (dropped[i] < batch.guesses(i) && arrays.dropped[end - 1 - dropped[i]]) {
                dropped[i]++;
            }
        }
    }

    private void addRows(Batch batch, int entry) {
        Step.Part part = batch.part(entry);
        int end = batch.from(entry) + batch.count(entry);
        for (int position = batch.from(entry); position < end; position++) {
            boolean wanted = everyLogit || (batch.wantsLogits(entry) && position == end - 1);
            arrays.addRow(part.residency().seat(), part.request().token(position), position, wanted);
        }
        for (int guess = 0; guess < batch.guesses(entry); guess++) {
            arrays.addGuess(part.residency().seat(), batch.drafts(entry).token(guess), end + guess);
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            try (cache) {
                walk.close();
            }
        }
    }
}
