package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.EVERY_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.FIRST_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.UNDER_DEMAND;

import java.util.Objects;
import java.util.stream.Stream;
import org.hotrow.emulator.kernels.GraphKernels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Whole graphs, from the host's arrays over device memory and work-items back to the host. */
class GraphTest {
    private static final int N = 1000;
    private static final int GROUP = 64;
    private static final int ITEMS = 1024;
    private static final int GROUPS = ITEMS / GROUP;

    private final Mode before = Emulator.mode();
    private final KernelContext context = new KernelContext();

    static Stream<Mode> modes() {
        return Stream.of(
                Mode.FAST,
                Mode.FAST.withSeed(5),
                Mode.CHECKED,
                Mode.CHECKED.withSeed(1),
                Mode.CHECKED.withSeed(2),
                Mode.METERED,
                new Mode(true, true, 3));
    }

    @AfterEach
    void restoreMode() {
        Emulator.use(before);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void vectorsAreAdded(Mode mode) throws TornadoExecutionPlanException {
        Emulator.use(mode);
        FloatArray a = numbers(ITEMS);
        FloatArray b = numbers(ITEMS);
        FloatArray c = new FloatArray(ITEMS);
        TaskGraph graph = new TaskGraph("vectors")
                .transferToDevice(EVERY_EXECUTION, a, b)
                .task("add", GraphKernels::add, context, a, b, c)
                .transferToHost(EVERY_EXECUTION, c);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(new GridScheduler("vectors.add", grid(ITEMS, GROUP)))
                    .execute();
        }
        for (int i = 0; i < ITEMS; i++) {
            assertThat(c.get(i)).isEqualTo(a.get(i) + b.get(i));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void sumsAreReducedInTwoStages(Mode mode) throws TornadoExecutionPlanException {
        Emulator.use(mode);
        FloatArray values = numbers(N);
        FloatArray partial = new FloatArray(GROUPS);
        FloatArray sum = new FloatArray(1);
        IntArray length = IntArray.fromElements(N);
        IntArray groups = IntArray.fromElements(GROUPS);
        TaskGraph graph = new TaskGraph("sum")
                .transferToDevice(FIRST_EXECUTION, values, length, groups)
                .task("groups", GraphKernels::partialSums, context, values, length, partial)
                .task("all", GraphKernels::partialSums, context, partial, groups, sum)
                .transferToHost(EVERY_EXECUTION, partial)
                .transferToHost(UNDER_DEMAND, sum);
        GridScheduler grids = new GridScheduler("sum.groups", grid(ITEMS, GROUP));
        grids.addWorkerGrid("sum.all", grid(GROUPS, GROUPS));
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(grids).execute().transferToHost(sum);
        }
        // Small whole numbers: exact in any order.
        assertThat(sum.get(0)).isEqualTo(sumOf(values, 0, N));
        assertThat(partial.get(GROUPS - 1)).isEqualTo(sumOf(values, ITEMS - GROUP, N));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void threeTasksAreRecordedAndReplayed(Mode mode) throws TornadoExecutionPlanException {
        Emulator.use(mode);
        FloatArray a = numbers(ITEMS);
        FloatArray b = numbers(ITEMS);
        FloatArray c = new FloatArray(ITEMS);
        FloatArray sums = new FloatArray(GROUPS);
        IntArray length = IntArray.fromElements(ITEMS);
        TaskGraph graph = new TaskGraph("three")
                .transferToDevice(FIRST_EXECUTION, a)
                .transferToDevice(EVERY_EXECUTION, b, length)
                .task("add", GraphKernels::add, context, a, b, c)
                .task("scale", GraphKernels::scale, context, c, 2f)
                .task("sum", GraphKernels::partialSums, context, c, length, sums)
                .transferToHost(EVERY_EXECUTION, sums);
        WorkerGrid grid = grid(ITEMS, GROUP);
        GridScheduler grids = new GridScheduler("three.add", grid);
        grids.addWorkerGrid("three.scale", grid);
        grids.addWorkerGrid("three.sum", grid);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withAllGraphs().withGridScheduler(grids).withCUDAGraph().execute();
            assertThat(sums.get(0)).isEqualTo(2 * (sumOf(a, 0, GROUP) + sumOf(b, 0, GROUP)));

            float first = sumOf(a, 0, GROUP);
            a.init(1000f);
            b.init(3f);
            length.set(0, GROUP + 1);
            grid.setGlobalWork(GROUP, 1, 1);
            plan.execute();
            assertThat(sums.get(0)).as("a stays, b is copied anew").isEqualTo(2 * (first + 3 * GROUP));
            assertThat(sums.get(1))
                    .as("the recorded grid reaches the second group")
                    .isNotZero();
            assertThat(sums.get(2)).as("beyond the new length").isZero();
        }
    }

    @Test
    void gridsThatAreNotRecordedMayChange() throws TornadoExecutionPlanException {
        FloatArray a = numbers(ITEMS);
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(EVERY_EXECUTION, a)
                .task("scale", GraphKernels::scale, context, a, 2f)
                .transferToHost(EVERY_EXECUTION, a);
        WorkerGrid grid = grid(ITEMS, GROUP);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(new GridScheduler("g.scale", grid)).execute();
            a.init(1f);
            grid.setGlobalWork(GROUP, 1, 1);
            plan.execute();
            assertThat(a.get(GROUP - 1)).isEqualTo(2f);
            assertThat(a.get(GROUP)).isEqualTo(1f);
        }
    }

