package uk.ac.manchester.tornado.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.EVERY_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.FIRST_EXECUTION;

import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device memory handed from graph to graph. */
class ConsumeTest {
    private final IntArray values = IntArray.fromElements(1, 2, 3);
    private final TaskGraph first = new TaskGraph("first")
            .transferToDevice(FIRST_EXECUTION, values)
            .task("increment", Kernels::increment, values)
            .persistOnDevice(values);
    private final TaskGraph second = new TaskGraph("second")
            .consumeFromDevice("first", values)
            .task("increment", Kernels::increment, values)
            .persistOnDevice(values);
    private final TaskGraph third = new TaskGraph("third")
            .consumeFromDevice("second", values)
            .task("increment", Kernels::increment, values)
            .transferToHost(EVERY_EXECUTION, values);

    @Test
    void memoryGoesFromGraphToGraph() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan = plan(first, second, third)) {
            plan.execute();
            assertThat(values.toHeapArray()).containsExactly(4, 5, 6);
            values.clear();
            plan.execute();
            assertThat(values.toHeapArray()).containsExactly(7, 8, 9);
            assertThat(plan.getCurrentDeviceMemoryUsage()).isEqualTo(16 + 12);
        }
    }

    @Test
    void theProducerMustBeTheLastGraphExecuted() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan = plan(first, second, third)) {
            assertThatThrownBy(() -> plan.withGraph(1).execute())
                    .isInstanceOf(TornadoRuntimeException.class)
                    .hasMessageContaining("graph second consumes IntArray[3] that graph first")
                    .hasMessageEndingWith("that was none");
            plan.withGraph(0).execute();
            assertThatThrownBy(() -> plan.withGraph(2).execute()).hasMessageEndingWith("that was first");
            plan.withGraph(1).execute();
            plan.withGraph(2).execute();
            assertThat(values.toHeapArray()).containsExactly(4, 5, 6);
        }
    }

    @Test
    void theProducerMustPersist() throws TornadoExecutionPlanException {
        TaskGraph forgetful = new TaskGraph("first")
                .transferToDevice(FIRST_EXECUTION, values)
                .task("increment", Kernels::increment, values);
        try (TornadoExecutionPlan plan = plan(forgetful, second)) {
            assertThatThrownBy(plan::execute).hasMessageContaining("must persist");
        }
    }

    @Test
    void recordedGraphsKeepTheMemoryTheyConsumed() throws TornadoExecutionPlanException {
        try (TornadoExecutionPlan plan = plan(first, second, third)) {
            plan.withAllGraphs().withCUDAGraph();
            plan.execute();
            plan.execute();
            assertThat(values.toHeapArray()).containsExactly(7, 8, 9);
        }
    }

    private static TornadoExecutionPlan plan(TaskGraph... graphs) {
        ImmutableTaskGraph[] finished = new ImmutableTaskGraph[graphs.length];
        for (int i = 0; i < graphs.length; i++) {
            finished[i] = graphs[i].snapshot();
        }
        return new TornadoExecutionPlan(finished);
    }
}
