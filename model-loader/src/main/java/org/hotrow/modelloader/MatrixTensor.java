package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A weight matrix [rows, cols] as it lies in its file: BF16, F16 or F32, or quantised to block FP8.
 *
 * <pre>
 *   w[r, c] = e4m3(values[r, c]) * scales[r / 128, c / 128]
 * </pre>
 *
 * @param values [rows, cols], row-major
 * @param scales F32 [ceil(rows / 128), ceil(cols / 128)], row-major; null if the matrix is not quantised
 */
public record MatrixTensor(TensorView values, @Nullable TensorView scales, int rows, int cols) {
    private static final ValueLayout.OfFloat F32 = JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final float MAX_SCALE = 65_536;

    /** Whether the values are block FP8. */
    public boolean quantised() {
        return scales != null;
    }

    /** Rows of scales. */
    public int scaleRows() {
        return Math.ceilDiv(rows, Fp8.BLOCK);
    }

    /** Columns of scales. */
    public int scaleCols() {
        return Math.ceilDiv(cols, Fp8.BLOCK);
    }

    /** Bytes in the checkpoint, scales included. */
    public long bytes() {
        long elements = (long) rows * cols;
        long scaleBytes = scales == null ? 0 : (long) scaleRows() * scaleCols() * Float.BYTES;
        return elements * values.dtype().bits() / Byte.SIZE + scaleBytes;
    }

    /**
     * Reads the scales, row-major.
     *
     * @throws ModelFormatException naming the tensor and the element, if a scale is not finite, not positive or above
     *     65,536; or if the file was cut short
     * @throws IllegalStateException if the matrix is not quantised
     */
    public float[] readScales() {
        if (scales == null) {
            throw new IllegalStateException(values.name() + " is not quantised");
        }
        MemorySegment data = scales.copy();
        float[] read = new float[scaleRows() * scaleCols()];
        for (int i = 0; i < read.length; i++) {
            read[i] = data.get(F32, (long) i * Float.BYTES);
            if (!(read[i] > 0 && read[i] <= MAX_SCALE)) {
                String at = "[" + i / scaleCols() + ", " + i % scaleCols() + "]";
                throw new ModelFormatException(
                        scales.file(),
                        scales.name(),
                        "is " + read[i] + " at " + at + ", expected above 0, up to 65536");
            }
        }
        return read;
    }
}
