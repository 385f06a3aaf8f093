package org.hotrow.bench;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.hotrow.kernels.TopK;

/**
 * Selections of one indexer over the steps of a decode, made up: which positions are looked at again, and for how long.
 *
 * <pre>
 * score(p, t) = slow(p, t) + flicker * fast(p, t) + recent, for the last positions + sink, for the first
 * slow        AR(1), correlation {@code slow} from step to step: what the text is about
 * fast        AR(1), correlation {@code fast}: what a single token asks for
 * selection   the k best of the scores, ascending
 * </pre>
 *
 * Each step adds a position. The parameters are fitted to published miss rates, see {@link MissRates}; nobody has
 * published selections.
 */
final class SelectionStream {
    private static final int SINKS = 4;
    private static final int RECENT = 64;
    /** Positions that every selection holds. */
    static final int ALWAYS_SELECTED = SINKS + RECENT;

    /** More than any score. */
    private static final float ALWAYS = 100;

    /**
     * How selections move.
     *
     * @param slow correlation of the slow part from step to step
     * @param fast correlation of the fast part
     * @param flicker size of the fast part, the slow one being 1
     */
    record Locality(double slow, double fast, double flicker) {}

    private final Locality locality;
    private final SplittableRandom random;
    private final TopK topK;
    private final int k;
    private final float[] slow;
    private final float[] fast;
    private final float[] scores;
    private int length;

    /** A stream that begins with {@code length} positions and takes at most {@code steps} steps. */
    SelectionStream(Locality locality, int k, int length, int steps, long seed) {
        this.locality = locality;
        this.k = k;
        this.length = length;
        random = new SplittableRandom(seed);
        topK = new TopK(k);
        slow = new float[length + steps];
        fast = new float[length + steps];
        scores = new float[length + steps];
        for (int p = 0; p < slow.length; p++) {
            slow[p] = (float) random.nextGaussian();
            fast[p] = (float) random.nextGaussian();
        }
    }

    /** The selection of the next step: k positions, -1 after the last if there are fewer. */
    int[] next() {
        length++;
        float keepSlow = (float) locality.slow;
        float keepFast = (float) locality.fast;
        float newSlow = (float) Math.sqrt(1 - locality.slow * locality.slow);
        float newFast = (float) Math.sqrt(1 - locality.fast * locality.fast);
        for (int p = 0; p < length; p++) {
            slow[p] = keepSlow * slow[p] + newSlow * (float) random.nextGaussian();
            fast[p] = keepFast * fast[p] + newFast * (float) random.nextGaussian();
            boolean always = p < SINKS || p >= length - RECENT;
            scores[p] = slow[p] + (float) locality.flicker * fast[p] + (always ? ALWAYS : 0);
        }
        int[] selection = new int[k];
        topK.select(scores, length, k, selection, 0);
        return selection;
    }

    /** Scores of the last step's positions, in order; always selected ones have more than any other. */
    float[] scores() {
        return Arrays.copyOf(scores, length);
    }
}
