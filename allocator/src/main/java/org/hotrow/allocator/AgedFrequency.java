package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Counts reads, old ones for less: the least count goes first, of equal ones the least recently used.
 *
 * <pre>
 * count = keep * count + (read in this step ? 1 : 0)       a loaded row begins with 1
 * </pre>
 *
 * With keep of at most a half it is least recently used first; near 1 it is least frequently used first.
 */
public final class AgedFrequency implements HotReplacement {
    private final ByValue order;
    private final float[] counts;
    private final float keep;

    /**
     * Over slots 0 to {@code slots} - 1.
     *
     * @param keep what a read counts after a step, 0 to 1
     */
    public AgedFrequency(int slots, float keep) {
        order = new ByValue(slots);
        counts = new float[slots];
        this.keep = keep;
    }

    @Override
    public void reset() {
        order.reset();
        Arrays.fill(counts, 0);
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        order.resolve(counts, hits, victims, misses);
        for (int slot = 0; slot < counts.length; slot++) {
            counts[slot] = keep * counts[slot] + (hits.get(slot) ? 1 : 0);
        }
        for (int m = 0; m < misses; m++) {
            counts[victims[m]] = 1;
        }
    }
}
