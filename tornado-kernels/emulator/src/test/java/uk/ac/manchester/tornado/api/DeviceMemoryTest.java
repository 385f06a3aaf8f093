package uk.ac.manchester.tornado.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.EVERY_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.FIRST_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.UNDER_DEMAND;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hotrow.emulator.ArrayMemory;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Host and device have their own copies; only transfers connect them. */
class DeviceMemoryTest {
    private final IntArray in = IntArray.fromElements(1, 2, 3);
    private final IntArray out = new IntArray(3);

    @Test
    void firstExecutionCopiesOnce() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(FIRST_EXECUTION, in)
                .task("add", Kernels::add, in, 10, out)
                .transferToHost(EVERY_EXECUTION, out);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.execute();
            assertThat(out.toHeapArray()).containsExactly(11, 12, 13);
            in.init(7);
            plan.execute();
            assertThat(out.toHeapArray()).containsExactly(11, 12, 13);
            plan.freeDeviceMemory().execute();
            assertThat(out.toHeapArray()).containsExactly(17, 17, 17);
        }
    }

    @Test
    void everyExecutionCopiesAnewAndTheHostSeesNoWriteBeforeItsTransfer() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(EVERY_EXECUTION, in)
                .task("increment", Kernels::increment, in)
                .task("add", Kernels::add, in, 10, out)
                .transferToHost(UNDER_DEMAND, out);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            TornadoExecutionResult result = plan.execute();
            assertThat(in.toHeapArray()).containsExactly(1, 2, 3);
            assertThat(out.toHeapArray()).containsExactly(0, 0, 0);
            result.transferToHost(out);
            assertThat(out.toHeapArray()).containsExactly(12, 13, 14);
            in.init(0);
            plan.execute().transferToHost(out);
            assertThat(out.toHeapArray()).containsExactly(11, 11, 11);
        }
    }

    @Test
    void deviceMemoryKeepsWhatTasksWroteAcrossExecutions() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(FIRST_EXECUTION, in)
                .task("increment", Kernels::increment, in)
                .transferToHost(EVERY_EXECUTION, in);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.execute();
            in.clear();
            plan.execute();
            assertThat(in.toHeapArray()).containsExactly(3, 4, 5);
        }
    }

    @Test
    void whatWasNeverTransferredIsPoison() throws TornadoExecutionPlanException {
        IntArray unnamed = IntArray.fromElements(5, 5);
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(UNDER_DEMAND, in)
                .task("a", Kernels::store, in, 1, 8)
                .task("b", Kernels::store, unnamed, 0, 9)
                .transferToHost(EVERY_EXECUTION, in, unnamed);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.execute();
            assertThat(in.toHeapArray()).containsExactly(-1, 8, -1);
            assertThat(unnamed.toHeapArray()).containsExactly(9, -1);
        }
    }

    @Test
    void graphsDontShareTheMemoryOfAnArray() throws TornadoExecutionPlanException {
        TaskGraph writer =
                new TaskGraph("writer").transferToDevice(FIRST_EXECUTION, in).task("increment", Kernels::increment, in);
        TaskGraph reader = new TaskGraph("reader")
                .transferToDevice(FIRST_EXECUTION, in)
                .task("add", Kernels::add, in, 0, out)
                .transferToHost(EVERY_EXECUTION, out);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(writer.snapshot(), reader.snapshot())) {
            plan.execute();
            assertThat(out.toHeapArray()).containsExactly(1, 2, 3);
            assertThat(plan.getCurrentDeviceMemoryUsage()).isEqualTo(3 * (16 + 12));
        }
    }

    @Test
    void partsAreCopiedToTheHost() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(FIRST_EXECUTION, in)
                .task("add", Kernels::add, in, 10, out)
                .transferToHost(UNDER_DEMAND, out);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            TornadoExecutionResult result = plan.execute();
            result.transferToHost(new DataRange(out).withOffset(1).withSize(1));
            assertThat(out.toHeapArray()).containsExactly(0, 12, 0);
            result.transferToHost(new DataRange(out).withOffset(2).withSize(1));
            assertThat(out.toHeapArray()).containsExactly(0, 12, 13);
            assertThatThrownBy(() -> result.transferToHost(out))
                    .isInstanceOf(TornadoMemoryException.class)
                    .hasMessageContaining("DataRange");
            for (DataRange bad : new DataRange[] {
                new DataRange(out).withOffset(1),
                new DataRange(out).withSize(1),
                new DataRange(out).withOffset(1).withSize(3),
                new DataRange(out).withOffset(Long.MAX_VALUE).withSize(1)
            }) {
                assertThatThrownBy(() -> result.transferToHost(bad))
                        .isInstanceOf(TornadoRuntimeException.class)
                        .hasMessageContaining("the array's 3 elements");
            }
        }
    }

    @Test
    void resultsKnowOnlyWhatGraphsTransfer() throws TornadoExecutionPlanException {
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(FIRST_EXECUTION, in)
                .task("add", Kernels::add, in, 10, out)
                .transferToHost(UNDER_DEMAND, out);
        TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot());
        TornadoExecutionResult result = plan.execute();
        assertThatThrownBy(() -> result.transferToHost(in))
                .isInstanceOf(TornadoRuntimeException.class)
                .hasMessageContaining("names this IntArray[3] in transferToHost");
        assertThatThrownBy(() -> result.transferToHost("out")).isInstanceOf(TornadoRuntimeException.class);
        plan.close();
        assertThatThrownBy(() -> result.transferToHost(out))
                .isInstanceOf(TornadoMemoryException.class)
                .hasMessageContaining("freed");
        assertThatThrownBy(plan::execute).hasMessageContaining("closed");
        assertThatThrownBy(plan::withPreCompilation).hasMessageContaining("closed");
    }

    @Test
    void arraysBoundToOneMemoryAreViewsOfIt() throws TornadoExecutionPlanException {
        MemorySegment memory = Arena.ofAuto().allocate(64, 16);
        LongArray longs = new LongArray(1);
        ByteArray bytes = new ByteArray(1);
        ArrayMemory.get().bind(longs, memory);
        ArrayMemory.get().bind(bytes, memory);
        ByteArray seen = new ByteArray(8);
        TaskGraph graph = new TaskGraph("g")
                .transferToDevice(UNDER_DEMAND, longs, bytes)
                .task("store", Kernels::storeLong, longs, 7, 0x0807060504030201L)
                .task("copy", Kernels::copyBytes, bytes, 56, 8, seen)
                .transferToHost(EVERY_EXECUTION, seen);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.execute();
            assertThat(seen.toHeapArray()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
            assertThat(plan.getCurrentDeviceMemoryUsage()).isEqualTo(16 + 8);
        }
        TaskGraph copying = new TaskGraph("g")
                .transferToDevice(FIRST_EXECUTION, longs)
                .task("store", Kernels::storeLong, longs, 7, 1L);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(copying.snapshot())) {
            assertThatThrownBy(plan::execute).hasMessageContaining("LongArray[1] is bound");
        }
    }
}
