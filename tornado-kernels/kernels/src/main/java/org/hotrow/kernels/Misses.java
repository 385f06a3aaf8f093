package org.hotrow.kernels;

import java.util.Arrays;
import java.util.Objects;

/**
 * The rows that a unit's resolves have to load before attention: decided once, at the anchor, and carried out for each
 * layer of the unit by {@link Gather}.
 */
public final class Misses {
    int[] hostRow = new int[64];
    int[] row = new int[64];
    private int count;
    long lookups;

    /** No misses. */
    public Misses() {}

    /** Forgets the loads. */
    public void clear() {
        count = 0;
        lookups = 0;
    }

    /** How many rows. */
    public int count() {
        return count;
    }

    /** Host row of the i-th load: page * 64 + offset. */
    public int hostRow(int i) {
        return hostRow[Objects.checkIndex(i, count)];
    }

    /** Device row of the i-th load. */
    public int row(int i) {
        return row[Objects.checkIndex(i, count)];
    }

    /** Positions that were looked up because they are not resident; those that needed no load among them are hits. */
    public long lookups() {
        return lookups;
    }

    void add(int hostRowId, int rowId) {
        if (count == row.length) {
            hostRow = Arrays.copyOf(hostRow, 2 * count);
            row = Arrays.copyOf(row, 2 * count);
        }
        hostRow[count] = hostRowId;
        row[count++] = rowId;
    }
}
