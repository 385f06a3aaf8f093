package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class RouterTest {
    /** What a launch gave. */
    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    private record Choice(int[] expert, float[] weight) {}

    @ParameterizedTest
    @CsvSource({
        "1, 1, 256, 8, true",
        "5, 6, 256, 8, true",
        "3, 3, 8, 2, true",
        "2, 2, 255, 7, false",
        "0, 2, 16, 4, true",
        "2, 2, 3, 3, true",
        "1, 1, 1, 1, false"
    })
    void choosesByBiasedScoresAndWeighsByUnbiasedOnes(int rows, int maxRows, int experts, int k, boolean normalise) {
        Router.Shape shape = new Router.Shape(maxRows, experts, k, normalise, 2.5f);
        float[] logits = Values.of(maxRows * experts, 1);
        // A large offset with a small spread, as trained models have it.
        float[] bias = Values.of(experts, 2);
        for (int e = 0; e < experts; e++) {
            bias[e] = 6.94f + 0.06f * bias[e];
        }

        Choice choice = run(rows, shape, logits, bias);

        requireReference(rows, shape, logits, bias, choice);
    }

    @Test
    void equalScoresGoToTheLowerIds() {
        Router.Shape shape = new Router.Shape(1, 256, 8, true, 1);
        float[] logits = new float[256];
        Arrays.fill(logits, 100, 110, 1f);
        logits[200] = 2;

        Choice choice = run(1, shape, logits, new float[256]);

        assertThat(choice.expert()).containsExactly(100, 101, 102, 103, 104, 105, 106, 200);
        requireReference(1, shape, logits, new float[256], choice);
    }

    @Test
    void theBiasDecidesTheChoiceAndNotTheWeights() {
        Router.Shape shape = new Router.Shape(1, 4, 2, true, 1);
        float[] logits = {3, 0, 0, 2};

        Choice choice = run(1, shape, logits, new float[] {0, 5, 5, 0});

        assertThat(choice.expert()).containsExactly(1, 2);
        assertThat(choice.weight()).containsExactly(0.5f, 0.5f);
    }

    @Test
    void whatIsNoNumberComesLastAndExtremesStayFinite() {
        Router.Shape shape = new Router.Shape(1, 6, 4, true, 1);
        float[] logits = {Float.NaN, -500, 500, Float.NEGATIVE_INFINITY, 0, -1};

        Choice choice = run(1, shape, logits, new float[6]);

        assertThat(choice.expert()).containsExactly(1, 2, 4, 5);
        requireReference(1, shape, logits, new float[6], choice);
    }

    /** Logits next to each other: a sigmoid in single precision would put some in another order. */
    @Test
    void aLastBitDecidesAsInDoublePrecision() {
        Router.Shape shape = new Router.Shape(4, 256, 8, true, 1);
        float[] logits = new float[4 * 256];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = Float.intBitsToFloat(Float.floatToRawIntBits(-1.3f) + i * 37 % 256);
        }

        Choice choice = run(4, shape, logits, new float[256]);

        requireReference(4, shape, logits, new float[256], choice);
    }

    @Test
    void refusesMoreExpertsThanAGroupHas() {
        assertThatThrownBy(() -> new Router.Shape(1, 257, 8, true, 1)).hasMessageContaining("257 experts");
    }

    private static void requireReference(int rows, Router.Shape shape, float[] logits, float[] bias, Choice choice) {
        int[] expert = new int[choice.expert().length];
        Arrays.fill(expert, -7);
        float[] weight = new float[expert.length];
        Arrays.fill(weight, -7);
        Router.reference(rows, shape, logits, bias, expert, weight);
        assertThat(choice.expert()).containsExactly(expert);
        for (int i = 0; i < weight.length; i++) {
            double magnitude = i < rows * shape.k() ? Math.abs(weight[i]) : 0;
            Sums.requireClose(choice.weight()[i], weight[i], magnitude, "weight " + i);
        }
    }

    private static Choice run(int rows, Router.Shape shape, float[] logits, float[] biases) {
        IntArray counts = Values.counts(rows);
        FloatArray input = FloatArray.fromArray(logits);
        FloatArray bias = FloatArray.fromArray(biases);
        IntArray expert = new IntArray(shape.maxRows() * shape.k());
        expert.init(-7);
        FloatArray weight = new FloatArray(shape.maxRows() * shape.k());
        weight.init(-7);
        Device.run(
                (graph, grids) -> Router.append(graph, grids, "route", counts, input, bias, expert, weight, shape),
                counts,
                input,
                bias,
                expert,
                weight);
        return new Choice(expert.toHeapArray(), weight.toHeapArray());
    }
}
