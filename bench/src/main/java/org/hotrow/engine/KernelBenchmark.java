package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.hotrow.bench.FloorBenchmark;
import org.hotrow.bench.FloorProfiler;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.tornado.Variant;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An operation of {@link KernelCases} on a device: the kernels in a task graph, on the emulator or by TornadoVM, or the
 * CPU's. Time includes what the host does to start it. A device that isn't there fails the benchmark.
 */
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 11, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class KernelBenchmark extends FloorBenchmark {
    static final String CPU = "cpu";
    static final String EMULATED = "emulated";
    static final String TORNADO = "tornado";

    /** Bytes from 0x30 on are numbers in every format that rows and keys have: no NaN, none too large. */
    private static final int LEAST_BYTE = 0x30;

    private static final int BYTES = 16;

    @Param({
        "embed",
        "rms-norm",
        "layer-norm",
        "residual",
        "swiglu",
        "rope",
        "keep-and-take-rows",
        "join-rows",
        "fp8-linear",
        "bf16-linear",
        "absorb",
        "expand",
        "route-and-experts",
        "logits",
        "write-row",
        "write-index-key",
        "select",
        "resolve-and-attend",
        "resolve-gather-and-attend",
        "write-back",
        "page-restore",
        "index-page-restore",
        "index-page-copy"
    })
    public String operation = "";

    @Param({CPU, EMULATED, TORNADO})
    public String device = "";

    private @Nullable Model model;
    private @Nullable OpsBench bench;
    private Runnable run = () -> {};

    /** Records the operation over random values. */
    @Setup(Level.Trial)
    public void open() {
        Model opened = Model.open(
                Path.of(Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model")));
        model = opened;
        KernelCase kernel = new KernelCases(opened).named(operation);
        OpsBench made = bench(opened, kernel.place());
        bench = made;
        SplittableRandom random = new SplittableRandom(1);
        fill(made, random);
        List<Activation> in = kernel.widths().stream()
                .map(width -> made.ops().activation(width))
                .toList();
        for (Activation activation : in) {
            made.write(activation, RandomValues.gaussian(activation.width(), random));
        }
        Runnable called = kernel.operation().of(made, in);
        if (device.equals(CPU)) {
            FloorProfiler.declare(kernel.floor());
            run = called;
        } else if (kernel.ofPages()) {
            run = called;
        } else {
            called.run();
            run = made::execute;
        }
    }

    private OpsBench bench(Model opened, OpsBench.Place place) {
        return switch (device) {
            case CPU ->
                OpsBench.cpu(
                        opened,
                        KernelCases.FORMAT,
                        place,
                        Lanes.vector(),
                        Runtime.getRuntime().availableProcessors());
            case EMULATED ->
                OpsBench.graphs(new EmulatedArrays(true), Variant.PORTABLE, opened, KernelCases.FORMAT, place);
            case TORNADO -> {
                GraphDevices.requireTornado();
                boolean cuda = GraphDevices.records();
                if (place.host() && !cuda) {
                    throw new DeviceException(operation + ": only the CUDA back end reads pages on the host");
                }
                Variant variant = cuda ? Variant.CUDA : Variant.PORTABLE;
                yield OpsBench.graphs(GraphDevices.tornadoArrays(cuda), variant, opened, KernelCases.FORMAT, place);
            }
            default -> throw new IllegalArgumentException("device " + device + ": expected cpu, emulated or tornado");
        };
    }

    /** Numbers in all rows and keys, on the device and on the host. */
    private static void fill(OpsBench bench, SplittableRandom random) {
        KvCache cache = bench.cache();
        for (int slab = 0; slab < cache.geometry().slabs(); slab++) {
            cache.tensor()
                    .write(
                            cache.geometry().firstLayer(slab),
                            0,
                            numbers(cache.geometry().slabBytes(slab), random));
        }
        cache.host()
                .ifPresent(host -> host.chunks().forEach(chunk -> chunk.copyFrom(numbers(chunk.byteSize(), random))));
    }

    private static MemorySegment numbers(long bytes, SplittableRandom random) {
        byte[] numbers = new byte[Math.toIntExact(bytes)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (byte) (LEAST_BYTE + random.nextInt(BYTES));
        }
        MemorySegment segment = MemorySegment.ofArray(new long[numbers.length / Long.BYTES]);
        MemorySegment.copy(numbers, 0, segment, ValueLayout.JAVA_BYTE, 0, numbers.length);
        return segment;
    }

    /** Lets it go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(bench).close();
        Objects.requireNonNull(model).close();
    }

    /** One execution. */
    @Benchmark
    public void execute() {
        run.run();
    }
}
