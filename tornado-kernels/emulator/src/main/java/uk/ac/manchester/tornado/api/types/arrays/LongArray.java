package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** 64-bit numbers, the widest single load of a kernel, in native memory. */
public final class LongArray extends TornadoNativeArray {
    private static final int BYTES = 8;

    /** An array of {@code size} zeros. */
    public LongArray(int size) {
        super(size, BYTES);
    }

    private LongArray(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static LongArray fromElements(long... values) {
        LongArray array = new LongArray(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of the values. */
    public static LongArray fromArray(long[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static LongArray fromSegment(MemorySegment values) {
        LongArray array = new LongArray(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static LongArray fromSegmentShallow(MemorySegment segment) {
        return new LongArray(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new LongArray(elements, 0);
    }

    /** The value at an index. */
    public long get(int index) {
        reading(index);
        return payload.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    /** Stores a value at an index. */
    public void set(int index, long value) {
        writing(index);
        payload.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }

    /** Sets every value. */
    public void init(long value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** A copy of the values. */
    public long[] toHeapArray() {
        return payload.toArray(ValueLayout.JAVA_LONG);
    }
}
