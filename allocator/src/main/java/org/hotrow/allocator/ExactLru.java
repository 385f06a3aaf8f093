package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Least recently used first. Slots found or loaded in one resolve are equally recent, except that found ones go after
 * loaded ones, which nobody has asked for twice.
 *
 * <pre>
 * before   a b C d E f     C, E found, two misses
 * after    d f | a b | C E
 * </pre>
 */
public final class ExactLru implements HotReplacement {
    private final int[] order;
    private final int[] scratch;

    /** Over slots 0 to {@code slots} - 1. */
    public ExactLru(int slots) {
        order = new int[slots];
        scratch = new int[slots];
        reset();
    }

    @Override
    public void reset() {
        Arrays.setAll(order, slot -> slot);
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        int chosen = 0;
        int stale = 0;
        int found = 0;
        for (int slot : order) {
            if (hits.get(slot)) {
                scratch[found++] = slot;
            } else if (chosen < misses) {
                victims[chosen++] = slot;
            } else {
                order[stale++] = slot;
            }
        }
        System.arraycopy(victims, 0, order, stale, misses);
        System.arraycopy(scratch, 0, order, stale + misses, found);
    }

    /** The slots, next victim first. */
    int[] order() {
        return order.clone();
    }
}