    @Test
    void arraysThatWereNeverTransferredAreNotRead() throws TornadoExecutionPlanException {
        Emulator.use(Mode.CHECKED);
        FloatArray in = numbers(ITEMS);
        FloatArray out = new FloatArray(ITEMS);
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(UNDER_DEMAND, in)
                .task("copy", GraphKernels::copy, context, in, out)
                .transferToHost(EVERY_EXECUTION, out);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(new GridScheduler("g.copy", grid(ITEMS, GROUP)));
            assertThatThrownBy(plan::execute)
                    .isInstanceOf(KernelFault.class)
                    .hasMessageContaining("in[")
                    .hasMessageContaining("nothing was written or copied there yet");
            Emulator.use(Mode.FAST);
            plan.execute();
            assertThat(out.get(7)).isNaN();
        }
    }

    @Test
    void theMeterCountsWhatAGraphMoves() throws TornadoExecutionPlanException {
        Emulator.use(Mode.METERED);
        FloatArray a = numbers(ITEMS);
        FloatArray b = numbers(ITEMS);
        FloatArray c = new FloatArray(ITEMS);
        TaskGraph graph = new TaskGraph("metered")
                .transferToDevice(EVERY_EXECUTION, a, b)
                .task("add", GraphKernels::add, context, a, b, c);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(new GridScheduler("metered.add", grid(ITEMS, GROUP)))
                    .execute();
        }
        TaskMeter meter = Objects.requireNonNull(Emulator.meter("metered.add"));
        assertThat(meter.groups()).isEqualTo(GROUPS);
        assertThat(meter.array("a").uniqueRead()).isEqualTo(4 * ITEMS);
        assertThat(meter.array("c").uniqueWritten()).isEqualTo(4 * ITEMS);
        assertThat(meter.uniqueBytes()).isEqualTo(3 * 4 * ITEMS);
    }

    private static FloatArray numbers(int n) {
        FloatArray values = new FloatArray(n);
        for (int i = 0; i < n; i++) {
            values.set(i, i * 7 % 31 - 9);
        }
        return values;
    }

    private static float sumOf(FloatArray values, int from, int to) {
        float sum = 0;
        for (int i = from; i < to; i++) {
            sum += values.get(i);
        }
        return sum;
    }

    private static WorkerGrid grid(int global, int local) {
        WorkerGrid grid = new WorkerGrid1D(global);
        grid.setLocalWork(local, 1, 1);
        return grid;
    }
}
