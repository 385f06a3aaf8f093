package org.hotrow.engine;

import java.util.List;
import org.hotrow.kernels.tornado.Variant;

/** The emulator: kernels and task graphs of the GPU, on the JVM. */
final class EmulatedDevices implements Devices {
    /** Rows of the graphs: a decoded token, and parts of a prompt. */
    private static final List<Integer> ROWS = List.of(1, 24);

    private static final int GATHER_GROUPS = 4;

    private final Model model;
    private final CacheFormat format;
    private final LoadProgress progress;

    /** @throws DeviceException if the emulator isn't there */
    static EmulatedDevices of(Model model, CacheFormat format, LoadProgress progress) {
        try {
            Class.forName("org.hotrow.emulator.Emulator");
        } catch (ClassNotFoundException e) {
            throw new DeviceException("--device emulated: the emulator is not on the class path; start Hotrow by"
                    + " engine/bin/hotrow, which puts it there");
        }
        return new EmulatedDevices(model, format, progress);
    }

    /** Every device loads the weights. */
    private EmulatedDevices(Model model, CacheFormat format, LoadProgress progress) {
        this.model = model;
        this.format = format;
        this.progress = progress;
    }

    @Override
    public CpuDevice device(CacheConfig cacheConfig, int maxRows, boolean everyLogit) {
        return new CpuDevice(
                model,
                format,
                cacheConfig,
                maxRows,
                everyLogit,
                (arrays, cache) -> new GraphWalk(
                        model,
                        format,
                        arrays,
                        cache,
                        new EmulatedArrays(),
                        Variant.PORTABLE,
                        ROWS,
                        GATHER_GROUPS,
                        progress));
    }

    @Override
    public void close() {}
}
