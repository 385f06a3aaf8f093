package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** 16-bit numbers, in native memory. */
public final class ShortArray extends TornadoNativeArray {
    private static final int BYTES = 2;

    /** An array of {@code size} zeros. */
    public ShortArray(int size) {
        super(size, BYTES);
    }

    private ShortArray(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static ShortArray fromElements(short... values) {
        ShortArray array = new ShortArray(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of the values. */
    public static ShortArray fromArray(short[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static ShortArray fromSegment(MemorySegment values) {
        ShortArray array = new ShortArray(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static ShortArray fromSegmentShallow(MemorySegment segment) {
        return new ShortArray(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new ShortArray(elements, 0);
    }

    /** The value at an index. */
    public short get(int index) {
        reading(index);
        return payload.getAtIndex(ValueLayout.JAVA_SHORT, index);
    }

    /** Stores a value at an index. */
    public void set(int index, short value) {
        writing(index);
        payload.setAtIndex(ValueLayout.JAVA_SHORT, index, value);
    }

    /** Sets every value. */
    public void init(short value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** A copy of the values. */
    public short[] toHeapArray() {
        return payload.toArray(ValueLayout.JAVA_SHORT);
    }
}
