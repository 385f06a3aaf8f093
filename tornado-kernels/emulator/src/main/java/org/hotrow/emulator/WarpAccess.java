package org.hotrow.emulator;

import java.util.Arrays;

/**
 * The accesses to one array by the lanes of a warp at one instruction.
 *
 * <pre>
 * part, a long:  offset 49 bits | bytes 8 | lane 5;  sorted by offset once the warp has stopped
 * </pre>
 */
final class WarpAccess {
    private long[] parts = new long[32];
    private int count;

    void add(int lane, long offset, int bytes) {
        if (count == parts.length) {
            parts = Arrays.copyOf(parts, 2 * count);
        }
        parts[count++] = (offset << 13) | ((long) bytes << 5) | lane;
    }

    void sort() {
        Arrays.sort(parts, 0, count);
    }

    int count() {
        return count;
    }

    long offset(int part) {
        return parts[part] >> 13;
    }

    int bytes(int part) {
        return (int) (parts[part] >> 5) & 0xFF;
    }

    int lane(int part) {
        return (int) parts[part] & 31;
    }
}
