package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hotrow.modelloader.MlpConfig;
import org.hotrow.modelloader.MlpType;
import org.junit.jupiter.api.Test;

class RouterTest {
    private static MlpConfig config(int experts, int perToken, int groups, int kept, boolean normalise) {
        return new MlpConfig(1, 1, experts, perToken, 1, groups, kept, normalise, 2.5, List.of(MlpType.SPARSE));
    }

    private record Choice(List<Integer> ids, List<Double> weights) {}

    private static Choice choose(MlpConfig config, float[] logits, float[] bias) {
        int[] ids = new int[config.expertsPerToken() + 2];
        float[] weights = new float[config.expertsPerToken() + 3];
        float[] shifted = new float[logits.length + 5];
        System.arraycopy(logits, 0, shifted, 5, logits.length);
        new Router(config).choose(shifted, 5, bias, ids, 1, weights, 2);
        return new Choice(
                IntStream.range(0, config.expertsPerToken())
                        .mapToObj(i -> ids[1 + i])
                        .toList(),
                IntStream.range(0, config.expertsPerToken())
                        .mapToObj(i -> (double) weights[2 + i])
                        .toList());
    }

    /** The rules by sorting, in double. */
    private static Choice reference(MlpConfig config, float[] logits, float[] bias) {
        double[] s = IntStream.range(0, logits.length)
                .mapToDouble(e -> (float) (1 / (1 + Math.exp(-logits[e]))))
                .toArray();
        double[] biased = IntStream.range(0, logits.length)
                .mapToDouble(e -> (float) s[e] + bias[e])
                .toArray();
        int size = logits.length / config.groups();
        List<Integer> groups = IntStream.range(0, config.groups())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer g) -> -IntStream.range(g * size, (g + 1) * size)
                                .mapToObj(e -> biased[e])
                                .sorted(Collections.reverseOrder())
                                .limit(2)
                                .mapToDouble(x -> x)
                                .sum())
                        .thenComparingInt(g -> g))
                .limit(config.groupsKept())
                .toList();
        List<Integer> ids = IntStream.range(0, logits.length)
                .filter(e -> groups.contains(e / size))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer e) -> -biased[e]).thenComparingInt(e -> e))
                .limit(config.expertsPerToken())
                .sorted()
                .toList();
        double sum =
                config.normaliseWeights() ? ids.stream().mapToDouble(e -> s[e]).sum() + 1e-20 : 1;
        return new Choice(ids, ids.stream().map(e -> 2.5 * s[e] / sum).toList());
    }

    @Test
    void followsTheRulesOnRandomScores() {
        Random random = new Random(1);
        int limited = 0;
        for (int round = 0; round < 2000; round++) {
            int groups = 1 << random.nextInt(4);
            MlpConfig config =
                    config(16, 3, groups, groups == 1 ? 1 : 1 + random.nextInt(groups), random.nextBoolean());
            if (config.groupsKept() * (16 / groups) < 3) {
                continue;
            }
            float offset = new float[] {6.94f, -1.3f, 0f}[random.nextInt(3)];
            float[] logits = new float[16];
            float[] bias = new float[16];
            for (int e = 0; e < 16; e++) {
                logits[e] = (float) random.nextGaussian();
                bias[e] = offset + 0.08f * (float) random.nextGaussian();
            }
            Choice choice = choose(config, logits, bias);
            Choice expected = reference(config, logits, bias);
            assertThat(choice.ids).isEqualTo(expected.ids);
            for (int i = 0; i < 3; i++) {
                assertThat(choice.weights.get(i)).isCloseTo(expected.weights.get(i), within(1e-6));
            }
            limited += choose(config(16, 3, 1, 1, true), logits, bias).ids.equals(choice.ids) ? 0 : 1;
        }
        assertThat(limited).as("rounds in which the groups decided").isGreaterThan(100);
    }

    @Test
    void equalScoresGoToTheLowerId() {
        assertThat(choose(config(8, 3, 1, 1, true), new float[8], new float[8]).ids)
                .containsExactly(0, 1, 2);
        assertThat(choose(config(8, 2, 4, 1, true), new float[8], new float[8]).ids)
                .containsExactly(0, 1);
    }

    @Test
    void theBiasChoosesButDoesNotWeigh() {
        Choice choice = choose(config(4, 2, 1, 1, true), new float[4], new float[] {0, 9, 0, 9});
        assertThat(choice.ids).containsExactly(1, 3);
        assertThat(choice.weights).containsExactly(1.25, 1.25);
    }

    @Test
    void oneBrokenScoreIsNeverChosenAndTooManyAreAnError() {
        float[] logits = {0, Float.NaN, 0, 0};
        assertThat(choose(config(4, 3, 1, 1, true), logits, new float[4]).ids).containsExactly(0, 2, 3);
        assertThatThrownBy(() -> choose(config(4, 4, 1, 1, true), logits, new float[4]))
                .isInstanceOf(EngineException.class);
    }
}
