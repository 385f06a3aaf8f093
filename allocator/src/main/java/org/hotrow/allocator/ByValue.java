package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/** Slots by a value of each: the least goes first, of equal ones the one that was read longest ago, then the lower. */
final class ByValue {
    private final long[] keys;
    /** By slot, the step that read it last; 0 for none. */
    private final int[] readAt;

    private final int[] candidates;
    private int step;

    ByValue(int slots) {
        keys = new long[slots];
        readAt = new int[slots];
        candidates = new int[slots];
    }

    void reset() {
        step = 0;
        Arrays.fill(readAt, 0);
    }

    /** As {@link HotReplacement#resolve}; values are compared as selection compares scores. */
    void resolve(float[] values, BitSet hits, int[] victims, int misses) {
        int count = 0;
        for (int slot = hits.nextClearBit(0); slot < readAt.length; slot = hits.nextClearBit(slot + 1)) {
            candidates[count++] = slot;
        }
        sortByAge(count);
        for (int i = 0; i < count; i++) {
            keys[i] = key(values[candidates[i]]) << Integer.SIZE | i;
        }
        Arrays.sort(keys, 0, count);
        step++;
        for (int m = 0; m < misses; m++) {
            victims[m] = candidates[(int) keys[m]];
            readAt[victims[m]] = step;
        }
        for (int slot = hits.nextSetBit(0); slot >= 0; slot = hits.nextSetBit(slot + 1)) {
            readAt[slot] = step;
        }
    }

    private void sortByAge(int count) {
        for (int i = 0; i < count; i++) {
            keys[i] = (long) readAt[candidates[i]] << Integer.SIZE | candidates[i];
        }
        Arrays.sort(keys, 0, count);
        for (int i = 0; i < count; i++) {
            candidates[i] = (int) keys[i];
        }
    }

    /** Ascending as a signed int; NaN as -Infinity, -0 as +0. */
    static long key(float value) {
        int bits = Float.floatToRawIntBits(Float.isNaN(value) ? Float.NEGATIVE_INFINITY : value + 0f);
        return bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
    }
}
