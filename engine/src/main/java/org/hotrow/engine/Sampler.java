package org.hotrow.engine;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Draws the tokens of one request from their logits.
 *
 * <pre>
 * penalised = logit / or * repetition penalty  if the token is in prompt or text
 *             - presence penalty               if it is in the text
 *             - frequency penalty * times      that it is in the text
 * order     = candidates by (penalised descending, id ascending), the first top-k of them
 * weight    = exp((penalised - largest) / temperature)
 * cut       = the shortest prefix of the order whose weights reach top-p of their sum,
 *             less those below min-p of the largest
 * token     = drawn from the cut by weight; at temperature 0 the first of the order
 * </pre>
 *
 * All in double and in that order, so a seed gives one text, whatever else runs.
 */
final class Sampler {
    private final Sampling sampling;
    private final SplittableRandom random;
    private final boolean[] seen;
    private final int[] times;
    private final double[] penalised;

    /**
     * @param prompt its ids, below {@code candidates} or not
     * @param candidates ids below this one may be drawn; the rest of the vocabulary is padding
     */
    Sampler(Sampling sampling, int[] prompt, int candidates) {
        this.sampling = sampling;
        random = new SplittableRandom(sampling.seed());
        seen = new boolean[candidates];
        times = new int[candidates];
        penalised = new double[candidates];
        for (int id : prompt) {
            if (id < candidates) {
                seen[id] = true;
            }
        }
    }

    /**
     * The next token, which counts as part of the text from now on.
     *
     * @throws EngineException if the largest logit is not finite
     */
    int next(float[] logits, int from) {
        penalise(logits, from);
        int best = largest();
        int token = sampling.temperature() == 0 ? best : draw(best);
        seen[token] = true;
        times[token]++;
        return token;
    }

    private void penalise(float[] logits, int from) {
        for (int id = 0; id < penalised.length; id++) {
            double logit = logits[from + id];
            if (seen[id]) {
                double penalty = sampling.repetitionPenalty();
                logit = logit > 0 ? logit / penalty : logit * penalty;
            }
            if (times[id] > 0) {
                logit -= sampling.presencePenalty() + sampling.frequencyPenalty() * times[id];
            }
            penalised[id] = logit;
        }
    }

    private int largest() {
        int best = -1;
        for (int id = 0; id < penalised.length; id++) {
            if (penalised[id] > Double.NEGATIVE_INFINITY && (best < 0 || penalised[id] > penalised[best])) {
                best = id;
            }
        }
        if (best < 0 || penalised[best] == Double.POSITIVE_INFINITY) {
            throw new EngineException("the logits are not finite: the checkpoint or the cache is broken");
        }
        return best;
    }

    private int draw(int best) {
        int[] order = IntStream.range(0, penalised.length)
                .filter(id -> penalised[id] > Double.NEGATIVE_INFINITY)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer id) -> -penalised[id])
                        .thenComparingInt(id -> id))
                .limit(sampling.topK() == 0 ? penalised.length : sampling.topK())
                .mapToInt(Integer::intValue)
                .toArray();
        double[] weight = new double[order.length];
        double sum = 0;
        for (int i = 0; i < order.length; i++) {
            weight[i] = Math.exp((penalised[order[i]] - penalised[best]) / sampling.temperature());
            sum += weight[i];
        }
        int cut = 0;
        double kept = 0;
        // The largest weighs 1, so a weight is also its part of the largest. The first always stays.
        while (cut < order.length && (cut == 0 || (kept < sampling.topP() * sum && weight[cut] >= sampling.minP()))) {
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
}
