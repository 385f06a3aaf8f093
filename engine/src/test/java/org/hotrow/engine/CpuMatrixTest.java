package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import org.hotrow.kernels.E4m3;
import org.hotrow.modelloader.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuMatrixTest {
    /** Every element against the definition, on whole and partial blocks; the last rows of 576 are half a block. */
    @ParameterizedTest
    @CsvSource({"1,1", "64,127", "128,128", "129,130", "576,257", "300,1"})
    void fp8TakesTheScaleOfItsBlock(int rows, int cols) {
        Random random = new Random(rows);
        byte[] codes = new byte[rows * cols];
        random.nextBytes(codes);
        int blocks = (cols + 127) / 128;
        float[] scales = new float[(rows + 127) / 128 * blocks];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = random.nextFloat() + 0.01f;
        }
        CpuMatrix matrix = new CpuMatrix(MemorySegment.ofArray(codes), DType.F8_E4M3, rows, cols, scales);
        float[] row = new float[cols + 2];
        for (int r = 0; r < rows; r++) {
            matrix.row(r, row, 2);
            for (int c = 0; c < cols; c++) {
                float expected = E4m3.decode(codes[r * cols + c]) * scales[r / 128 * blocks + c / 128];
                assertThat(row[2 + c]).isEqualTo((Float) expected);
            }
        }
    }

    @Test
    void sixteenAndThirtyTwoBitTypesAreExact() {
        float[] values = {0f, -0f, 1.5f, -2.25f, 65504f, 0x1p-14f, Float.POSITIVE_INFINITY, 3f, -448f};
        byte[] bytes = new byte[values.length * 4];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        var shorts = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        var floats = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        for (DType dtype : new DType[] {DType.BF16, DType.F16, DType.F32}) {
            float[] rounded = values.clone();
            for (int i = 0; i < values.length; i++) {
                switch (dtype) {
                    case BF16 -> {
                        short code = (short) (Float.floatToRawIntBits(values[i]) >>> 16);
                        segment.set(shorts, 2L * i, code);
                        rounded[i] = Float.intBitsToFloat(code << 16);
                    }
                    case F16 -> segment.set(shorts, 2L * i, Float.floatToFloat16(values[i]));
                    default -> segment.set(floats, 4L * i, values[i]);
                }
            }
            CpuMatrix matrix = new CpuMatrix(segment, dtype, 3, 3);
            float[] out = new float[9];
            for (int r = 0; r < 3; r++) {
                matrix.row(r, out, 3 * r);
            }
            assertThat(out).as(dtype.name()).isEqualTo(rounded);
        }
    }
}
