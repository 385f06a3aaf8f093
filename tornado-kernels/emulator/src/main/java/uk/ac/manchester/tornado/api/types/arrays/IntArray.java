package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** 32-bit numbers, in native memory. */
public final class IntArray extends TornadoNativeArray {
    private static final int BYTES = 4;

    /** An array of {@code size} zeros. */
    public IntArray(int size) {
        super(size, BYTES);
    }

    private IntArray(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static IntArray fromElements(int... values) {
        IntArray array = new IntArray(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of the values. */
    public static IntArray fromArray(int[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static IntArray fromSegment(MemorySegment values) {
        IntArray array = new IntArray(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static IntArray fromSegmentShallow(MemorySegment segment) {
        return new IntArray(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new IntArray(elements, 0);
    }

    /** The value at an index. */
    public int get(int index) {
        reading(index);
        return payload.getAtIndex(ValueLayout.JAVA_INT, index);
    }

    /** Stores a value at an index. */
    public void set(int index, int value) {
        writing(index);
        payload.setAtIndex(ValueLayout.JAVA_INT, index, value);
    }

    /** Sets every value. */
    public void init(int value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** A copy of the values. */
    public int[] toHeapArray() {
        return payload.toArray(ValueLayout.JAVA_INT);
    }
}
