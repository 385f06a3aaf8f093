package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * First loaded, first replaced; being found changes nothing, except that the slots of the resolve itself are passed over.
 *
 * <pre>
 * before   a b C d E f     C, E found, two misses
 * after    C d E f | a b
 * </pre>
 */
public final class Fifo implements HotReplacement {
    private final int[] order;

    /** Over slots 0 to {@code slots} - 1. */
    public Fifo(int slots) {
        order = new int[slots];
        reset();
    }

    @Override
    public void reset() {
        Arrays.setAll(order, slot -> slot);
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        int chosen = 0;
        int kept = 0;
        for (int slot : order) {
            if (chosen < misses && !hits.get(slot)) {
                victims[chosen++] = slot;
            } else {
                order[kept++] = slot;
            }
        }
        System.arraycopy(victims, 0, order, kept, misses);
    }
}
