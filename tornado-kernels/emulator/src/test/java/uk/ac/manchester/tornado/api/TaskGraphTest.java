package uk.ac.manchester.tornado.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.EVERY_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.FIRST_EXECUTION;
import static uk.ac.manchester.tornado.api.enums.DataTransferMode.UNDER_DEMAND;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.BFloat16Array;
import uk.ac.manchester.tornado.api.types.arrays.FP8Array;
import uk.ac.manchester.tornado.api.types.arrays.Int8Array;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What a graph takes, and what TornadoVM would refuse or silently do wrong. */
class TaskGraphTest {
    private final IntArray values = new IntArray(3);
    private final TaskGraph graph = new TaskGraph("g");

    @Test
    void takes256Tasks() {
        for (int i = 0; i < 256; i++) {
            graph.task("t" + i, Kernels::increment, values);
        }
        assertRefused("task g.last is one more than the 256", () -> graph.task("last", Kernels::increment, values));
        assertThat(graph.snapshot().tasks).hasSize(256);
    }

    @Test
    void takes8192BytesOfCode() {
        // A task of 12 arguments takes 75 bytes: 109 of them 8,175, and 17 are left.
        for (int i = 0; i < 109; i++) {
            addTwelve("t" + i);
        }
        assertRefused(
                "task g.last brings the graph to 8195 bytes", () -> graph.task("last", Kernels::increment, values));
        TaskGraph other = new TaskGraph("g");
        for (int i = 0; i < 256; i++) {
            other.task("t" + i, Kernels::add, values, 1, values);
        }
        assertThat(other.snapshot().tasks).hasSize(256);
    }

    private void addTwelve(String id) {
        graph.task(
                id,
                (IntArray a,
                        Integer b,
                        Integer c,
                        Integer d,
                        Integer e,
                        Integer f,
                        Integer g,
                        Integer h,
                        Integer i,
                        Integer j,
                        Integer k,
                        Integer l) -> {},
                values,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                10,
                11);
    }

    @Test
    void refusesTwoTasksOfOneName() {
        graph.task("t", Kernels::increment, values);
        assertRefused("two tasks g.t", () -> graph.task("t", Kernels::increment, values));
    }

    @Test
    void refusesArgumentsThatKernelsCannotTake() {
        assertRefused("task g.t: argument 1 is a java.lang.String", () -> graph.task("t", (String s) -> {}, "text"));
        assertRefused("task g.t: argument 2 is a [I", () -> graph.task("t", (a, b) -> {}, values, new int[1]));
        graph.task("numbers", (a, b, c, d, e, f) -> {}, (byte) 1, (short) 2, 3, 4L, 5f, 6.0);
        graph.task("none", () -> {});
    }

    @Test
    void refusesArraysNamedTwice() {
        graph.transferToDevice(FIRST_EXECUTION, values).task("t", Kernels::increment, values);
        assertRefused("transferToDevice names an array", () -> graph.transferToDevice(EVERY_EXECUTION, values));
        assertRefused("consumeFromDevice names an array", () -> graph.consumeFromDevice("other", values));
        graph.transferToHost(EVERY_EXECUTION, values).persistOnDevice(values);
        assertRefused("transferToHost names an array", () -> graph.transferToHost(UNDER_DEMAND, values));
        assertRefused("persistOnDevice names an array", () -> graph.persistOnDevice(values));
        TaskGraph consumer = new TaskGraph("c").consumeFromDevice("g", values);
        assertRefused("transferToDevice names an array", () -> consumer.transferToDevice(FIRST_EXECUTION, values));
    }

    @Test
    void refusesWhatIsNoArrayAndModesThatDontExist() {
        assertRefused("graph g: transferToDevice takes", () -> graph.transferToDevice(FIRST_EXECUTION, "text"));
        assertRefused("no transfer mode 3", () -> graph.transferToDevice(3, values));
        assertRefused("EVERY_EXECUTION or UNDER_DEMAND", () -> graph.transferToHost(FIRST_EXECUTION, values));
    }

    @Test
    void refusesTransfersOfArraysThatNeverCameToTheDevice() {
        graph.task("t", Kernels::increment, values);
        IntArray other = new IntArray(1);
        assertRefused(
                "transferToHost of IntArray[1]",
                () -> graph.transferToHost(EVERY_EXECUTION, other).snapshot());
        TaskGraph persisting = new TaskGraph("p").persistOnDevice(other);
        assertRefused("persistOnDevice of IntArray[1]", persisting::snapshot);
    }

    @Test
    void someArraysMustBeNamed() {
        for (Object array : new Object[] {new FP8Array(1), new Int8Array(1), new BFloat16Array(1)}) {
            TaskGraph unnamed = new TaskGraph("g").task("t", (Object a) -> {}, array);
            assertRefused("must be named in a transfer, consume or persist call", unnamed::snapshot);
            assertThat(unnamed.transferToDevice(UNDER_DEMAND, array).snapshot().allocated)
                    .containsExactlyInAnyOrder((TornadoNativeArray) array);
        }
    }

    @Test
    void snapshotsDontChange() {
        ImmutableTaskGraph before = graph.task("t", Kernels::increment, values).snapshot();
        graph.task("u", Kernels::increment, values).transferToHost(EVERY_EXECUTION, values);
        assertThat(before.tasks).hasSize(1);
        assertThat(before.downloads).isEmpty();
        assertThat(graph.getTaskGraphName()).isEqualTo("g");
    }

    private static void assertRefused(String problem, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(TornadoRuntimeException.class).hasMessageContaining(problem);
    }
}
