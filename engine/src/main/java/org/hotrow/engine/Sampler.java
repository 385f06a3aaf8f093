package org.hotrow.engine;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Draws the tokens of one request from their logits.
 *
 * <pre>
 * penalised = logit / or * repetition penalty  if the token is in prompt or text
 *             - presence penalty               if it is in the text
 *             - frequency penalty * times      that it is in the text
 * order     = candidates by (penalised descending, id ascending), the first top-k of them
 * weight    = exp((penalised - largest) / temperature)
 * cut       = the shortest prefix of the order whose weights, added in that order, reach top-p of their sum,
 *             less those below min-p of the largest; the first always stays; top-p 1 cuts nothing
 * token     = drawn from the cut by weight; at temperature 0 the first of the order
 * </pre>
 *
 * <p>All in double. The sum of the weights of order and cut is taken by ascending id, and so does the drawing go through
 * the cut. So a seed gives one text, whatever else runs. Nothing is allocated after the first token.
 */
final class Sampler {
    private final Sampling sampling;
    private final BitSet candidates;
    private final SplittableRandom random;
    private final boolean[] seen;
    private final int[] times;
    private final double[] penalised;
    private final double[] weight;
    private final Ranking order;

    /**
     * @param prompt its ids, candidates or not
     * @param candidates ids that may be drawn; the rest of the vocabulary is padding
     */
    Sampler(Sampling sampling, int[] prompt, BitSet candidates) {
        this.sampling = sampling;
        this.candidates = candidates;
        random = new SplittableRandom(sampling.seed());
        int ids = candidates.length();
        seen = new boolean[ids];
        times = new int[ids];
        penalised = new double[ids];
        boolean draws = sampling.temperature() > 0;
        weight = new double[draws ? ids : 0];
        order = new Ranking(draws ? ids : 0);
        for (int id : prompt) {
            if (id < ids) {
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
            double logit = candidates.get(id) ? logits[from + id] : Double.NEGATIVE_INFINITY;
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
        for (int id = 0; id < weight.length; id++) {
            boolean candidate = penalised[id] > Double.NEGATIVE_INFINITY;
            weight[id] = candidate ? Math.exp((penalised[id] - penalised[best]) / sampling.temperature()) : 0;
        }
        cutByRank();
        cutByWeight();
        double point = random.nextDouble() * sum();
        int last = best;
        for (int id = 0; id < weight.length; id++) {
            if (weight[id] > 0) {
                point -= weight[id];
                last = id;
                if (point < 0) {
                    return id;
                }
            }
        }
        return last;
    }

    /** Leaves the top-k and of those the nucleus that top-p asks for. */
    private void cutByRank() {
        if (sampling.topK() == 0 && sampling.topP() == 1) {
            return;
        }
        order.start(penalised);
        int count = order.size();
        if (sampling.topK() > 0 && sampling.topK() < count) {
            count = sampling.topK();
            keepUpTo(order.at(count - 1));
        }
        if (sampling.topP() < 1) {
            double enough = sampling.topP() * sum();
            int rank = 0;
            double kept = weight[order.at(rank)];
            while (rank + 1 < count && kept < enough) {
                rank++;
                kept += weight[order.at(rank)];
            }
            keepUpTo(order.at(rank));
        }
    }

    private void keepUpTo(int last) {
        for (int id = 0; id < weight.length; id++) {
            if (order.before(last, id)) {
                weight[id] = 0;
            }
        }
    }

    /** The largest weighs 1, so a weight is also its part of the largest. */
    private void cutByWeight() {
        for (int id = 0; id < weight.length; id++) {
            if (weight[id] < sampling.minP()) {
                weight[id] = 0;
            }
        }
    }

    private double sum() {
        double sum = 0;
        for (double w : weight) {
            sum += w;
        }
        return sum;
    }
}
