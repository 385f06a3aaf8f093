package uk.ac.manchester.tornado.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.EVERY_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.FIRST_EXECUTION;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class ExecutionPlanTest {
    private final IntArray in = IntArray.fromElements(1, 2, 3);
    private final IntArray out = new IntArray(3);
    private final TaskGraph graph = new TaskGraph("g")
            .transferToDevice(EVERY_EXECUTION, in)
            .task("add", Kernels::add, in, 10, out)
            .transferToHost(EVERY_EXECUTION, out);

    @Test
    void replaysCopyTheArraysOfEveryExecution() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot()).withCUDAGraph()) {
            plan.execute();
            assertThat(out.toHeapArray()).containsExactly(11, 12, 13);
            in.init(5);
            plan.execute();
            assertThat(out.toHeapArray()).containsExactly(15, 15, 15);
        }
    }

    @Test
    void recordingStartsBeforeAnythingRan() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.execute();
            assertRefused("withCUDAGraph comes before", plan::withCUDAGraph);
        }
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot()).withPreCompilation()) {
            assertRefused("withCUDAGraph comes before", plan::withCUDAGraph);
        }
    }

    @Test
    void recordedMemoryIsNotFreedAndOtherThreadsDontReplay()
            throws TornadoExecutionPlanException, InterruptedException {
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot()).withCUDAGraph()) {
            plan.freeDeviceMemory().execute();
            assertRefused("recorded graphs keep their device memory", plan::freeDeviceMemory);
            try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                other.submit(() -> assertRefused("graph g was recorded by thread", plan::execute))
                        .get();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
    }

    @Test
    void graphsAreSelected() throws TornadoExecutionPlanException {
        TaskGraph other = new TaskGraph("other")
                .transferToDevice(FIRST_EXECUTION, in)
                .task("add", Kernels::add, in, 100, out)
                .transferToHost(EVERY_EXECUTION, out);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(other.snapshot(), graph.snapshot())) {
            plan.execute();
            assertThat(out.toHeapArray()).containsExactly(11, 12, 13);
            plan.withGraph(0).execute();
            assertThat(out.toHeapArray()).containsExactly(101, 102, 103);
            plan.withAllGraphs().execute();
            assertThat(out.toHeapArray()).containsExactly(11, 12, 13);
            assertRefused("no graph 2; the plan has 2", () -> plan.withGraph(2));
            assertRefused("no graph -1", () -> plan.withGraph(-1));
        }
        assertRefused("two graphs g", () -> new TornadoExecutionPlan(graph.snapshot(), graph.snapshot()));
    }

    @Test
    void plansHaveNumbers() {
        TornadoExecutionPlan a = new TornadoExecutionPlan(graph.snapshot());
        TornadoExecutionPlan b = new TornadoExecutionPlan(graph.snapshot());
        assertThat(a.getId()).isNotEqualTo(b.getId());
        assertThat(a.withStagedTransfers()).isSameAs(a);
    }

    @Test
    void gridsAreCheckedBeforeTasksRun() throws TornadoExecutionPlanException {
        WorkerGrid grid = new WorkerGrid1D(64);
        TaskGraph wide = new TaskGraph("w").task("t", (KernelContext c, IntArray a) -> {}, new KernelContext(), in);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(wide.snapshot())) {
            assertRefused("task w.t has no worker grid", plan::execute);
            plan.withGridScheduler(new GridScheduler("w.other", grid));
            assertRefused("task w.t has no worker grid", plan::withPreCompilation);
            plan.withGridScheduler(new GridScheduler("w.t", grid));
            assertRefused("task w.t has no local work", plan::withPreCompilation);
            grid.setLocalWork(32, 1, 1);
            assertThat(plan.withPreCompilation()).isSameAs(plan);
        }
    }

    @Test
    void callsThatAreNotEmulatedAreRefusedByName() {
        TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot());
        assertRefused("withBatch is not emulated", () -> plan.withBatch("1MB"));
        assertRefused("withMemoryLimit is not emulated", () -> plan.withMemoryLimit("1GB"));
        assertRefused("withPrintKernel is not emulated", plan::withPrintKernel);
        assertRefused("withIntraPlanConcurrency is not emulated", plan::withIntraPlanConcurrency);
        assertRefused("withWarmUpIterations is not emulated", () -> plan.withWarmUpIterations(1));
        assertRefused("resetDevice is not emulated", plan::resetDevice);
        assertRefused("mapOnDeviceMemoryRegion is not emulated", () -> plan.mapOnDeviceMemoryRegion(in, out, 0, 0, 0));
    }

    private static void assertRefused(String problem, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(TornadoRuntimeException.class).hasMessageContaining(problem);
    }
}
