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

/** {@link Logits} and {@link Argmax}. */
class LogitsTest {
    @ParameterizedTest
    @CsvSource({"1, 1, 64, 33", "3, 4, 132, 17", "0, 2, 64, 9"})
    void onlyTheRowsWithLogitsGoThroughNormAndHead(int rows, int maxRows, int width, int tokens) {
        Logits.Shape shape = new Logits.Shape(maxRows, width, tokens, 1e-5f);
        int[] logitRow = new int[maxRows];
        Arrays.setAll(logitRow, i -> i < rows ? 2 * i + 1 : -1);
        float[] hiddens = Values.of(2 * maxRows * width, 1);
        // Of the first row with logits, so small that the epsilon matters.
        for (int i = width; i < 2 * width; i++) {
            hiddens[i] *= 1e-4f;
        }
        float[] weights = Values.of(width, 2);
        short[] matrix = Bf16LinearTest.matrix(tokens * width);
        IntArray counts = IntArray.fromElements(2 * maxRows, 0, 0, 0, rows, 0, 0, 0);
        IntArray logitRows = IntArray.fromArray(logitRow);
        FloatArray hidden = FloatArray.fromArray(hiddens);
        FloatArray weight = FloatArray.fromArray(weights);
        LongArray head = Bf16LinearTest.words(matrix);
        FloatArray exponents = Exponents.table();
        FloatArray normed = new FloatArray(maxRows * width);
        FloatArray logits = new FloatArray(maxRows * tokens);
        logits.init(77);

        Device.run(
                (graph, grids) -> Logits.append(
                        graph,
                        grids,
                        "logits",
                        counts,
                        logitRows,
                        hidden,
                        weight,
                        head,
                        exponents,
                        normed,
                        logits,
                        shape,
                        Variant.PORTABLE),
                counts,
                logitRows,
                hidden,
                weight,
                head,
                exponents,
                normed,
                logits);

        RmsNorm.Shape norm = new RmsNorm.Shape(1, width, width, 1e-5f);
        for (int i = 0; i < rows; i++) {
            float[] unit = new float[width];
            float[] row = Arrays.copyOfRange(hiddens, logitRow[i] * width, (logitRow[i] + 1) * width);
            RmsNorm.reference(1, norm, row, weights, unit);
            for (int j = 0; j < width; j++) {
                Sums.requireClose(normed.get(i * width + j), unit[j], Math.abs(unit[j]), "row " + i + " value " + j);
            }
            float[] expected = new float[tokens];
            Bf16Linear.reference(1, new Bf16Linear.Shape(1, width, tokens, 0), unit, matrix, expected);
            for (int o = 0; o < tokens; o++) {
                double magnitude = 0;
                for (int j = 0; j < width; j++) {
                    magnitude += Math.abs((double) unit[j] * Bf16.decode(matrix[o * width + j]));
                }
                Sums.requireClose(logits.get(i * tokens + o), expected[o], magnitude, "row " + i + " token " + o);
            }
        }
        for (int at = rows * tokens; at < maxRows * tokens; at++) {
            assertThat(logits.get(at)).isEqualTo(77);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1", "3, 4, 300, 257", "2, 2, 64, 63", "0, 2, 32, 32"})
    void findsTheLargestLogitOfEachRow(int rows, int maxRows, int width, int tokens) {
        float[] logits = Values.of(maxRows * width, 3);
        // What lies behind the tokens is no candidate.
        for (int t = 0; t < maxRows && tokens < width; t++) {
            logits[t * width + tokens] = 1e9f;
        }
        int[] expected = new int[maxRows];
        Arrays.fill(expected, -7);
        for (int t = 0; t < rows; t++) {
            expected[t] = Argmax.reference(logits, t * width, tokens);
        }

        assertThat(largest(rows, new Argmax.Shape(maxRows, width, tokens, 4), logits))
                .containsExactly(expected);
    }

    @Test
    void theFirstOfEqualLogitsWinsAndNaNNever() {
        int width = 1000;
        float[] logits = new float[6 * width];
        Arrays.fill(logits, -5f);
        logits[700] = 3;
        logits[299] = 3;
        logits[555] = 3;
        logits[width] = Float.NaN;
        logits[width + 999] = -4;
        Arrays.fill(logits, 2 * width, 3 * width, Float.NaN);
        Arrays.fill(logits, 3 * width, 4 * width, Float.NEGATIVE_INFINITY);
        logits[4 * width + 3] = -0f;
        logits[4 * width + 7] = 0f;
        Arrays.fill(logits, 5 * width, 6 * width, Float.NaN);
        logits[5 * width + 800] = Float.NEGATIVE_INFINITY;

        assertThat(largest(6, new Argmax.Shape(6, width, width, 4), logits)).containsExactly(299, 999, 0, 0, 3, 800);
        for (int t = 0; t < 6; t++) {
            assertThat(Argmax.reference(logits, t * width, width)).isEqualTo(new int[] {299, 999, 0, 0, 3, 800}[t]);
        }
    }

    @Test
    void refusesMoreTokensThanLogits() {
        assertThatThrownBy(() -> new Argmax.Shape(1, 8, 9, 0)).hasMessageContaining("9 tokens in rows of 8");
    }

    private static int[] largest(int rows, Argmax.Shape shape, float[] values) {
        IntArray counts = IntArray.fromElements(0, 0, 0, 0, rows, 0, 0, 0);
        FloatArray logits = FloatArray.fromArray(values);
        IntArray token = new IntArray(shape.maxRows());
        token.init(-7);
        Device.run(
                (graph, grids) -> Argmax.append(graph, grids, "argmax", counts, logits, token, shape),
                counts,
                logits,
                token);
        return token.toHeapArray();
    }
}
