package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private static final int DRAWS = 40_000;

    private static BitSet first(int candidates) {
        BitSet ids = new BitSet();
        ids.set(0, candidates);
        return ids;
    }

    private static int[] draw(Sampling sampling, float... logits) {
        Sampler sampler = new Sampler(sampling, new int[0], first(logits.length));
        int[] counts = new int[logits.length];
        for (int i = 0; i < DRAWS; i++) {
            counts[sampler.next(logits, 0)]++;
        }
        return counts;
    }

    private static Sampling sampling(double temperature, int topK, double topP, double minP) {
        return new Sampling(temperature, topK, topP, minP, 1, 0, 0, 1);
    }

    private static int greedy(float[] logits, int from, int candidates) {
        return new Sampler(Sampling.GREEDY, new int[0], first(candidates)).next(logits, from);
    }

    @Test
    void greedyTakesTheLowestOfTheLargest() {
        assertThat(greedy(new float[] {9, 1, 3, 3, 2}, 1, 4)).isEqualTo(1);
        assertThat(greedy(new float[] {Float.NaN, -5, Float.NEGATIVE_INFINITY}, 0, 3))
                .isEqualTo(1);
        assertThat(greedy(new float[] {1, 2, 3}, 0, 2))
                .as("padding is no candidate")
                .isEqualTo(1);
    }

    @Test
    void refusesLogitsWhoseLargestIsNoFiniteNumber() {
        for (float[] broken : new float[][] {{Float.NaN, Float.NaN}, {0, Float.POSITIVE_INFINITY}}) {
            for (Sampling sampling : new Sampling[] {Sampling.GREEDY, Sampling.at(1, 0)}) {
                assertThatThrownBy(() -> draw(sampling, broken))
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
            int[] counts = draw(Sampling.at(temperature, 42), logits);
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
    void topKTopPAndMinPCutTheTail() {
        float[] logits = {0, 3, 3, 1, 2};
        assertThat(draw(sampling(1, 1, 1, 0), logits)).containsExactly(0, DRAWS, 0, 0, 0);
        int[] three = draw(sampling(1, 3, 1, 0), logits);
        assertThat(three[0] + three[3]).isZero();
        assertThat(three[4]).isPositive();
        // The two largest hold 0.783 of the probability.
        int[] nucleus = draw(sampling(1, 0, 0.78, 0), logits);
        assertThat(nucleus[1] + nucleus[2]).isEqualTo(DRAWS);
        assertThat(draw(sampling(1, 0, 0.79, 0), logits)[4]).isPositive();
        // The third is 0.368 times as probable as the largest, the fourth 0.135 times.
        assertThat(draw(sampling(1, 0, 1, 0.37), logits)[4]).isZero();
        int[] most = draw(sampling(1, 0, 1, 0.36), logits);
        assertThat(most[4]).isPositive();
        assertThat(most[3]).isZero();
        assertThat(draw(sampling(1, 0, 1e-9, 1), logits)[1])
                .as("the first always stays")
                .isEqualTo(DRAWS);
    }

    private static int[] greedyText(Sampling sampling, int[] prompt, int length, float... logits) {
        Sampler sampler = new Sampler(sampling, prompt, first(logits.length));
        return java.util.stream.IntStream.range(0, length)
                .map(i -> sampler.next(logits, 0))
                .toArray();
    }

    @Test
    void penaltiesHitWhatIsThereAlready() {
        Sampling repetition = new Sampling(0, 0, 1, 0, 2, 0, 0, 0);
        // 5 is halved for being in the prompt, then 4 for being in the text: 3 comes next.
        assertThat(greedyText(repetition, new int[] {0, 99}, 3, 5, 4, 3)).containsExactly(1, 2, 0);
        // Negative logits get more negative.
        assertThat(greedyText(repetition, new int[] {0}, 1, -1, -1.5f)).containsExactly(1);
        Sampling presence = new Sampling(0, 0, 1, 0, 1, 1.5, 0, 0);
        assertThat(greedyText(presence, new int[] {0}, 4, 5, 4, 3)).containsExactly(0, 1, 0, 0);
        Sampling frequency = new Sampling(0, 0, 1, 0, 1, 0, 1.5, 0);
        assertThat(greedyText(frequency, new int[] {0}, 5, 5, 4, 3)).containsExactly(0, 1, 0, 2, 1);
    }

    @Test
    void sameSeedSameTokens() {
        float[] logits = {0.1f, 0.2f, 0.3f, 0.4f};
        Sampler one = new Sampler(Sampling.at(1, 7), new int[0], first(4));
        Sampler two = new Sampler(Sampling.at(1, 7), new int[0], first(4));
        Sampler other = new Sampler(Sampling.at(1, 8), new int[0], first(4));
        int differing = 0;
        for (int i = 0; i < 100; i++) {
            int token = one.next(logits, 0);
            assertThat(two.next(logits, 0)).isEqualTo(token);
            differing += other.next(logits, 0) == token ? 0 : 1;
        }
        assertThat(differing).isPositive();
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> Sampling.at(-1, 0)).hasMessageContaining("temperature");
        assertThatThrownBy(() -> Sampling.at(Double.NaN, 0)).hasMessageContaining("temperature");
        assertThatThrownBy(() -> sampling(1, -1, 1, 0)).hasMessageContaining("top-k");
        assertThatThrownBy(() -> sampling(1, 0, 0, 0)).hasMessageContaining("top-p");
        assertThatThrownBy(() -> sampling(1, 0, 1.1, 0)).hasMessageContaining("top-p");
        assertThatThrownBy(() -> sampling(1, 0, 1, -0.1)).hasMessageContaining("min-p");
        assertThatThrownBy(() -> new Sampling(1, 0, 1, 0, 0, 0, 0, 0)).hasMessageContaining("repetition-penalty");
        assertThatThrownBy(() -> new Sampling(1, 0, 1, 0, 1, Double.NaN, 0, 0)).hasMessageContaining("presence");
        assertThatThrownBy(() -> new Sampling(1, 0, 1, 0, 1, 0, 1e9, 0)).hasMessageContaining("frequency");
    }
}
