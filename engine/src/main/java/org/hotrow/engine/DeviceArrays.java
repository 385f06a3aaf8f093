package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.function.Consumer;
import org.hotrow.allocator.HostMemory;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Arrays whose memory lies on a device, the same for all task graphs of a plan. No graph copies them; {@link #upload} and
 * {@link #download} do, between executions.
 *
 * <p>Arrays of megabytes and more are tokens: of one element on the host, however many kernels find on the device.
 */
interface DeviceArrays extends AutoCloseable {
    /** Bytes that lie somewhere else, such as in a file. */
    interface Source {
        /** Copies the bytes from {@code from} on. */
        void copyTo(long from, MemorySegment target);
    }

    /** Gives an array, or each array of a record, device memory that begins with what it holds. */
    <T> T adopt(T arrays);

    /** A token of {@code count} longs; they are whatever they were. */
    LongArray longs(long count);

    /** The memory of a token, seen as floats. */
    FloatArray floatsOf(LongArray token);

    /** Memory of the host that kernels can be made to read. */
    HostMemory hostMemory();

    /** A token for a chunk of {@link #hostMemory}, which kernels read and write in place. */
    LongArray longsIn(MemorySegment chunk);

    /** Copies so many bytes to a token, from its long {@code at} on. */
    void upload(Source from, long bytes, LongArray to, long at);

    /** Copies to a token, from its long {@code at} on. */
    default void upload(MemorySegment from, LongArray to, long at) {
        upload((done, piece) -> MemorySegment.copy(from, done, piece, 0, piece.byteSize()), from.byteSize(), to, at);
    }

    /** Copies from a token, from its long {@code at} on. */
    void download(LongArray from, long at, MemorySegment to);

    /** Copies to the first elements of an array. */
    void upload(MemorySegment from, TornadoNativeArray to);

    /** Sends what was uploaded to arrays of the step, which may wait for it. */
    default void send() {}

    /** Adds to the last graph of a plan what its execution waits for. */
    default void end(TaskGraph graph, GridScheduler grids) {}

    /** Whether graphs can be recorded, so that an execution is one launch each. */
    boolean records();

    /** Lets a graph use arrays, before its first execution. */
    default void use(ImmutableTaskGraph graph, Collection<TornadoNativeArray> arrays) {}

    /** Copies the first elements of an array. */
    void download(TornadoNativeArray from, MemorySegment to);

    /** Lets {@link #readBack} have what a graph's tasks leave in these arrays. */
    default void bringBack(TaskGraph graph, Collection<TornadoNativeArray> arrays) {}

    /** Copies the first elements of an array that the last execution brought back. */
    default void readBack(TornadoNativeArray from, MemorySegment to) {
        download(from, to);
    }

    /** Zeros. */
    default FloatArray floats(int count) {
        return adopt(new FloatArray(Math.max(1, count)));
    }

    /** Zeros. */
    default IntArray ints(int count) {
        return adopt(new IntArray(Math.max(1, count)));
    }

    /** Zeros, uploaded anew for each step. */
    default IntArray stepInts(int count) {
        return ints(count);
    }

    /** Zeros, uploaded anew for each step. */
    default FloatArray stepFloats(int count) {
        return floats(count);
    }

    /** These ints. */
    default IntArray intsOf(int... values) {
        return adopt(IntArray.fromArray(values));
    }

    /** Ends a plan whose graphs use these arrays. */
    default void close(TornadoExecutionPlan plan) {
        closePlan(plan);
    }

    /** Ends a plan that owns what its graphs have. */
    static void closePlan(TornadoExecutionPlan plan) {
        try {
            plan.close();
        } catch (TornadoExecutionPlanException e) {
            throw new IllegalStateException("a plan can't be closed", e);
        }
    }

    @Override
    void close();

    /** Takes every array among values and the components of records. */
    static void each(Iterable<?> values, Consumer<TornadoNativeArray> taker) {
        for (Object value : values) {
            if (value instanceof TornadoNativeArray array) {
                taker.accept(array);
            } else {
                components((Record) value, taker);
            }
        }
    }

    private static void components(Record arrays, Consumer<TornadoNativeArray> taker) {
        for (RecordComponent component : arrays.getClass().getRecordComponents()) {
            try {
                if (component.getAccessor().invoke(arrays) instanceof TornadoNativeArray array) {
                    taker.accept(array);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(component + " can't be read", e);
            }
        }
    }
}
