package org.hotrow.engine;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hotrow.allocator.HostMemory;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.modelloader.MtpWeights;
import org.jspecify.annotations.Nullable;

/** Devices that run task graphs: a GPU by TornadoVM, or the emulator with the same graphs on the JVM. */
final class GraphDevices implements Devices {
    /** Rows of the graphs: a decoded token, and parts of a prompt. */
    private static final List<Integer> ROWS = List.of(1, 24);

    private static final int GATHER_GROUPS_EMULATED = 4;
    private static final int GATHER_GROUPS = 264;
    private static final int MOST_INDICES = Integer.MAX_VALUE - 32;
    /** For a GPU's context, code and local memory, and what copies to it go through: assumed, not measured. */
    private static final long DRIVER_BYTES = 1L << 30;

    /** Makes one of them. */
    interface Maker extends Devices.Maker {
        /**
         * The devices of a model, tested.
         *
         * @throws DeviceException if there are none here, or the {@link SelfTest} fails
         */
        @Override
        GraphDevices of(Model model, CacheFormat format, LoadProgress progress);
    }

    private final Model model;
    private final CacheFormat format;
    private final Supplier<DeviceArrays> arrays;
    private final Variant variant;
    private final int gatherGroups;
    private final boolean readsHost;
    private final LoadProgress progress;
    private final String name;
    private final long memoryBytes;
    private final String description;
    private List<String> memory = List.of();

    /** Tests the kernels. Every device loads the weights. */
    private GraphDevices(
            Model model,
            CacheFormat format,
            Supplier<DeviceArrays> arrays,
            Variant variant,
            int gatherGroups,
            boolean readsHost,
            LoadProgress progress,
            String name,
            long memoryBytes) {
        this.model = model;
        this.format = format;
        this.arrays = arrays;
        this.variant = variant;
        this.gatherGroups = gatherGroups;
        this.readsHost = readsHost;
        this.progress = progress;
        this.memoryBytes = memoryBytes;
        this.name = name;
        GraphModel.require(model, format);
        long start = System.nanoTime();
        int checks = SelfTest.run(arrays, variant, format, headBits(model), name);
        description = String.format(
                Locale.ROOT,
                "%s, self-test of kernels: %d checks in %.1f s",
                name,
                checks,
                (System.nanoTime() - start) * 1e-9);
    }

