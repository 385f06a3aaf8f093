package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The row whose index score lies farthest below the threshold goes first: it has the longest way back. Needs scores.
 *
 * <pre>
 * value = smooth * value + (1 - smooth) * score of this step
 * value = score                                                    if one of them isn't finite; NaN counts as -Infinity
 *
 * empty   -Infinity        loaded   +Infinity: it stays until it is scored
 * </pre>
 *
 * All rows of a region are scored in each step, selected or not, so a loaded row has a value from the next step on. Of
 * equal values the least recently used goes first, in the order of {@link ExactLru}; that order also says which of those
 * that go takes the first miss.
 */
public final class FarthestBelow implements HotReplacement {
    private final int[] order;
    private final int[] found;
    private final long[] keys;
    private final boolean[] goes;
    private final float[] values;
    private final float smooth;

    /**
     * Over slots 0 to {@code slots} - 1.
     *
     * @param smooth weight of the steps before, 0 to 1
     */
    public FarthestBelow(int slots, float smooth) {
        order = new int[slots];
        found = new int[slots];
        keys = new long[slots];
        goes = new boolean[slots];
        values = new float[slots];
        this.smooth = smooth;
        reset();
    }

    @Override
    public void reset() {
        Arrays.setAll(order, slot -> slot);
        Arrays.fill(values, Float.NEGATIVE_INFINITY);
    }

    @Override
    public void scores(float[] held, float[] missed) {
        for (int slot = 0; slot < values.length; slot++) {
            float score = Float.isNaN(held[slot]) ? Float.NEGATIVE_INFINITY : held[slot];
            boolean both = Float.isFinite(values[slot]) && Float.isFinite(score);
            values[slot] = both ? smooth * values[slot] + (1 - smooth) * score : score;
        }
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        chooseLowest(hits, misses);
        int chosen = 0;
        int stale = 0;
        int hit = 0;
        for (int slot : order) {
            if (hits.get(slot)) {
                found[hit++] = slot;
            } else if (goes[slot]) {
                victims[chosen++] = slot;
                values[slot] = Float.POSITIVE_INFINITY;
            } else {
                order[stale++] = slot;
            }
        }
        System.arraycopy(victims, 0, order, stale, misses);
        System.arraycopy(found, 0, order, stale + misses, hit);
    }

    private void chooseLowest(BitSet hits, int misses) {
        int count = 0;
        for (int i = 0; i < order.length; i++) {
            if (!hits.get(order[i])) {
                keys[count++] = ByValue.key(values[order[i]]) << Integer.SIZE | i;
            }
        }
        Arrays.sort(keys, 0, count);
        Arrays.fill(goes, false);
        for (int m = 0; m < misses; m++) {
            goes[order[(int) keys[m]]] = true;
        }
    }
}
