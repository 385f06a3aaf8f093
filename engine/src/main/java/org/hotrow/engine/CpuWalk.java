package org.hotrow.engine;

import org.hotrow.engine.lanes.Lanes;
import org.hotrow.modelloader.ModelConfig;

/** The walk on the CPU, operation by operation. */
final class CpuWalk implements StepWalk {
    private final Model model;
    private final CpuWeights weights;
    private final CacheFormat format;
    private final StepArrays arrays;
    private final KvCache cache;
    private final CpuHotRows hotRows;
    private final Workers workers;
    private final Lanes lanes;
    private final WalkProbe probe;
    private Lanes walkLanes;
    private ModelWalk walk;

    CpuWalk(
            Model model,
            CpuWeights weights,
            CacheFormat format,
            StepArrays arrays,
            KvCache cache,
            Workers workers,
            Lanes lanes,
            WalkProbe probe) {
        this.model = model;
        this.weights = weights;
        this.format = format;
        this.arrays = arrays;
        this.cache = cache;
        this.workers = workers;
        this.lanes = lanes;
        this.probe = probe;
        hotRows = new CpuHotRows(arrays, cache, cache.geometry().anchorLayers(), workers);
        walkLanes = lanes.now();
        walk = walk();
    }

    private ModelWalk walk() {
        ModelConfig config = model.config();
        var ops = new CpuOps(config, weights, format, arrays, KvSlabs.of(cache.tensor()), hotRows, workers, walkLanes);
        return new ModelWalk(config, model.weights(), ops, cache.drafting(), probe);
    }

    @Override
    public void step() {
        for (int i = 0; i < arrays.resetSeats(); i++) {
            cache.hot().reset(arrays.resetSeat[i]);
        }
        // The inner loops may have been compiled since the last step.
        if (walkLanes != lanes.now()) {
            walkLanes = lanes.now();
            walk = walk();
        }
        if (arrays.rows() > 0) {
            walk.step();
        }
    }

    @Override
    public void draft(boolean first) {
        walk.draft(first);
    }

    @Override
    public CpuActivation logits() {
        return CpuActivation.of(walk.logits());
    }

    @Override
    public CpuActivation finalNorm() {
        return CpuActivation.of(walk.finalNorm());
    }

    @Override
    public long lookups() {
        return hotRows.lookups();
    }

    @Override
    public long hits() {
        return hotRows.hits();
    }

    @Override
    public long hostRowsRead() {
        return hotRows.hostRowsRead();
    }

    @Override
    public long unions() {
        return hotRows.union().unions();
    }

    @Override
    public long unionPositions() {
        return hotRows.union().positions();
    }

    @Override
    public int largestUnion() {
        return hotRows.union().largest();
    }

    @Override
    public void close() {}
}
