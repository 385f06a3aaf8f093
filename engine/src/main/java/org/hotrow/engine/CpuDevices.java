package org.hotrow.engine;

import org.hotrow.engine.lanes.Lanes;

/** The CPU: packed weights, and threads that share each operation. */
final class CpuDevices implements Devices {
    private final Model model;
    private final CacheFormat format;
    private final Lanes lanes;
    private final CpuWeights weights;
    private final Workers workers;

    /**
     * Loads the weights.
     *
     * @throws EngineException if the weights are larger than the machine's memory
     */
    CpuDevices(Model model, CacheFormat format, Lanes lanes, int threads, LoadProgress progress) {
        this(model, format, lanes, threads, false, progress);
    }

    /** @param drafting whether the MTP layer drafts in some of the devices */
    CpuDevices(Model model, CacheFormat format, Lanes lanes, int threads, boolean drafting, LoadProgress progress) {
        this.model = model;
        this.format = format;
        this.lanes = lanes;
        weights = CpuWeights.load(model.config(), model.weights(), drafting, progress);
        workers = new Workers(threads);
    }

    @Override
    public ModelDevice device(CacheConfig cache, int maxRows, boolean everyLogit) {
        return new ModelDevice(model, weights, workers, lanes, format, cache, maxRows, everyLogit, WalkProbe.NONE);
    }

    @Override
    public void close() {
        workers.close();
        weights.close();
    }
}
