package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** {@link RmsNorm}, with and without update, and {@link LayerNorm}. */
class NormsTest {
    private static final float UNTOUCHED = 77;

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1", "2, 3, 63, 63", "3, 3, 64, 96", "1, 2, 257, 300", "0, 2, 128, 128", "2, 2, 1025, 1025"})
    void normsTheFirstValuesOfEachRow(int rows, int maxRows, int width, int xWidth) {
        RmsNorm.Shape shape = new RmsNorm.Shape(maxRows, xWidth, width, 1e-5f);
        float[] before = Values.of(maxRows * xWidth, 1);
        float[] weights = Values.of(width, 2);
        FloatArray x = FloatArray.fromArray(before);
        IntArray counts = Values.counts(rows);
        FloatArray weight = FloatArray.fromArray(weights);
        FloatArray out = new FloatArray(maxRows * width);
        out.init(UNTOUCHED);

        Device.run(
                (graph, grids) -> RmsNorm.append(graph, grids, "norm", counts, x, weight, out, shape),
                counts,
                x,
                weight,
                out);

        assertThat(x.toHeapArray()).containsExactly(before);
        requireNormed(rows, shape, before, weights, out);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1", "2, 3, 65, 65", "1, 2, 256, 300", "3, 3, 70, 75"})
    void normsWhatTheUpdateMakesOfARow(int rows, int maxRows, int width, int xWidth) {
        RmsNorm.Shape shape = new RmsNorm.Shape(maxRows, xWidth, width, 1e-5f);
        float[] updated = Values.of(maxRows * xWidth, 1);
        FloatArray x = FloatArray.fromArray(updated);
        FloatArray update = FloatArray.fromArray(Values.of(maxRows * width, 3));
        float[] weights = Values.of(width, 2);
        IntArray counts = Values.counts(rows);
        FloatArray weight = FloatArray.fromArray(weights);
        FloatArray out = new FloatArray(maxRows * width);
        out.init(UNTOUCHED);

        Device.run(
                (graph, grids) -> RmsNorm.appendWithUpdate(graph, grids, "norm", counts, x, update, weight, out, shape),
                counts,
                x,
                update,
                weight,
                out);

        for (int i = 0; i < rows * width; i++) {
            updated[i / width * xWidth + i % width] += update.get(i);
        }
        assertThat(x.toHeapArray()).containsExactly(updated);
        requireNormed(rows, shape, updated, weights, out);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1", "2, 3, 63, 63", "1, 2, 512, 576", "0, 1, 8, 8"})
    void normsARowInPlace(int rows, int maxRows, int width, int xWidth) {
        RmsNorm.Shape shape = new RmsNorm.Shape(maxRows, xWidth, width, 1e-5f);
        float[] before = Values.of(maxRows * xWidth, 1);
        float[] weights = Values.of(width, 2);
        FloatArray x = FloatArray.fromArray(before);
        IntArray counts = Values.counts(rows);
        FloatArray weight = FloatArray.fromArray(weights);

        Device.run(
                (graph, grids) -> RmsNorm.appendInPlace(graph, grids, "norm", counts, x, weight, shape),
                counts,
                x,
                weight);

        FloatArray normed = new FloatArray(maxRows * width);
        normed.init(UNTOUCHED);
        for (int i = 0; i < maxRows * xWidth; i++) {
            if (i / xWidth < rows && i % xWidth < width) {
                normed.set(i / xWidth * width + i % xWidth, x.get(i));
            } else {
                assertThat(x.get(i)).isEqualTo(before[i]);
            }
        }
        requireNormed(rows, shape, before, weights, normed);
    }

    @Test
    void anEpsilonKeepsARowOfZerosFinite() {
        RmsNorm.Shape shape = new RmsNorm.Shape(1, 64, 64, 1e-5f);
        FloatArray x = new FloatArray(64);
        x.set(5, 1e-4f);
        IntArray counts = Values.counts(1);
        FloatArray weight = new FloatArray(64);
        weight.init(1);
        FloatArray out = new FloatArray(64);

        Device.run(
                (graph, grids) -> RmsNorm.append(graph, grids, "norm", counts, x, weight, out, shape),
                counts,
                x,
                weight,
                out);

        assertThat(out.get(0)).isZero();
        requireNormed(1, shape, x.toHeapArray(), weight.toHeapArray(), out);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 3, 63", "3, 3, 128", "1, 2, 129", "0, 2, 128"})
    void layerNormTakesTheMeanAwayAndAddsTheBias(int rows, int maxRows, int width) {
        LayerNorm.Shape shape = new LayerNorm.Shape(maxRows, width);
        float[] before = Values.of(maxRows * width, 1);
        float[] weights = Values.of(width, 2);
        float[] biases = Values.of(width, 3);
        FloatArray x = FloatArray.fromArray(before);
        IntArray counts = Values.counts(rows);
        FloatArray weight = FloatArray.fromArray(weights);
        FloatArray bias = FloatArray.fromArray(biases);

        Device.run(
                (graph, grids) -> LayerNorm.append(graph, grids, "norm", counts, x, weight, bias, shape),
                counts,
                x,
                weight,
                bias);

        float[] expected = before.clone();
        LayerNorm.reference(rows, width, expected, weights, biases);
        for (int t = 0; t < maxRows; t++) {
            double mean = 0;
            double squares = 0;
            for (int i = 0; i < width; i++) {
                mean += before[t * width + i] / (double) width;
            }
            for (int i = 0; i < width; i++) {
                squares += Math.pow(before[t * width + i] - mean, 2) / width;
            }
            double scale = 1 / Math.sqrt(squares + 1e-6);
            for (int i = 0; i < width; i++) {
                int at = t * width + i;
                double terms = (Math.abs(before[at]) + Math.abs(mean)) * scale * Math.abs(weights[i]);
                double magnitude = t < rows ? terms + Math.abs(biases[i]) : 0;
                Sums.requireClose(x.get(at), expected[at], magnitude, "row " + t + " value " + i);
            }
        }
    }

    @Test
    void layerNormHasAnEpsilonOfItsOwn() {
        LayerNorm.Shape shape = new LayerNorm.Shape(1, 128);
        float[] before = new float[128];
        for (int i = 0; i < 128; i++) {
            before[i] = i % 2 == 0 ? 1e-3f : -1e-3f;
        }
        IntArray counts = Values.counts(1);
        FloatArray x = FloatArray.fromArray(before);
        FloatArray weight = new FloatArray(128);
        weight.init(1);
        FloatArray bias = new FloatArray(128);

        Device.run(
                (graph, grids) -> LayerNorm.append(graph, grids, "norm", counts, x, weight, bias, shape),
                counts,
                x,
                weight,
                bias);

        // The variance is as large as the epsilon.
        for (int i = 0; i < 128; i++) {
            float expected = (float) ((i % 2 == 0 ? 1 : -1) * Math.sqrt(0.5));
            Sums.requireClose(x.get(i), expected, 1, "value " + i);
        }
    }

    @Test
    void refusesToNormMoreThanARowHas() {
        assertThatThrownBy(() -> new RmsNorm.Shape(1, 63, 64, 1e-5f)).hasMessageContaining("64 of 63 values");
    }

    private static void requireNormed(int rows, RmsNorm.Shape shape, float[] x, float[] weights, FloatArray out) {
        float[] expected = new float[out.getSize()];
        Arrays.fill(expected, UNTOUCHED);
        RmsNorm.reference(rows, shape, x, weights, expected);
        for (int i = 0; i < expected.length; i++) {
            double magnitude = i < rows * shape.width() ? Math.abs(expected[i]) : 0;
            Sums.requireClose(out.get(i), expected[i], magnitude, "value " + i);
        }
    }
}
