package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hotrow.kernels.E4m3;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.Fp8;

/**
 * A weight matrix in memory, in the element type of its file; rows are decoded to f32 where they are used.
 *
 * <pre>
 * f8_e4m3:  w[r,c] = e4m3(q[r,c]) * scales[r / 128][c / 128]      last blocks may be partial
 * </pre>
 */
final class CpuMatrix {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment data;
    private final DType dtype;
    private final int rows;
    private final int cols;
    private final float[] scales;

    /** @param scales row-major, one per block; none if {@code dtype} is not FP8 */
    CpuMatrix(MemorySegment data, DType dtype, int rows, int cols, float... scales) {
        this.data = data;
        this.dtype = dtype;
        this.rows = rows;
        this.cols = cols;
        this.scales = scales;
    }

    int rows() {
        return rows;
    }

    int cols() {
        return cols;
    }

    /** Decodes row {@code r} to {@code out[to ..]}. */
    void row(int r, float[] out, int to) {
        long at = (long) r * cols * dtype.bits() / Byte.SIZE;
        switch (dtype) {
            case F8_E4M3 -> fp8Row(r, at, out, to);
            case BF16 -> {
                for (int c = 0; c < cols; c++) {
                    out[to + c] = Float.intBitsToFloat(data.get(SHORT, at + 2L * c) << 16);
                }
            }
            case F16 -> {
                for (int c = 0; c < cols; c++) {
                    out[to + c] = Float.float16ToFloat(data.get(SHORT, at + 2L * c));
                }
            }
            case F32 -> MemorySegment.copy(data, FLOAT, at, out, to, cols);
            default -> throw new IllegalStateException("no weights of type " + dtype);
        }
    }

    private void fp8Row(int r, long at, float[] out, int to) {
        int blocks = (cols + Fp8.BLOCK - 1) / Fp8.BLOCK;
        for (int block = 0; block < blocks; block++) {
            float scale = scales[r / Fp8.BLOCK * blocks + block];
            int end = Math.min(cols, (block + 1) * Fp8.BLOCK);
            for (int c = block * Fp8.BLOCK; c < end; c++) {
                out[to + c] = E4m3.decode(data.get(ValueLayout.JAVA_BYTE, at + c)) * scale;
            }
        }
    }
}
