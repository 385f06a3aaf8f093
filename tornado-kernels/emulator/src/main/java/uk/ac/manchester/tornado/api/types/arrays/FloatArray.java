package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** 32-bit floats, in native memory. */
public final class FloatArray extends TornadoNativeArray {
    private static final int BYTES = 4;

    /** An array of {@code size} zeros. */
    public FloatArray(int size) {
        super(size, BYTES);
    }

    private FloatArray(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static FloatArray fromElements(float... values) {
        FloatArray array = new FloatArray(values.length);
        array.payload.copyFrom(MemorySegment.ofArray(values));
        return array;
    }

    /** A copy of the values. */
    public static FloatArray fromArray(float[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static FloatArray fromSegment(MemorySegment values) {
        FloatArray array = new FloatArray(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static FloatArray fromSegmentShallow(MemorySegment segment) {
        return new FloatArray(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new FloatArray(elements, 0);
    }

    /** The value at an index. */
    public float get(int index) {
        reading(index);
        return payload.getAtIndex(ValueLayout.JAVA_FLOAT, index);
    }

    /** Stores a value at an index. */
    public void set(int index, float value) {
        writing(index);
        payload.setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
    }

    /** Sets every value. */
    public void init(float value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** A copy of the values. */
    public float[] toHeapArray() {
        return payload.toArray(ValueLayout.JAVA_FLOAT);
    }
}
