package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A vector of parameters as it lies in its file: BF16, F16 or F32.
 *
 * @param values [length]
 */
public record VectorTensor(TensorView values, int length) {
    private static final ValueLayout.OfFloat F32 = JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort BITS16 = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Bytes in the checkpoint. */
    public long bytes() {
        return (long) length * values.dtype().bits() / Byte.SIZE;
    }

    /**
     * Reads the elements, exactly.
     *
     * @throws ModelFormatException naming the tensor and the element, if one is not finite; or if the file was cut short
     */
    public float[] read() {
        MemorySegment data = values.copy();
        float[] read = new float[length];
        for (int i = 0; i < length; i++) {
            read[i] = element(data, i);
            if (!Float.isFinite(read[i])) {
                throw new ModelFormatException(
                        values.file(), values.name(), "is " + read[i] + " at [" + i + "], expected a finite number");
            }
        }
        return read;
    }

    private float element(MemorySegment data, long i) {
        return switch (values.dtype()) {
            case F32 -> data.get(F32, i * Float.BYTES);
            case F16 -> Float.float16ToFloat(data.get(BITS16, i * Short.BYTES));
            case BF16 -> Float.intBitsToFloat(data.get(BITS16, i * Short.BYTES) << 16);
            default -> throw new IllegalStateException(values.name() + " has no floats but " + values.dtype());
        };
    }
}
