package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.HalfFloat;

/** Bytes, in native memory. */
public final class ByteArray extends TornadoNativeArray {
    private static final int BYTES = 1;

    /** An array of {@code size} zeros. */
    public ByteArray(int size) {
        super(size, BYTES);
    }

    private ByteArray(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static ByteArray fromElements(byte... values) {
        ByteArray array = new ByteArray(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of the values. */
    public static ByteArray fromArray(byte[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static ByteArray fromSegment(MemorySegment values) {
        ByteArray array = new ByteArray(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static ByteArray fromSegmentShallow(MemorySegment segment) {
        return new ByteArray(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new ByteArray(elements, 0);
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

    /**
     * The half at a byte offset.
     *
     * @throws IllegalArgumentException for an odd offset
     */
    public HalfFloat getHalfFloat(int byteIndex) {
        requireEven(byteIndex);
        reading(byteIndex);
        reading(byteIndex + 1);
        return new HalfFloat(payload.get(ValueLayout.JAVA_SHORT, byteIndex));
    }

    /**
     * Stores a half at a byte offset.
     *
     * @throws IllegalArgumentException for an odd offset
     */
    public void setHalfFloat(int byteIndex, HalfFloat value) {
        requireEven(byteIndex);
        writing(byteIndex);
        writing(byteIndex + 1);
        payload.set(ValueLayout.JAVA_SHORT, byteIndex, value.getHalfFloatValue());
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
