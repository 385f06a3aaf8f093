package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.hotrow.kernels.Bf16;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class HeadLinearTest {
    private static final float UNTOUCHED = 77;
    private static final String SHAPES = """
            1, 1, 1, 1, 0, 1, 8, 8
            1, 1, 4, 64, 64, 64, 512, 8
            3, 4, 2, 33, 8, 65, 136, 8
            5, 6, 2, 32, 64, 64, 512, 16
            0, 4, 3, 8, 8, 9, 64, 16
            1, 5, 3, 7, 2, 9, 264, 16
            """;

    /** The weights of a shape: as kernels take them, and decoded. */
    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    private record Weights(HeadLinear.Matrix matrix, float[] values) {
        static Weights of(HeadLinear.Shape shape) {
            int rows = shape.heads() * (shape.nope() + shape.value());
            float[] values = new float[rows * shape.latent()];
            LongArray words;
            FloatArray scale = new FloatArray(1);
            if (shape.bits() == 8) {
                Fp8Matrix codes = Fp8Matrix.of(rows, shape.latent(), 1);
                for (int i = 0; i < values.length; i++) {
                    values[i] = codes.value(i / shape.latent(), i % shape.latent());
                }
                words = codes.words();
                scale = codes.scales();
            } else {
                short[] codes = Bf16LinearTest.matrix(values.length);
                for (int i = 0; i < values.length; i++) {
                    values[i] = Bf16.decode(codes[i]);
                }
                words = Bf16LinearTest.words(codes);
            }
            return new Weights(new HeadLinear.Matrix(words, scale, Fp8Codes.table(), Exponents.table()), values);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = SHAPES)
    void absorbsTheQueryOfEachHead(
            int rows, int maxRows, int heads, int nope, int rope, int value, int latent, int bits) {
        HeadLinear.Shape shape = new HeadLinear.Shape(maxRows, heads, nope, rope, value, latent, bits);
        Weights weights = Weights.of(shape);
        float[] query = Values.of(maxRows * heads * (nope + rope), 2);

        float[] out = absorb(rows, shape, weights.matrix, query);

        float[] expected = untouched(out.length);
        HeadLinear.absorbReference(rows, shape, query, weights.values, expected);
        float[] magnitudes = new float[out.length];
        HeadLinear.absorbReference(rows, shape, magnitudes(query), magnitudes(weights.values), magnitudes);
        requireClose(out, expected, magnitudes);
    }

    @ParameterizedTest
    @CsvSource(textBlock = SHAPES)
    void expandsTheValuesOfEachHead(
            int rows, int maxRows, int heads, int nope, int rope, int value, int latent, int bits) {
        HeadLinear.Shape shape = new HeadLinear.Shape(maxRows, heads, nope, rope, value, latent, bits);
        Weights weights = Weights.of(shape);
        float[] attended = Values.of(maxRows * heads * latent, 3);

        float[] out = expand(rows, shape, weights.matrix, attended);

        float[] expected = untouched(out.length);
        HeadLinear.expandReference(rows, shape, attended, weights.values, expected);
        float[] magnitudes = new float[out.length];
        HeadLinear.expandReference(rows, shape, magnitudes(attended), magnitudes(weights.values), magnitudes);
        requireClose(out, expected, magnitudes);
    }

    @Test
    void givesTheSameBitsAloneAndInATile() {
        HeadLinear.Shape many = new HeadLinear.Shape(5, 2, 48, 16, 24, 512, 8);
        HeadLinear.Shape alone = new HeadLinear.Shape(1, 2, 48, 16, 24, 512, 8);
        HeadLinear.Matrix matrix = Weights.of(many).matrix;
        float[] query = Values.of(5 * 2 * 64, 2);
        float[] attended = Values.of(5 * 2 * 512, 3);
        float[] absorbed = absorb(5, many, matrix, query);
        float[] expanded = expand(5, many, matrix, attended);

        for (int t = 0; t < 5; t++) {
            assertThat(absorb(1, alone, matrix, Arrays.copyOfRange(query, t * 128, (t + 1) * 128)))
                    .containsExactly(Arrays.copyOfRange(absorbed, t * 2 * 528, (t + 1) * 2 * 528));
            assertThat(expand(1, alone, matrix, Arrays.copyOfRange(attended, t * 1024, (t + 1) * 1024)))
                    .containsExactly(Arrays.copyOfRange(expanded, t * 48, (t + 1) * 48));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16})
    void givesTheSameBitsWithConversions(int bits) {
        Device.assumeWarps();
        HeadLinear.Shape shape = new HeadLinear.Shape(2, 2, 33, 8, 9, 264, bits);
        HeadLinear.Matrix matrix = Weights.of(shape).matrix;
        float[] query = Values.of(2 * 2 * 41, 2);
        float[] attended = Values.of(2 * 2 * 264, 3);

        assertThat(absorb(2, shape, matrix, query, Variant.CUDA)).containsExactly(absorb(2, shape, matrix, query));
        assertThat(expand(2, shape, matrix, attended, Variant.CUDA))
                .containsExactly(expand(2, shape, matrix, attended));
    }

    @Test
    void refusesWhatAGroupDoesNotHold() {
        assertThatThrownBy(() -> new HeadLinear.Shape(1, 1, 257, 0, 1, 8, 8)).hasMessageContaining("257");
        assertThatThrownBy(() -> new HeadLinear.Shape(1, 1, 8, 0, 1, 520, 8)).hasMessageContaining("520");
        assertThatThrownBy(() -> new HeadLinear.Shape(1, 1, 8, 0, 1, 12, 8)).hasMessageContaining("12");
        assertThatThrownBy(() -> new HeadLinear.Shape(1, 1, 8, 0, 1, 8, 32)).hasMessageContaining("32 bits");
    }

    private static float[] absorb(int rows, HeadLinear.Shape shape, HeadLinear.Matrix matrix, float[] query) {
        return absorb(rows, shape, matrix, query, Variant.PORTABLE);
    }

    private static float[] absorb(
            int rows, HeadLinear.Shape shape, HeadLinear.Matrix matrix, float[] query, Variant variant) {
        IntArray counts = Values.counts(rows);
        FloatArray x = FloatArray.fromArray(query);
        FloatArray out = new FloatArray(shape.maxRows() * shape.heads() * (shape.latent() + shape.rope()));
        out.init(UNTOUCHED);
        Device.run(
                (graph, grids) ->
                        HeadLinear.appendAbsorb(graph, grids, "absorb", counts, x, matrix, out, shape, variant),
                counts,
                x,
                matrix.weight(),
                matrix.scale(),
                matrix.codes(),
                matrix.exponents(),
                out);
        return out.toHeapArray();
    }

    private static float[] expand(int rows, HeadLinear.Shape shape, HeadLinear.Matrix matrix, float[] attended) {
        return expand(rows, shape, matrix, attended, Variant.PORTABLE);
    }

    private static float[] expand(
            int rows, HeadLinear.Shape shape, HeadLinear.Matrix matrix, float[] attended, Variant variant) {
        IntArray counts = Values.counts(rows);
        FloatArray x = FloatArray.fromArray(attended);
        FloatArray out = new FloatArray(shape.maxRows() * shape.heads() * shape.value());
        out.init(UNTOUCHED);
        Device.run(
                (graph, grids) ->
                        HeadLinear.appendExpand(graph, grids, "expand", counts, x, matrix, out, shape, variant),
                counts,
                x,
                matrix.weight(),
                matrix.scale(),
                matrix.codes(),
                matrix.exponents(),
                out);
        return out.toHeapArray();
    }

    private static float[] untouched(int length) {
        float[] values = new float[length];
        Arrays.fill(values, UNTOUCHED);
        return values;
    }

    private static float[] magnitudes(float[] values) {
        float[] magnitudes = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            magnitudes[i] = Math.abs(values[i]);
        }
        return magnitudes;
    }

    private static void requireClose(float[] out, float[] expected, float[] magnitudes) {
        for (int i = 0; i < out.length; i++) {
            Sums.requireClose(out[i], expected[i], magnitudes[i], "value " + i);
        }
    }
}
