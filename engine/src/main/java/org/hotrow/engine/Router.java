package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.modelloader.MlpConfig;

/**
 * Chooses the experts of one token.
 *
 * <pre>
 * s       = sigmoid(gate . x)
 * biased  = s + bias                                      for the choice only
 * groups  = the best by the sum of their two best biased scores; experts of all others are out
 * chosen  = the best by biased score                      equal scores: the lower id
 * weight  = scaling * s / (sum of chosen s + 1e-20)       unbiased; without the division if not normalised
 * </pre>
 */
final class Router {
    private final MlpConfig config;
    private final float[] biased;
    private final float[] groupScore;

    Router(MlpConfig config) {
        this.config = config;
        biased = new float[config.experts()];
        groupScore = new float[config.groups()];
    }

    /**
     * @param logits gate outputs, {@code config.experts()} from {@code at}; replaced by their sigmoids
     * @param ids receives the chosen ids, ascending, from {@code idsAt}
     * @param weights receives their weights from {@code weightsAt}
     */
    void choose(float[] logits, int at, float[] bias, int[] ids, int idsAt, float[] weights, int weightsAt) {
        int experts = config.experts();
        for (int e = 0; e < experts; e++) {
            logits[at + e] = (float) (1 / (1 + Math.exp(-logits[at + e])));
            biased[e] = logits[at + e] + bias[e];
        }
        if (config.groupsKept() < config.groups()) {
            dropGroups(experts / config.groups());
        }
        int k = config.expertsPerToken();
        for (int i = 0; i < k; i++) {
            ids[idsAt + i] = takeBest(biased);
        }
        Arrays.sort(ids, idsAt, idsAt + k);
        float sum = 0;
        for (int i = 0; i < k; i++) {
            sum += logits[at + ids[idsAt + i]];
        }
        for (int i = 0; i < k; i++) {
            float s = logits[at + ids[idsAt + i]];
            float share = config.normaliseWeights() ? s / (sum + 1e-20f) : s;
            weights[weightsAt + i] = share * (float) config.scaling();
        }
    }

    private void dropGroups(int size) {
        for (int g = 0; g < groupScore.length; g++) {
            float best = Float.NEGATIVE_INFINITY;
            float second = Float.NEGATIVE_INFINITY;
            for (int e = g * size; e < (g + 1) * size; e++) {
                if (biased[e] > best) {
                    second = best;
                    best = biased[e];
                } else if (biased[e] > second) {
                    second = biased[e];
                }
            }
            groupScore[g] = size == 1 ? best : best + second;
        }
        boolean[] kept = new boolean[groupScore.length];
        for (int i = 0; i < config.groupsKept(); i++) {
            kept[takeBest(groupScore)] = true;
        }
        for (int e = 0; e < biased.length; e++) {
            if (!kept[e / size]) {
                biased[e] = Float.NEGATIVE_INFINITY;
            }
        }
    }

    /** Index of the largest score, the lowest of equals, which is then taken out. */
    private static int takeBest(float[] scores) {
        int best = -1;
        for (int i = 0; i < scores.length; i++) {
            if (scores[i] > Float.NEGATIVE_INFINITY && (best < 0 || scores[i] > scores[best])) {
                best = i;
            }
        }
        if (best < 0) {
            throw new EngineException("router scores are not numbers: the weights or the input are broken");
        }
        scores[best] = Float.NEGATIVE_INFINITY;
        return best;
    }
}
