package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.BFloat16;

/** bfloat16 numbers, as codes or decoded, in native memory. */
public final class BFloat16Array extends TornadoNativeArray {
    private static final int BYTES = 2;

    /** An array of {@code size} zeros. */
    public BFloat16Array(int size) {
        super(size, BYTES);
    }

    private BFloat16Array(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static BFloat16Array fromShorts(short... values) {
        BFloat16Array array = new BFloat16Array(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of a segment that holds values only, no header. */
    public static BFloat16Array fromSegment(MemorySegment values) {
        BFloat16Array array = new BFloat16Array(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static BFloat16Array fromSegmentShallow(MemorySegment segment) {
        return new BFloat16Array(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new BFloat16Array(elements, 0);
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

    /** The value at an index. */
    public float getFloat(int index) {
        return BFloat16.bf16ToFloat(get(index));
    }

    /** Stores the bfloat16 number nearest to {@code value}. */
    public void setFloat(int index, float value) {
        set(index, BFloat16.bf16FromFloat(value));
    }

    /** An array of the bfloat16 numbers nearest to the values. */
    public static BFloat16Array fromFloats(float... values) {
        BFloat16Array array = new BFloat16Array(values.length);
        for (int i = 0; i < values.length; i++) {
            array.setFloat(i, values[i]);
        }
        return array;
    }

    /** Sets every value. */
    public void init(short value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** A copy of the values. */
    public short[] toShortArray() {
        return payload.toArray(ValueLayout.JAVA_SHORT);
    }
}
