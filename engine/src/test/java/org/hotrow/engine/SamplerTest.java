package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplerTest {
    private static final int DRAWS = 40_000;

    private static int[] draw(Sampling sampling, float... logits) {
        Sampler sampler = new Sampler(sampling);
        int[] counts = new int[logits.length];
        for (int i = 0; i < DRAWS; i++) {
            counts[sampler.next(logits, 0, logits.length)]++;
        }
        return counts;
    }

    @Test
    void greedyTakesTheLowestOfTheLargest() {
        Sampler sampler = new Sampler(Sampling.GREEDY);
        assertThat(sampler.next(new float[] {9, 1, 3, 3, 2}, 1, 4)).isEqualTo(1);
        assertThat(sampler.next(new float[] {Float.NaN, -5, Float.NEGATIVE_INFINITY}, 0, 3))
                .isEqualTo(1);
        assertThat(sampler.next(new float[] {1, 2, 3}, 0, 2))
                .as("padding is no candidate")
                .isEqualTo(1);
    }

    @Test
    void refusesLogitsWhoseLargestIsNoFiniteNumber() {
        for (float[] broken : new float[][] {{Float.NaN, Float.NaN}, {0, Float.POSITIVE_INFINITY}}) {
            for (Sampling sampling : new Sampling[] {Sampling.GREEDY, new Sampling(1, 0, 1, 0)}) {
                assertThatThrownBy(() -> new Sampler(sampling).next(broken, 0, 2))
                        .isInstanceOf(EngineException.class)
                        .hasMessageContaining("not finite");
            }
        }
    }

    /** Chi-square with 3 degrees of freedom: 16.3 is passed by chance once in a thousand; a planted bias is not. */
    @Test
    void followsTheSoftmaxAtItsTemperature() {
        float[] logits = {1, 0, -1, 2};
        for (double temperature : new double[] {0.5, 1, 2}) {
            int[] counts = draw(new Sampling(temperature, 0, 1, 42), logits);
            assertThat(chiSquare(counts, logits, temperature)).isLessThan(16.3);
            assertThat(chiSquare(counts, logits, temperature * 1.1)).isGreaterThan(16.3);
        }
    }

    private static double chiSquare(int[] counts, float[] logits, double temperature) {
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit / temperature);
        }
        double chi = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = DRAWS * Math.exp(logits[i] / temperature) / sum;
            chi += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        return chi;
    }

    @Test
    void topKAndTopPCutTheTail() {
        float[] logits = {0, 3, 3, 1, 2};
        assertThat(draw(new Sampling(1, 1, 1, 1), logits)).containsExactly(0, DRAWS, 0, 0, 0);
        int[] three = draw(new Sampling(1, 3, 1, 1), logits);
        assertThat(three[0] + three[3]).isZero();
        assertThat(three[4]).isPositive();
        // The two largest hold 0.783 of the probability.
        int[] nucleus = draw(new Sampling(1, 0, 0.78, 1), logits);
        assertThat(nucleus[1] + nucleus[2]).isEqualTo(DRAWS);
        assertThat(draw(new Sampling(1, 0, 0.79, 1), logits)[4]).isPositive();
    }

    @Test
    void sameSeedSameTokens() {
        float[] logits = {0.1f, 0.2f, 0.3f, 0.4f};
        Sampler one = new Sampler(new Sampling(1, 0, 0.9, 7));
        Sampler two = new Sampler(new Sampling(1, 0, 0.9, 7));
        Sampler other = new Sampler(new Sampling(1, 0, 0.9, 8));
        int differing = 0;
        for (int i = 0; i < 100; i++) {
            int token = one.next(logits, 0, 4);
            assertThat(two.next(logits, 0, 4)).isEqualTo(token);
            differing += other.next(logits, 0, 4) == token ? 0 : 1;
        }
        assertThat(differing).isPositive();
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> new Sampling(-1, 0, 1, 0)).hasMessageContaining("temperature");
        assertThatThrownBy(() -> new Sampling(Double.NaN, 0, 1, 0)).hasMessageContaining("temperature");
        assertThatThrownBy(() -> new Sampling(1, -1, 1, 0)).hasMessageContaining("top-k");
        assertThatThrownBy(() -> new Sampling(1, 0, 0, 0)).hasMessageContaining("top-p");
        assertThatThrownBy(() -> new Sampling(1, 0, 1.1, 0)).hasMessageContaining("top-p");
    }
}
