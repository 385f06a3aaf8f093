package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/** Any slot that was not found, each with the same probability, empty or not. */
public final class RandomReplacement implements HotReplacement {
    private final SplittableRandom random;
    /** A permutation; draws go to its end. */
    private final int[] slots;

    /** Over slots 0 to {@code slots} - 1; the same seed makes the same choices. */
    public RandomReplacement(int slots, long seed) {
        random = new SplittableRandom(seed);
        this.slots = new int[slots];
        Arrays.setAll(this.slots, slot -> slot);
    }

    /** Nothing is remembered but the state of the random numbers, which goes on. */
    @Override
    public void reset() {}

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        int left = slots.length;
        for (int chosen = 0; chosen < misses; ) {
            int draw = random.nextInt(left--);
            int slot = slots[draw];
            slots[draw] = slots[left];
            slots[left] = slot;
            if (!hits.get(slot)) {
                victims[chosen++] = slot;
            }
        }
    }
}
