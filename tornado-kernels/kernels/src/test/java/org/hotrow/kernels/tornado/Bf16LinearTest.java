package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.hotrow.kernels.Bf16;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class Bf16LinearTest {
    private static final float UNTOUCHED = 77;

    @ParameterizedTest
    @CsvSource({"1, 1, 4, 1", "1, 1, 1028, 33", "3, 4, 132, 9", "0, 4, 64, 8", "17, 18, 260, 35", "6, 17, 2052, 5"})
    void multipliesByTheMatrix(int rows, int maxRows, int inputs, int outputs) {
        agreesWithTheDefinition(rows, new Bf16Linear.Shape(maxRows, inputs, outputs, 2), Variant.PORTABLE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1028, 33", "6, 17, 132, 9"})
    void multipliesByTheMatrixWithConversions(int rows, int maxRows, int inputs, int outputs) {
        Device.assumeWarps();
        agreesWithTheDefinition(rows, new Bf16Linear.Shape(maxRows, inputs, outputs, 2), Variant.CUDA);
    }

    @Test
    void givesTheSameBitsInEveryTile() {
        int inputs = 1156;
        int outputs = 19;
        short[] matrix = matrix(outputs * inputs);
        float[] x = Values.of(18 * inputs, 4);

        float[] prefill = run(18, new Bf16Linear.Shape(18, inputs, outputs, 2), x, matrix, Variant.PORTABLE);

        float[] batch = run(16, new Bf16Linear.Shape(16, inputs, outputs, 2), x, matrix, Variant.PORTABLE);
        assertThat(batch).containsExactly(Arrays.copyOf(prefill, 16 * outputs));
        float[] alone = run(1, new Bf16Linear.Shape(1, inputs, outputs, 2), x, matrix, Variant.PORTABLE);
        assertThat(alone).containsExactly(Arrays.copyOf(prefill, outputs));
    }

    @Test
    void refusesRowsThatAreNotWholeLongs() {
        assertThatThrownBy(() -> new Bf16Linear.Shape(1, 6, 4, 0)).hasMessageContaining("6 inputs");
    }

    /** Codes of normal and subnormal values of both signs. */
    static short[] matrix(int count) {
        float[] values = Values.of(count, 7);
        short[] codes = new short[count];
        for (int i = 0; i < count; i++) {
            codes[i] = i % 50 == 7 ? (short) (i % 128 | i << 15) : Bf16.encode(values[i]);
        }
        return codes;
    }

    static LongArray words(short[] codes) {
        LongArray words = new LongArray(codes.length / 4);
        for (int i = 0; i < codes.length; i++) {
            words.set(i / 4, words.get(i / 4) | ((codes[i] & 0xFFFFL) << (16 * (i % 4))));
        }
        return words;
    }

    private static void agreesWithTheDefinition(int rows, Bf16Linear.Shape shape, Variant variant) {
        short[] matrix = matrix(shape.outputs() * shape.inputs());
        float[] x = Values.of(shape.maxRows() * shape.inputs(), 2);

        float[] out = run(rows, shape, x, matrix, variant);

        float[] expected = new float[out.length];
        Arrays.fill(expected, UNTOUCHED);
        Bf16Linear.reference(rows, shape, x, matrix, expected);
        for (int at = 0; at < out.length; at++) {
            int t = at / shape.outputs();
            double magnitude = 0;
            for (int i = 0; i < shape.inputs() && t < rows; i++) {
                float weight = Bf16.decode(matrix[at % shape.outputs() * shape.inputs() + i]);
                magnitude += Math.abs((double) weight * x[t * shape.inputs() + i]);
            }
            Sums.requireClose(out[at], expected[at], magnitude, "row " + t + " output " + at % shape.outputs());
        }
    }

    private static float[] run(int rows, Bf16Linear.Shape shape, float[] x, short[] matrix, Variant variant) {
        IntArray counts = IntArray.fromElements(1000, 1000, rows);
        FloatArray input = FloatArray.fromArray(Arrays.copyOf(x, shape.maxRows() * shape.inputs()));
        LongArray weight = words(matrix);
        FloatArray exponents = Exponents.table();
        FloatArray out = new FloatArray(shape.maxRows() * shape.outputs());
        out.init(UNTOUCHED);
        Device.run(
                (graph, grids) -> Bf16Linear.append(
                        graph, grids, "linear", counts, input, weight, exponents, out, shape, variant),
                counts,
                input,
                weight,
                exponents,
                out);
        return out.toHeapArray();
    }
}
