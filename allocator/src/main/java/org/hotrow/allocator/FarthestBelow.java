package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The row whose index score in this step lies farthest below the threshold goes first: it has the longest way back. Needs
 * scores.
 *
 * <pre>
 * value = smooth * value + (1 - smooth) * score of this step       an unknown value is the first score
 * </pre>
 *
 * All rows of a region are scored in each step, selected or not, so a loaded row has a value from the next step on.
 */
public final class FarthestBelow implements HotReplacement {
    private final ByValue order;
    private final float[] values;
    private final float smooth;

    /**
     * Over slots 0 to {@code slots} - 1.
     *
     * @param smooth weight of the steps before, 0 to 1
     */
    public FarthestBelow(int slots, float smooth) {
        order = new ByValue(slots);
        values = new float[slots];
        this.smooth = smooth;
        reset();
    }

    @Override
    public void reset() {
        order.reset();
        Arrays.fill(values, Float.NEGATIVE_INFINITY);
    }

    @Override
    public void scores(float[] held, float[] missed) {
        for (int slot = 0; slot < values.length; slot++) {
            boolean known = values[slot] > Float.NEGATIVE_INFINITY;
            values[slot] = known ? smooth * values[slot] + (1 - smooth) * held[slot] : held[slot];
        }
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        order.resolve(values, hits, victims, misses);
        for (int m = 0; m < misses; m++) {
            values[victims[m]] = Float.NEGATIVE_INFINITY;
        }
    }
}
