package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Sends heap arrays to a device, by way of native memory, which a copy can read while the collector moves the heap. */
final class Uploads implements AutoCloseable {
    private final DeviceArrays arrays;
    private final Arena arena = Arena.ofShared();
    private MemorySegment staging = MemorySegment.NULL;

    Uploads(DeviceArrays arrays) {
        this.arrays = arrays;
    }

    void ints(int[] values, IntArray to) {
        MemorySegment some = room(values.length);
        MemorySegment.copy(values, 0, some, ValueLayout.JAVA_INT, 0, values.length);
        arrays.upload(some, to);
    }

    void floats(float[] values, int count, FloatArray to) {
        MemorySegment some = room(count);
        MemorySegment.copy(values, 0, some, ValueLayout.JAVA_FLOAT, 0, count);
        arrays.upload(some, to);
    }

    /** Brings back the first {@code count} floats. */
    void download(FloatArray from, float[] to, int at, int count) {
        MemorySegment some = room(count);
        arrays.download(from, some);
        MemorySegment.copy(some, ValueLayout.JAVA_FLOAT, 0, to, at, count);
    }

    /** Brings back as many ints as there is room for. */
    void download(IntArray from, int[] to) {
        MemorySegment some = room(to.length);
        arrays.download(from, some);
        MemorySegment.copy(some, ValueLayout.JAVA_INT, 0, to, 0, to.length);
    }

    /** Brings back as many longs as there is room for. */
    void download(LongArray from, long[] to) {
        MemorySegment some = room(2 * to.length);
        arrays.download(from, some);
        MemorySegment.copy(some, ValueLayout.JAVA_LONG, 0, to, 0, to.length);
    }

    private MemorySegment room(int words) {
        long bytes = (long) words * Integer.BYTES;
        if (staging.byteSize() < bytes) {
            staging = arena.allocate(Math.max(bytes, 2 * staging.byteSize()), Long.BYTES);
        }
        return staging.asSlice(0, bytes);
    }

    @Override
    public void close() {
        arena.close();
    }
}
