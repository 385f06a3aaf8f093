package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The self-test on the emulator: it passes, and what is planted in a kernel or a device fails it. */
class SelfTestTest {
    private static final CacheFormat FP8 = CacheFormat.of(KvDtype.FP8);
    private static final Set<Integer> HEAD_BITS = Set.of(8, 16);
    private static final int CHECKS = 47;

    private static void run(Supplier<DeviceArrays> device) {
        SelfTest.run(device, Variant.PORTABLE, FP8, HEAD_BITS, "a device");
    }

    @ParameterizedTest
    @EnumSource
    void passes(KvDtype dtype) {
        assertThat(SelfTest.run(
                        () -> new EmulatedArrays(true), Variant.PORTABLE, CacheFormat.of(dtype), HEAD_BITS, "emulator"))
                .isEqualTo(CHECKS);
    }

    @Test
    void namesEachKernelThatDoesNothing() {
        requireFound(check -> with(check, 1, (graph, grids, task) -> put(graph, grids, task, new IntArray(1))));
    }

    @Test
    void namesEachKernelThatSpoilsTheEndOfAnOutput() {
        requireFound(check -> {
            Outputs outputs = new Outputs(check.inputs());
            return new KernelCheck(
                    check.kernel(),
                    check.variant(),
                    check.tasks() + 1,
                    (graph, grids, task) -> {
                        check.piece().append(graph, grids, task);
                        put(graph, grids, task + "-spoil", outputs.arrays.getFirst());
                    },
                    outputs,
                    check.arrays());
        });
    }

    /** Each check alone, with this in its place, fails the self-test by its name. */
    private static void requireFound(Function<KernelCheck, KernelCheck> planted) {
        try (DeviceArrays arrays = new EmulatedArrays(true);
                CheckBench bench = new CheckBench(arrays, Variant.PORTABLE)) {
            List<KernelCheck> checks = SelfTest.checks(bench, FP8, HEAD_BITS);
            assertThat(checks).hasSize(CHECKS);
            for (KernelCheck check : checks) {
                assertThatThrownBy(() -> SelfTest.run(arrays, List.of(planted.apply(check)), "a device"))
                        .as(check.toString())
                        .isInstanceOf(DeviceException.class)
                        .hasMessageContaining("the kernel " + check + " ")
                        .hasMessageMatching(".* value \\d+ is .*, expected .*");
            }
        }
    }

    private static KernelCheck with(KernelCheck check, int tasks, GraphRecorder.Piece piece) {
        return new KernelCheck(check.kernel(), check.variant(), tasks, piece, check.inputs(), check.arrays());
    }

    /** Learns from the first round which arrays are compared. */
    private static final class Outputs implements KernelCheck.Inputs {
        private final KernelCheck.Inputs inputs;
        private List<TornadoNativeArray> arrays = List.of();

        Outputs(KernelCheck.Inputs inputs) {
            this.inputs = inputs;
        }

        @Override
        public void send(CheckRound round) {
            inputs.send(round);
            arrays = round.outputs();
        }
    }

    /** A task that sets the last value of an array. */
    private static void put(TaskGraph graph, GridScheduler grids, String task, TornadoNativeArray array) {
        WorkerGrid1D grid = new WorkerGrid1D(1);
        grid.setLocalWork(1, 1, 1);
        grids.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
        switch (array) {
            case FloatArray floats ->
                graph.task(task, SelfTestTest::spoil, new KernelContext(), floats, floats.getSize() - 1);
            case IntArray ints -> graph.task(task, SelfTestTest::spoil, new KernelContext(), ints, ints.getSize() - 1);
            case LongArray longs ->
                graph.task(task, SelfTestTest::spoil, new KernelContext(), longs, longs.getSize() - 1);
            default -> throw new IllegalArgumentException(array + " is no output");
        }
    }

    static void spoil(KernelContext context, FloatArray array, int at) {
        array.set(at + context.globalIdx, 77);
    }

    static void spoil(KernelContext context, IntArray array, int at) {
        array.set(at + context.globalIdx, 77);
    }

    static void spoil(KernelContext context, LongArray array, int at) {
        array.set(at + context.globalIdx, 77);
    }

    /** Two codes of the table that decodes FP8 weights change places. */
    @Test
    void namesTheKernelThatAWrongTableMisleads() {
        assertThatThrownBy(() -> run(() -> new ForwardingArrays() {
                    private boolean swapped;

                    @Override
                    public <T> T adopt(T adopted) {
                        if (!swapped && adopted instanceof FloatArray table && table.getSize() == 256) {
                            swapped = true;
                            float value = table.get(0x39);
                            table.set(0x39, table.get(0x3A));
                            table.set(0x3A, value);
                        }
                        return super.adopt(adopted);
                    }
                }))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("a device: the self-test finds that the kernel fp8-linear (1 row)");
    }

    @Test
    void findsAnUploadThatDropsTheLastValue() {
        assertThatThrownBy(() -> run(() -> new ForwardingArrays() {
                    @Override
                    public void upload(MemorySegment from, TornadoNativeArray to) {
                        super.upload(from.asSlice(0, from.byteSize() - Integer.BYTES), to);
                    }
                }))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("plain graphs, round 0");
    }

    /** A device to which the numbers of the first round go, and no others. */
    private static final class SentOnce extends ForwardingArrays {
        private final boolean records;
        private boolean sent;

        SentOnce(boolean records) {
            this.records = records;
        }

        @Override
        public boolean records() {
            return records;
        }

        @Override
        public void upload(MemorySegment from, TornadoNativeArray to) {
            if (!sent) {
                super.upload(from, to);
            }
        }

        @Override
        public void send() {
            sent = true;
        }
    }

    @Test
    void findsAStepThatIsNotSentAgain() {
        assertThatThrownBy(() -> run(() -> new SentOnce(true)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("recorded graphs, round 1");
        assertThatThrownBy(() -> run(() -> new SentOnce(false)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("plain graphs, round 1");
    }

    @Test
    void aModelIsNotLoadedOnAWrongDevice() {
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"))) {
            DeviceException refused = catchThrowableOfType(
                    DeviceException.class,
                    () -> GraphDevices.emulated(
                            model,
                            FP8,
                            (loaded, total) -> {
                                throw new AssertionError("weights are loaded");
                            },
                            () -> new ForwardingArrays() {
                                @Override
                                public void download(TornadoNativeArray from, MemorySegment to) {
                                    to.fill((byte) 1);
                                }
                            }));
            assertThat(Hotrow.exitCode(refused)).isEqualTo(Hotrow.NO_DEVICE);
        }
    }

    @Test
    void theCommandSaysWhatWasTested() {
        CommandRun run = CommandRun.hotrow(
                "generate",
                "--device",
                "emulated",
                "--model",
                Golden.resource("glm-tiny/tiny-fp8").toString(),
                "--kv-dtype",
                "fp32",
                "--prompt-ids",
                "5",
                "--max-new-tokens",
                "1",
                "--temperature",
                "0");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).containsPattern("emulated, emulator on the JVM, self-test of kernels: \\d+ checks");
    }
}