    /** Bits of the codes that the kernels of attention heads read. */
    private static Set<Integer> headBits(Model model) {
        return Stream.concat(
                        model.weights().layers().stream(),
                        model.weights().mtp().stream().map(MtpWeights::layer))
                .map(layer -> layer.attention().kvB().quantised() ? 8 : 16)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What it is, and how it passed the self-test. */
    String description() {
        return description;
    }

    /**
     * The emulator.
     *
     * @throws DeviceException if it isn't there, or the self-test fails
     */
    static GraphDevices emulated(Model model, CacheFormat format, LoadProgress progress) {
        return emulated(model, format, progress, true);
    }

    /** The same; without recorded graphs, each task is a launch. */
    static GraphDevices emulated(Model model, CacheFormat format, LoadProgress progress, boolean recorded) {
        return emulated(model, format, progress, () -> new EmulatedArrays(recorded));
    }

    /** The emulator with memory of another kind. */
    static GraphDevices emulated(
            Model model, CacheFormat format, LoadProgress progress, Supplier<DeviceArrays> arrays) {
        if (!isThere("org.hotrow.emulator.Emulator")) {
            throw new DeviceException("--device emulated: the emulator is not on the class path; start Hotrow by"
                    + " engine/bin/hotrow, which puts it there");
        }
        return new GraphDevices(
                model,
                format,
                arrays,
                Variant.PORTABLE,
                GATHER_GROUPS_EMULATED,
                true,
                progress,
                "emulator on the JVM",
                MachineMemory.bytes());
    }

    /**
     * TornadoVM's device: with its CUDA back end graphs are recorded.
     *
     * @throws DeviceException if TornadoVM isn't there or has no device, or the self-test fails
     */
    static GraphDevices tornado(Model model, CacheFormat format, LoadProgress progress) {
        return tornado(model, format, progress, records());
    }

    /** The same; without recorded graphs, each task is a launch. */
    static GraphDevices tornado(Model model, CacheFormat format, LoadProgress progress, boolean recorded) {
        requireTornado();
        TornadoDevice device = TornadoDevice.get();
        return new GraphDevices(
                model,
                format,
                () -> tornadoArrays(recorded),
                cuda() ? Variant.CUDA : Variant.PORTABLE,
                GATHER_GROUPS,
                cuda(),
                progress,
                device.name(),
                device.memoryBytes());
    }

    /** Memory of TornadoVM's device. */
    static DeviceArrays tornadoArrays(boolean recorded) {
        return new TornadoArrays(new DeviceSharing(cuda()), cuda(), recorded);
    }

    /** Whether TornadoVM's back end records graphs. */
    static boolean records() {
        return cuda();
    }

    private static boolean cuda() {
        return ModuleLayer.boot().findModule("tornado.drivers.cuda").isPresent();
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
        memory = required(cacheConfig, maxRows, everyLogit).lines();
        return new ModelDevice(model, format, cacheConfig, maxRows, everyLogit, new Graphs());
    }

    @Override
    public void require(CacheConfig cacheConfig, int maxRows, boolean everyLogit) {
        required(cacheConfig, maxRows, everyLogit);
    }

    /** What the device will hold, which it has room for. */
    private MemoryPlan required(CacheConfig cacheConfig, int maxRows, boolean everyLogit) {
        if (!readsHost && cacheConfig.hostPages() > 0) {
            throw new DeviceException("--device tornado: only the CUDA back end reads pages on the host;"
                    + " pass --kv-policy resident or recompute");
        }
        if (cacheConfig.drafting()) {
            GraphModel.requireDrafter(model);
        }
        requireIntIndices(cacheConfig);
        MemoryPlan plan = plan(cacheConfig, maxRows, everyLogit);
        plan.require(
                name,
                memoryBytes,
                emulated()
                        ? "or take a larger machine"
                        : "take a larger device, or let TornadoVM have more of it: -Dtornado.device.memory=NGB");
        return plan;
    }

    /** One device: its memory is made with the tensor and closed with it. */
    private final class Graphs implements ModelDevice.Backend {
        private @Nullable DeviceArrays memory;

        private DeviceArrays memory() {
            if (memory == null) {
                memory = arrays.get();
            }
            return memory;
        }

        @Override
        public KvTensor tensor(KvGeometry geometry) {
            return new GraphKvTensor(memory(), geometry);
        }

        @Override
        public boolean ofThisMachine() {
            return emulated();
        }

        @Override
        public HostMemory host() {
            return memory().hostMemory();
        }

        @Override
        public StepWalk walk(StepArrays step, KvCache cache) {
            return new GraphWalk(model, format, step, cache, memory(), variant, ROWS, gatherGroups, progress);
        }
    }

    /** Kernels write f32 rows and keys as floats, of which a slab has twice as many as longs. */
    private void requireIntIndices(CacheConfig cacheConfig) {
        if (format.rows() != KvDtype.FP32 && format.indexKeys() != KvDtype.FP32) {
            return;
        }
        KvGeometry geometry = cacheConfig.geometry(model.config(), format);
        for (int slab = 0; slab < geometry.slabs(); slab++) {
            long floats = geometry.slabBytes(slab) / Float.BYTES;
            if (floats > MOST_INDICES) {
                throw new RequestException("--kv-blocks " + cacheConfig.blocks() + ": an fp32 slab of " + floats
                        + " values, of which kernels index " + MOST_INDICES
                        + ": lower it, or take --kv-dtype fp8 or bf16");
            }
        }
    }

    private boolean emulated() {
        return gatherGroups == GATHER_GROUPS_EMULATED;
    }

    private MemoryPlan plan(CacheConfig cacheConfig, int maxRows, boolean everyLogit) {
        KvGeometry geometry = cacheConfig.geometry(model.config(), format);
        StepArrays step = ModelDevice.arrays(cacheConfig, geometry, maxRows, everyLogit);
        return new MemoryPlan(
                model,
                format,
                cacheConfig,
                geometry,
                step,
                GraphWalk.sizes(ROWS, maxRows),
                emulated() ? 0 : DRIVER_BYTES);
    }

    /** Prints what TornadoVM makes of a kernel. */
    void printSource(String kernel, PrintStream out) {
        try (DeviceArrays memory = arrays.get()) {
            KernelSource.print(memory, variant, format, headBits(model), kernel, out);
        }
    }

    /** What the last device that was made holds: a line for each use. */
    @Override
    public List<String> memory() {
        return memory;
    }

    @Override
    public void close() {}
}
