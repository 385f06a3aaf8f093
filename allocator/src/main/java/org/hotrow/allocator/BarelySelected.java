package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Least recently used first, but rows that were loaded for a score among the lowest of their step make room before all
 * others, until they are read again: they are read, and not admitted. Needs scores.
 *
 * <pre>
 * scores of the step, descending   h h m h h m h | m h m       hits and misses; behind the line the lowest share
 * not admitted                                     m   m
 * </pre>
 */
public final class BarelySelected implements HotReplacement {
    private static final float ADMITTED = 1;

    private final ByValue order;
    private final float[] values;
    private final float[] held;
    private final float[] missed;
    private final float[] sorted;
    private final double share;

    /**
     * Over slots 0 to {@code slots} - 1.
     *
     * @param share of the step's rows, from the lowest score on
     */
    public BarelySelected(int slots, double share) {
        order = new ByValue(slots);
        values = new float[slots];
        held = new float[slots];
        missed = new float[slots];
        sorted = new float[slots];
        this.share = share;
    }

    @Override
    public void reset() {
        order.reset();
        Arrays.fill(values, 0);
    }

    @Override
    public void scores(float[] held, float[] missed) {
        System.arraycopy(held, 0, this.held, 0, held.length);
        System.arraycopy(missed, 0, this.missed, 0, missed.length);
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        order.resolve(values, hits, victims, misses);
        float line = line(hits, misses);
        for (int slot = hits.nextSetBit(0); slot >= 0; slot = hits.nextSetBit(slot + 1)) {
            values[slot] = ADMITTED;
        }
        for (int m = 0; m < misses; m++) {
            values[victims[m]] = missed[m] < line ? 0 : ADMITTED;
        }
    }

    /** The lowest score above the share. */
    private float line(BitSet hits, int misses) {
        int count = 0;
        for (int slot = hits.nextSetBit(0); slot >= 0; slot = hits.nextSetBit(slot + 1)) {
            sorted[count++] = held[slot];
        }
        System.arraycopy(missed, 0, sorted, count, misses);
        count += misses;
        Arrays.sort(sorted, 0, count);
        return count == 0 ? Float.NEGATIVE_INFINITY : sorted[(int) (share * (count - 1))];
    }
}
