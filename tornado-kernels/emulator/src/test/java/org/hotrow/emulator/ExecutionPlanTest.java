package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.hotrow.emulator.kernels.RightKernels;
import org.hotrow.emulator.kernels.WrongKernels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** Kernels as applications run them: by task graphs and plans, on device memory. */
class ExecutionPlanTest {
    private static final int SIZE = 512;

    private final FloatArray in = new FloatArray(SIZE);
    private final FloatArray sums = new FloatArray(2);

    @BeforeEach
    void check() {
        Emulator.use(new Mode(true, true, 3));
        in.init(0.5f);
    }

    @AfterEach
    void restore() {
        Emulator.use(Mode.FAST);
    }

    private static GridScheduler scheduler() {
        WorkerGrid1D grid = new WorkerGrid1D(SIZE);
        grid.setLocalWork(256, 1, 1);
        return new GridScheduler("graph.sum", grid);
    }

    private TaskGraph sum(int mode) {
        return new TaskGraph("graph")
                .transferToDevice(mode, in)
                .task("sum", RightKernels::groupSum, new KernelContext(), in, sums)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, sums);
    }

    @Test
    void taskRunsOnItsGridAndIsMeteredByItsName() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan =
                new TornadoExecutionPlan(sum(DataTransferMode.EVERY_EXECUTION).snapshot())) {
            plan.withGridScheduler(scheduler()).execute();
            in.init(2);
            plan.execute();
        }

        assertThat(sums.toHeapArray()).containsExactly(512f, 512f);
        assertThat(Objects.requireNonNull(Emulator.meter("graph.sum"))
                        .array("in")
                        .uniqueRead())
                .isEqualTo(SIZE * 4);
    }

    @Test
    void arrayThatWasNeverTransferredIsNamed() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan =
                new TornadoExecutionPlan(sum(DataTransferMode.UNDER_DEMAND).snapshot())) {
            plan.withGridScheduler(scheduler());
            assertThatThrownBy(plan::execute)
                    .isInstanceOf(KernelFault.class)
                    .hasMessageContaining("uninitialised in kernel RightKernels.groupSum, in[");
        }
    }

    @Test
    void lambdaThatCapturesNothingIsAKernelToo() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("graph")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, in)
                .task("sum", WrongKernels.LAMBDA, new KernelContext(), in, sums)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, sums);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(scheduler());
            assertThatThrownBy(plan::execute)
                    .isInstanceOf(KernelFault.class)
                    .hasMessageContaining("argument 2[512]: work-item")
                    .hasMessageContaining("WrongKernels.java:");
        }
    }

    @Test
    void lambdaThatCapturesIsRefusedByChecks() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("graph")
                .transferToDevice(DataTransferMode.EVERY_EXECUTION, in)
                .task("sum", WrongKernels.capturing(7), new KernelContext(), in, sums)
                .transferToHost(DataTransferMode.EVERY_EXECUTION, sums);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(scheduler());
            assertThatThrownBy(plan::execute)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("graph.sum")
                    .hasMessageContaining("reference to a static method");
        }
    }

    @Test
    void contextOutsideOfAKernelCanDoNothing() {
        KernelContext context = new KernelContext();

        assertThatThrownBy(context::localBarrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to no work-item");
        assertThatThrownBy(context::globalBarrier).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> context.atomicAdd(new int[2], 1, 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("5.2.0");
    }
}
