package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class Fp8LinearTest {
    private static final float UNTOUCHED = 77;

    @ParameterizedTest
    @CsvSource({
        "1, 1, 8, 1",
        "1, 1, 128, 9",
        "1, 1, 1032, 130",
        "1, 2, 136, 129",
        "3, 4, 2056, 33",
        "0, 4, 128, 16",
        "5, 16, 264, 65",
        "16, 16, 64, 7",
        "1, 17, 264, 31",
        "17, 24, 1160, 131",
        "8, 17, 8, 33"
    })
    void multipliesByTheScaledCodes(int rows, int maxRows, int inputs, int outputs) {
        agreesWithTheDefinition(rows, new Fp8Linear.Shape(maxRows, inputs, outputs), Variant.PORTABLE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1032, 130", "3, 4, 136, 33", "17, 24, 264, 131"})
    void multipliesByTheScaledCodesWithConversions(int rows, int maxRows, int inputs, int outputs) {
        Device.assumeWarps();
        agreesWithTheDefinition(rows, new Fp8Linear.Shape(maxRows, inputs, outputs), Variant.CUDA);
    }

    @Test
    void givesTheSameBitsInEveryTile() {
        int inputs = 2184;
        int outputs = 37;
        Fp8Matrix matrix = Fp8Matrix.of(outputs, inputs, 3);
        float[] x = Values.of(20 * inputs, 4);

        float[] alone = new float[20 * outputs];
        for (int t = 0; t < 20; t++) {
            float[] row = Arrays.copyOfRange(x, t * inputs, (t + 1) * inputs);
            float[] out = run(1, new Fp8Linear.Shape(1, inputs, outputs), row, matrix, Variant.PORTABLE);
            System.arraycopy(out, 0, alone, t * outputs, outputs);
        }

        float[] prefill = run(20, new Fp8Linear.Shape(20, inputs, outputs), x, matrix, Variant.PORTABLE);
        assertThat(prefill).containsExactly(alone);
        float[] batch = run(13, new Fp8Linear.Shape(16, inputs, outputs), x, matrix, Variant.PORTABLE);
        assertThat(Arrays.copyOf(batch, 13 * outputs)).containsExactly(Arrays.copyOf(alone, 13 * outputs));
    }

    @Test
    void aBadCodeSpoilsItsOutputAlone() {
        Fp8Linear.Shape shape = new Fp8Linear.Shape(1, 128, 8);
        Fp8Matrix matrix = Fp8Matrix.of(8, 128, 3);
        matrix.codes()[3 * 128 + 5] = 0x7F;

        float[] out = run(1, shape, Values.of(128, 4), matrix, Variant.PORTABLE);

        for (int o = 0; o < 8; o++) {
            assertThat(Float.isNaN(out[o])).isEqualTo(o == 3);
        }
    }

    @Test
    void refusesRowsThatAreNotWholeLongs() {
        assertThatThrownBy(() -> new Fp8Linear.Shape(1, 12, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("12 inputs");
    }

    private static void agreesWithTheDefinition(int rows, Fp8Linear.Shape shape, Variant variant) {
        Fp8Matrix matrix = Fp8Matrix.of(shape.outputs(), shape.inputs(), 1);
        float[] x = Values.of(shape.maxRows() * shape.inputs(), 2);

        float[] out = run(rows, shape, x, matrix, variant);

        float[] expected = new float[out.length];
        Arrays.fill(expected, UNTOUCHED);
        Fp8Linear.reference(rows, shape, x, matrix.codes(), matrix.scale(), expected);
        for (int t = 0; t < shape.maxRows(); t++) {
            for (int o = 0; o < shape.outputs(); o++) {
                double magnitude = 0;
                for (int i = 0; i < shape.inputs() && t < rows; i++) {
                    magnitude += Math.abs((double) matrix.value(o, i) * x[t * shape.inputs() + i]);
                }
                int at = t * shape.outputs() + o;
                Sums.requireClose(out[at], expected[at], magnitude, "row " + t + " output " + o);
            }
        }
    }

    private static float[] run(int rows, Fp8Linear.Shape shape, float[] x, Fp8Matrix matrix, Variant variant) {
        IntArray counts = Values.counts(rows);
        FloatArray input = FloatArray.fromArray(x);
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(shape.maxRows() * shape.outputs());
        out.init(UNTOUCHED);
        Device.run(
                (graph, grids) -> Fp8Linear.append(
                        graph, grids, "linear", counts, input, weight, scale, codes, out, shape, variant),
                counts,
                input,
                weight,
                scale,
                codes,
                out);
        return out.toHeapArray();
    }
}
