package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.FP8;

/** 8-bit floats, as codes or decoded as E4M3 or E5M2, in native memory. */
public final class FP8Array extends TornadoNativeArray {
    private static final int BYTES = 1;

    /** An array of {@code size} zeros. */
    public FP8Array(int size) {
        super(size, BYTES);
    }

    private FP8Array(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static FP8Array fromSegmentShallow(MemorySegment segment) {
        return new FP8Array(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new FP8Array(elements, 0);
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

    /** The value of a code read as E4M3. */
    public float getE4M3(int index) {
        return FP8.e4m3ToFloat(get(index));
    }

    /** Stores the E4M3 code nearest to {@code value}. */
    public void setE4M3(int index, float value) {
        set(index, FP8.e4m3FromFloat(value));
    }

    /** An array of the E4M3 codes nearest to the values. */
    public static FP8Array fromFloatsE4M3(float... values) {
        FP8Array array = new FP8Array(values.length);
        for (int i = 0; i < values.length; i++) {
            array.setE4M3(i, values[i]);
        }
        return array;
    }

    /** The value of a code read as E5M2. */
    public float getE5M2(int index) {
        return FP8.e5m2ToFloat(get(index));
    }

    /** Stores the E5M2 code nearest to {@code value}. */
    public void setE5M2(int index, float value) {
        set(index, FP8.e5m2FromFloat(value));
    }

    /** An array of the E5M2 codes nearest to the values. */
    public static FP8Array fromFloatsE5M2(float... values) {
        FP8Array array = new FP8Array(values.length);
        for (int i = 0; i < values.length; i++) {
            array.setE5M2(i, values[i]);
        }
        return array;
    }
}
