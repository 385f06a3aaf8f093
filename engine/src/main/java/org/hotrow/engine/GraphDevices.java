package org.hotrow.engine;

import java.util.List;
import java.util.function.Supplier;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.tornado.Variant;

/** Devices that run task graphs: a GPU by TornadoVM, or the emulator with the same graphs on the JVM. */
final class GraphDevices implements Devices {
    /** Rows of the graphs: a decoded token, and parts of a prompt. */
    private static final List<Integer> ROWS = List.of(1, 24);

    private static final int GATHER_GROUPS_EMULATED = 4;
    private static final int GATHER_GROUPS = 264;

    private final Model model;
    private final CacheFormat format;
    private final Supplier<DeviceArrays> arrays;
    private final Variant variant;
    private final int gatherGroups;
    private final boolean readsHost;
    private final LoadProgress progress;

    /** Every device loads the weights. */
    private GraphDevices(
            Model model,
            CacheFormat format,
            Supplier<DeviceArrays> arrays,
            Variant variant,
            int gatherGroups,
            boolean readsHost,
            LoadProgress progress) {
        this.model = model;
        this.format = format;
        this.arrays = arrays;
        this.variant = variant;
        this.gatherGroups = gatherGroups;
        this.readsHost = readsHost;
        this.progress = progress;
    }

    /**
     * The emulator.
     *
     * @throws DeviceException if it isn't there
     */
    static GraphDevices emulated(Model model, CacheFormat format, LoadProgress progress) {
        if (!isThere("org.hotrow.emulator.Emulator")) {
            throw new DeviceException("--device emulated: the emulator is not on the class path; start Hotrow by"
                    + " engine/bin/hotrow, which puts it there");
        }
        return new GraphDevices(
                model, format, EmulatedArrays::new, Variant.PORTABLE, GATHER_GROUPS_EMULATED, true, progress);
    }

    /**
     * TornadoVM's device: with its CUDA back end graphs are recorded.
     *
     * @throws DeviceException if TornadoVM isn't there
     */
    static GraphDevices tornado(Model model, CacheFormat format, LoadProgress progress) {
        requireTornado();
        boolean cuda = ModuleLayer.boot().findModule("tornado.drivers.cuda").isPresent();
        return new GraphDevices(
                model,
                format,
                () -> new TornadoArrays(new DeviceSharing(), cuda),
                cuda ? Variant.CUDA : Variant.PORTABLE,
                GATHER_GROUPS,
                false,
                progress);
    }

    /** @throws DeviceException if this JVM wasn't started with an SDK of TornadoVM */
    static void requireTornado() {
        if (!isThere("uk.ac.manchester.tornado.runtime.TornadoCoreRuntime")) {
            throw new DeviceException("--device tornado: install an SDK of TornadoVM 5.2.0 for JDK 25 with the CUDA or"
                + " the OpenCL back end, and name its folder, with a tornado-argfile in it, by TORNADOVM_HOME; or take"
                + " --device cpu, or --device emulated for the same kernels on the JVM");
        }
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type, false, GraphDevices.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public ModelDevice device(CacheConfig cacheConfig, int maxRows, boolean everyLogit) {
        if (!readsHost && (cacheConfig.policy() != KvPolicy.RESIDENT || cacheConfig.hostPages() > 0)) {
            throw new DeviceException(
                    "--device tornado keeps all rows on the device so far: pass --kv-policy resident");
        }
        return new ModelDevice(
                model,
                format,
                cacheConfig,
                maxRows,
                everyLogit,
                (step, cache) ->
                        new GraphWalk(model, format, step, cache, arrays.get(), variant, ROWS, gatherGroups, progress));
    }

    @Override
    public void close() {}
}
