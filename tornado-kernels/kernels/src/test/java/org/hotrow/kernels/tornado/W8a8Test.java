package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hotrow.kernels.E4m3;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class W8a8Test {
    private static final float UNTOUCHED = 77;

    @BeforeAll
    static void needsTensorCores() {
        Device.assumeWarps();
    }

    @ParameterizedTest
    @CsvSource({"1, 16, 128, 16", "16, 16, 256, 32", "17, 48, 384, 144", "0, 16, 128, 16"})
    void roundsRowsAndMultipliesCodes(int rows, int maxRows, int inputs, int outputs) {
        W8a8.Shape shape = new W8a8.Shape(maxRows, inputs, outputs);
        Fp8Matrix matrix = Fp8Matrix.of(outputs, inputs, 1);
        float[] x = Values.of(maxRows * inputs, 2);
        x[3] = -0f;

        LongArray rowCode = new LongArray(maxRows * inputs / 8);
        FloatArray rowScale = new FloatArray(maxRows * inputs / 128);
        FloatArray out = new FloatArray(maxRows * outputs);
        out.init(UNTOUCHED);
        run(rows, shape, x, matrix, rowCode, rowScale, out);

        byte[] codes = new byte[maxRows * inputs];
        float[] scales = new float[maxRows * inputs / 128];
        W8a8.quantiseReference(rows, inputs, x, codes, scales);
        assertThat(Fp8Matrix.bytes(rowCode)).containsExactly(codes);
        assertThat(rowScale.toHeapArray()).containsExactly(scales);
        float[] expected = new float[maxRows * outputs];
        W8a8.reference(rows, shape, codes, scales, matrix.codes(), matrix.scale(), expected);
        for (int t = 0; t < rows; t++) {
            for (int o = 0; o < outputs; o++) {
                double magnitude = 0;
                for (int i = 0; i < inputs; i++) {
                    float value = E4m3.decode(codes[t * inputs + i]) * scales[(t * inputs + i) / 128];
                    magnitude += Math.abs((double) matrix.value(o, i) * value);
                }
                int at = t * outputs + o;
                Sums.requireClose(out.get(at), expected[at], magnitude, "row " + t + " output " + o);
            }
        }
        for (int at = Math.ceilDiv(rows, 16) * 16 * outputs; at < out.getSize(); at++) {
            assertThat(out.get(at)).isEqualTo(UNTOUCHED);
        }
    }

    @Test
    void whatIsNotFiniteSpoilsItsRowAlone() {
        W8a8.Shape shape = new W8a8.Shape(16, 128, 16);
        float[] x = Values.of(16 * 128, 2);
        x[128 + 5] = Float.NaN;
        x[2 * 128 + 6] = Float.NEGATIVE_INFINITY;
        java.util.Arrays.fill(x, 3 * 128, 4 * 128, 0f);
        LongArray rowCode = new LongArray(16 * 128 / 8);
        FloatArray rowScale = new FloatArray(16);
        FloatArray out = new FloatArray(16 * 16);

        run(4, shape, x, Fp8Matrix.of(16, 128, 1), rowCode, rowScale, out);

        byte[] codes = new byte[16 * 128];
        float[] scales = new float[16];
        W8a8.quantiseReference(4, 128, x, codes, scales);
        assertThat(Fp8Matrix.bytes(rowCode)).containsExactly(codes);
        assertThat(rowScale.toHeapArray()).containsExactly(scales);
        for (int o = 0; o < 16; o++) {
            assertThat(out.get(o)).isFinite();
            assertThat(out.get(16 + o)).isNaN();
            assertThat(out.get(32 + o)).isNaN();
            assertThat(out.get(48 + o)).isZero();
        }
    }

    @Test
    void refusesShapesThatAreNotWholeTiles() {
        assertThatThrownBy(() -> new W8a8.Shape(8, 128, 16)).hasMessageContaining("8 rows");
        assertThatThrownBy(() -> new W8a8.Shape(16, 120, 16)).hasMessageContaining("120 inputs");
        assertThatThrownBy(() -> new W8a8.Shape(16, 128, 8)).hasMessageContaining("8 outputs");
    }

    private static void run(
            int rows,
            W8a8.Shape shape,
            float[] x,
            Fp8Matrix matrix,
            LongArray rowCode,
            FloatArray rowScale,
            FloatArray out) {
        IntArray counts = Values.counts(rows);
        FloatArray input = FloatArray.fromArray(x);
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        Device.run(
                (graph, grids) -> W8a8.append(
                        graph, grids, "linear", counts, input, rowCode, rowScale, weight, scale, out, shape),
                counts,
                input,
                rowCode,
                rowScale,
                weight,
                scale,
                out);
    }
}
