package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Rows that were read in two or more of the last four steps go after all others; among both, least recently used first.
 *
 * <pre>
 * reads of the last 4 steps   a .x..   b xx..   d .xx.   f ..x.       the last one right
 * least recently used first   b  a  d  f
 * goes first                  a  f  b  d
 * </pre>
 */
public final class LatelyFrequent implements HotReplacement {
    private static final int STEPS = 4;
    private static final int ENOUGH = 2;
    private static final float PROTECTED = 1;

    private final ByValue order;
    private final float[] values;
    /** By slot, a bit for each of the last steps, the last one lowest. */
    private final int[] reads;

    /** Over slots 0 to {@code slots} - 1. */
    public LatelyFrequent(int slots) {
        order = new ByValue(slots);
        values = new float[slots];
        reads = new int[slots];
    }

    @Override
    public void reset() {
        order.reset();
        Arrays.fill(reads, 0);
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        for (int slot = 0; slot < reads.length; slot++) {
            values[slot] = Integer.bitCount(reads[slot]) >= ENOUGH ? PROTECTED : 0;
        }
        order.resolve(values, hits, victims, misses);
        for (int slot = 0; slot < reads.length; slot++) {
            int read = hits.get(slot) ? 1 : 0;
            reads[slot] = (reads[slot] << 1 | read) & ((1 << STEPS) - 1);
        }
        for (int m = 0; m < misses; m++) {
            reads[victims[m]] = 1;
        }
    }
}
