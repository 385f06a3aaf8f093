package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Signed 8-bit numbers, operands of integer matrix instructions, in native memory. */
public final class Int8Array extends TornadoNativeArray {
    private static final int BYTES = 1;

    /** An array of {@code size} zeros. */
    public Int8Array(int size) {
        super(size, BYTES);
    }

    private Int8Array(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static Int8Array fromElements(byte... values) {
        Int8Array array = new Int8Array(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of the values. */
    public static Int8Array fromArray(byte[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static Int8Array fromSegment(MemorySegment values) {
        Int8Array array = new Int8Array(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static Int8Array fromSegmentShallow(MemorySegment segment) {
        return new Int8Array(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new Int8Array(elements, 0);
    }

    /** The value at an index. */
    public byte get(int index) {
        reading(index);
        return payload.get(ValueLayout.JAVA_BYTE, index);
    }

    /** Stores a value at an index. */
    public void set(int index, byte value) {
        writing(index);
        payload.set(ValueLayout.JAVA_BYTE, index, value);
    }

    /** Sets every value. */
    public void init(byte value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** A copy of the values. */
    public byte[] toHeapArray() {
        return payload.toArray(ValueLayout.JAVA_BYTE);
    }
}
