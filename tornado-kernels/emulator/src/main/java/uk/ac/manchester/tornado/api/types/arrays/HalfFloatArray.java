package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.vectors.Half2;

/** 16-bit floats, in native memory. */
public final class HalfFloatArray extends TornadoNativeArray {
    private static final int BYTES = 2;

    /** An array of {@code size} zeros. */
    public HalfFloatArray(int size) {
        super(size, BYTES);
    }

    private HalfFloatArray(MemorySegment segment, long header) {
        super(segment, header, BYTES);
    }

    /** A copy of the values. */
    public static HalfFloatArray fromElements(HalfFloat... values) {
        HalfFloatArray array = new HalfFloatArray(values.length);
        for (int i = 0; i < values.length; i++) {
            array.set(i, values[i]);
        }
        return array;
    }

    /** A copy of the values. */
    public static HalfFloatArray fromArray(HalfFloat[] values) {
        return fromElements(values);
    }

    /** A copy of a segment that holds values only, no header. */
    public static HalfFloatArray fromSegment(MemorySegment values) {
        HalfFloatArray array = new HalfFloatArray(elements(values.byteSize(), BYTES));
        array.payload.copyFrom(values);
        return array;
    }

    /** An array over a segment that begins with a header of {@link #ARRAY_HEADER} bytes; nothing is copied. */
    public static HalfFloatArray fromSegmentShallow(MemorySegment segment) {
        return new HalfFloatArray(segment, ARRAY_HEADER);
    }

    @Override
    TornadoNativeArray over(MemorySegment elements) {
        return new HalfFloatArray(elements, 0);
    }

    /** The value at an index. */
    public HalfFloat get(int index) {
        reading(index);
        return new HalfFloat(payload.getAtIndex(ValueLayout.JAVA_SHORT, index));
    }

    /** Stores a value at an index. */
    public void set(int index, HalfFloat value) {
        writing(index);
        payload.setAtIndex(ValueLayout.JAVA_SHORT, index, value.getHalfFloatValue());
    }

    /**
     * The values at {@code index} and {@code index + 1}, one load of 32 bits.
     *
     * @throws IllegalArgumentException for an odd index, where hardware faults
     */
    public Half2 getHalf2(int index) {
        requireEven(index);
        return new Half2(get(index), get(index + 1));
    }

    /**
     * Stores values at {@code index} and {@code index + 1}, one store of 32 bits.
     *
     * @throws IllegalArgumentException for an odd index, where hardware faults
     */
    public void setHalf2(int index, Half2 value) {
        requireEven(index);
        set(index, value.getX());
        set(index + 1, value.getY());
    }

    /** Sets every value. */
    public void init(HalfFloat value) {
        for (int i = 0; i < getSize(); i++) {
            set(i, value);
        }
    }

    /** The bits of the values. */
    public short[] toShortArray() {
        return payload.toArray(ValueLayout.JAVA_SHORT);
    }
}
