package org.hotrow.engine;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Draws tokens from logits.
 *
 * <pre>
 * order  = candidates by (logit descending, id ascending), the first top-k of them
 * weight = exp((logit - largest) / temperature)
 * cut    = the shortest prefix of the order whose weights reach top-p of their sum
 * token  = drawn from the cut by weight
 * </pre>
 *
 * All in double and in that order, so a seed gives one text, whatever else runs.
 */
final class Sampler {
    private final Sampling sampling;
    private final SplittableRandom random;

    Sampler(Sampling sampling) {
        this.sampling = sampling;
        random = new SplittableRandom(sampling.seed());
    }

    /**
     * The next token.
     *
     * @param candidates ids below this one may be drawn; the rest of the vocabulary is padding
     * @throws EngineException if the largest logit is not finite
     */
    int next(float[] logits, int from, int candidates) {
        int best = largest(logits, from, candidates);
        if (sampling.temperature() == 0) {
            return best;
        }
        int[] order = IntStream.range(0, candidates)
                .filter(id -> logits[from + id] > Float.NEGATIVE_INFINITY)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer id) -> -logits[from + id])
                        .thenComparingInt(id -> id))
                .limit(sampling.topK() == 0 ? candidates : sampling.topK())
                .mapToInt(Integer::intValue)
                .toArray();
        double[] weight = new double[order.length];
        double sum = 0;
        for (int i = 0; i < order.length; i++) {
            weight[i] = Math.exp(((double) logits[from + order[i]] - logits[from + best]) / sampling.temperature());
            sum += weight[i];
        }
        int cut = 0;
        double kept = 0;
        while (cut < order.length && kept < sampling.topP() * sum) {
            kept += weight[cut++];
        }
        double point = random.nextDouble() * kept;
        for (int i = 0; i < cut; i++) {
            point -= weight[i];
            if (point < 0) {
                return order[i];
            }
        }
        return order[cut - 1];
    }

    private static int largest(float[] logits, int from, int candidates) {
        int best = -1;
        for (int id = 0; id < candidates; id++) {
            float logit = logits[from + id];
            if (logit > Float.NEGATIVE_INFINITY && (best < 0 || logit > logits[from + best])) {
                best = id;
            }
        }
        if (best < 0 || logits[from + best] == Float.POSITIVE_INFINITY) {
            throw new EngineException("the logits are not finite: the checkpoint or the cache is broken");
        }
        return best;
    }
}
