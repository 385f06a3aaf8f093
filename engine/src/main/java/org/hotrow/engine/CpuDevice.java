package org.hotrow.engine;

import java.util.Optional;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.Step;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.modelloader.ModelConfig;

/**
 * A model on the CPU with its cache: computes batches.
 *
 * <pre>
 * batch with a step   | tables, hot maps, restores, imports | walk | write-backs |
 * batch without       | walk |
 * </pre>
 *
 * Rows of many requests share each read of a weight; the bits of a row don't depend on who else is in the batch.
 */
final class CpuDevice implements StepDevice, AutoCloseable {
    private final ModelConfig config;
    private final Model model;
    private final CpuWeights weights;
    private final Workers workers;
    private final Lanes lanes;
    private final CacheFormat format;
    private final boolean everyLogit;
    private final WalkProbe probe;
    private final CpuCache cache;
    private final StepArrays arrays;
    private final CpuHotRows hotRows;
    private Lanes walkLanes;
    private ModelWalk walk;

    private final CpuTurns turns;

    /**
     * @param maxRows tokens of the largest step
     * @param everyLogit logits of all tokens of a step, else only of those that a next token is drawn from
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
            arrays = new StepArrays(
                    maxRows,
                    everyLogit ? maxRows : Math.min(maxRows, cacheConfig.seats()),
                    cacheConfig.seats(),
                    Block.pages(cacheConfig.maxTokens()),
                    cache.geometry().indexBlocks(cacheConfig.maxTokens()),
                    Math.max(1, cache.hotBlocks()));
            hotRows = new CpuHotRows(arrays, cache, config.indexer().anchors(), workers);
            walkLanes = lanes.now();
            walk = walk();
            turns = new CpuTurns(this);
        } catch (RuntimeException | Error e) {
            cache.close();
            throw e;
        }
    }

    private ModelWalk walk() {
        var ops = new CpuOps(config, weights, format, arrays, cache.slabs(), hotRows, workers, walkLanes);
        return new ModelWalk(config, model.weights(), ops, probe);
    }

    /** The inner loops may have been compiled since the last step. */
    private void useCompiledLanes() {
        if (walkLanes != lanes.now()) {
            walkLanes = lanes.now();
            walk = walk();
        }
    }

    /** A request of up to so many tokens that is driven by hand, beside others that take turns with it. */
    CpuSession open(int maxTokens) {
        return open(maxTokens, Optional.empty());
    }

    /** The same, with rows of its first tokens from elsewhere. */
    CpuSession open(int maxTokens, Optional<Import> imported) {
        return new CpuSession(turns, maxTokens, imported);
    }

    /** Rows of the largest step. */
    int maxRows() {
        return arrays.maxRows;
    }

    CpuCache cache() {
        return cache;
    }

    CacheCounters counters() {
        return cache.counters(hotRows);
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

    /** Computes a batch. Its copies are done when it returns. */
    @Override
    public void run(Batch batch) {
        arrays.clear();
        if (batch.step().isPresent()) {
            Step step = batch.step().get();
            step.others().forEach(arrays::fillTables);
            step.parts().forEach(arrays::fillTables);
            useCompiledLanes();
        }
        for (int i = 0; i < batch.size(); i++) {
            addRows(batch, i);
        }
        if (batch.step().isPresent()) {
            walk(batch.step().get());
        } else {
            walk.step();
        }
    }

    private void walk(Step step) {
        try {
            resetHotMaps();
            cache.restore(step);
            if (arrays.rows() > 0) {
                walk.step();
            }
        } catch (RuntimeException | Error e) {
            cache.giveUp(step);
            throw e;
        }
        cache.writeBack(step);
    }

    private void addRows(Batch batch, int entry) {
        Step.Part part = batch.part(entry);
        int end = batch.from(entry) + batch.count(entry);
        for (int position = batch.from(entry); position < end; position++) {
            boolean wanted = everyLogit || (batch.wantsLogits(entry) && position == end - 1);
            arrays.addRow(part.residency().seat(), part.request().token(position), position, wanted);
        }
    }

    private void resetHotMaps() {
        for (int i = 0; i < arrays.counts[StepArrays.RESET_SEATS]; i++) {
            cache.hot().reset(arrays.resetSeat[i]);
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
