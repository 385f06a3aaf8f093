package org.hotrow.kernels;

import java.util.Arrays;

/**
 * Finds the device row of every position that a request has selected.
 *
 * <pre>
 * resident  block = blockTable[position / 64], not 0               row = block * 64 + position % 64
 * hot       positionOf[slot] = position                            row = hotTable[slot / 64] * 64 + slot % 64
 * miss      a slot that makes room, and a load of its row from     hostTable[position / 64] * 64 + position % 64
 * </pre>
 *
 * Looked up in that order; -1 stays -1, and output i belongs to input i. As many slots make room as there are misses: of
 * those that this call doesn't read the oldest, or with {@link Replacement#SCORE} those of the lowest value, of equal ones
 * the older. The m-th miss, by first occurrence, takes the m-th oldest of them. If every position is resident nothing
 * changes.
 *
 * <pre>
 * slots, oldest first    a b C d E f              C, E hit, two misses
 * afterwards, LRU        d f | a b | C E          stale, loaded, hit
 * value                  4 1 9 1 0 2
 * afterwards, SCORE      a f | b d | C E
 * </pre>
 *
 * <p>{@link HotSlots} stays from step to step; the tables belong to the step. One call takes the rows of one request
 * that attend together, so that none gives away a slot that another reads: {@link #fitting} says how many can.
 *
 * <p>Floor of a call, per position: 4 bytes in and 4 out, 4 of a table; per slot: 8 in and 4 out. By score
 * 4 more in per slot, and 4 out per miss.
 */
public final class Resolve {
    private static final int PAGE = 64;
    private static final int NOWHERE = -1;
    /** The miss m is noted as {@code FIRST_MISS - m}. */
    private static final int FIRST_MISS = -2;

    private final HotSlots hot;
    private final int[] blockTable;
    private final int[] hostTable;
    private final int maxPages;
    private final int[] hotTable;
    private final int maxHotBlocks;

    /** By position, while a call runs: its slot, a miss, or nowhere. */
    private final int[] slotOf;

    private final boolean[] read;
    private final int[] missed;
    private final int[] taken;
    private final int[] kept;

    /** Which of the slots that aren't read make room, oldest first: the first ones, if not by their values. */
    private final int[] chosen;

    /** Values of the slots that aren't read, lowest as the best. */
    private final float[] worst;

    private final TopK lowest;

    /**
     * A resolver over tables that change from step to step.
     *
     * @param blockTable {@code [seats][maxPages]}, 0 = lost
     * @param hostTable {@code [seats][maxPages]}, 0 = no completed copy
     * @param hotTable {@code [seats][maxHotBlocks]}, 0 = no hot region
     */
    public Resolve(HotSlots hot, int[] blockTable, int[] hostTable, int maxPages, int[] hotTable, int maxHotBlocks) {
        this.hot = hot;
        this.blockTable = blockTable;
        this.hostTable = hostTable;
        this.maxPages = maxPages;
        this.hotTable = hotTable;
        this.maxHotBlocks = maxHotBlocks;
        slotOf = new int[Math.multiplyExact(maxPages, PAGE)];
        Arrays.fill(slotOf, NOWHERE);
        read = new boolean[hot.slots()];
        missed = new int[hot.slots()];
        taken = new int[hot.slots()];
        kept = new int[hot.slots()];
        chosen = new int[hot.slots()];
        Arrays.setAll(chosen, i -> i);
        worst = new float[hot.slots()];
        lowest = new TopK(Math.max(1, hot.slots()));
    }

    /**
     * How many of {@code lists} lists, from the first on, can be resolved in one call: those whose selected positions
     * that are not resident, each counted once, are no more than there are slots. All of them, if all is resident.
     *
     * @param positions lists of {@code width} positions from {@code from} on, -1 masked
     * @throws IllegalStateException if not even the first can
     */
    public int fitting(int seat, int[] positions, int from, int width, int lists) {
        int distinct = 0;
        int fitting = 0;
        for (int end = from + width; fitting < lists && distinct <= hot.slots(); end += width) {
            for (int i = end - width; i < end; i++) {
                int position = positions[i];
                if (position >= 0 && block(seat, position) == 0 && slotOf[position] == NOWHERE) {
                    slotOf[position] = 0;
                    distinct++;
                }
            }
            fitting += distinct <= hot.slots() ? 1 : 0;
        }
        int seen = Math.min(lists, fitting + 1);
        for (int i = from; i < from + seen * width; i++) {
            if (positions[i] >= 0) {
                slotOf[positions[i]] = NOWHERE;
            }
        }
        if (fitting == 0 && lists > 0) {
            throw new IllegalStateException(
                    distinct + " positions of one token are not resident, and the hot region has " + hot.slots());
        }
        return fitting;
    }

    /**
     * Resolves {@code count} positions of the request on a seat, for the layers of one unit.
     *
     * @param rows takes a row id per position, from {@code rowsFrom} on
     * @param misses takes the loads
     */
    public void resolve(
            int seat, int unit, int[] positions, int from, int count, int[] rows, int rowsFrom, Misses misses) {
        int lookups = 0;
        for (int i = 0; i < count; i++) {
            int position = positions[from + i];
            int block = position < 0 ? 0 : block(seat, position);
            rows[rowsFrom + i] = block == 0 ? -1 : block * PAGE + position % PAGE;
            lookups += position >= 0 && block == 0 ? 1 : 0;
        }
        if (lookups == 0) {
            return;
        }
        if (hotTable[seat * maxHotBlocks] == 0) {
            throw new IllegalStateException("seat " + seat + " has lost pages and has no hot region");
        }
        int region = hot.region(seat, unit);
        for (int slot = 0; slot < hot.slots(); slot++) {
            int position = hot.positionOf[region + slot];
            if (position >= 0) {
                slotOf[position] = slot;
            }
        }
        int loads = find(seat, positions, from, count);
        makeRoom(region, loads);
        place(seat, positions, from, count, rows, rowsFrom);
        for (int m = 0; m < loads; m++) {
            misses.add(hostRow(seat, missed[m]), hotRow(seat, taken[m]));
            int old = hot.positionOf[region + taken[m]];
            if (old >= 0) {
                slotOf[old] = NOWHERE;
            }
            hot.positionOf[region + taken[m]] = missed[m];
            if (hot.replacement() == Replacement.SCORE) {
                hot.value[region + taken[m]] = Float.POSITIVE_INFINITY;
            }
        }
        for (int slot = 0; slot < hot.slots(); slot++) {
            if (hot.positionOf[region + slot] >= 0) {
                slotOf[hot.positionOf[region + slot]] = NOWHERE;
            }
        }
        misses.lookups += lookups;
    }

    /** Notes the slots that are read and the positions that no slot has; the result is how many those are. */
    private int find(int seat, int[] positions, int from, int count) {
        Arrays.fill(read, false);
        int loads = 0;
        for (int i = from; i < from + count; i++) {
            int position = positions[i];
            if (position < 0 || block(seat, position) != 0) {
                continue;
            }
            if (slotOf[position] >= 0) {
                read[slotOf[position]] = true;
            } else if (slotOf[position] == NOWHERE) {
                slotOf[position] = FIRST_MISS - loads;
                missed[loads++] = position;
            }
        }
        return loads;
    }

    /** Takes slots that are not read, and puts the order right. */
    private void makeRoom(int region, int loads) {
        if (loads > 0 && hot.replacement() == Replacement.SCORE) {
            chooseLowest(region, loads);
        }
        int unread = 0;
        int stale = 0;
        int found = 0;
        int loaded = 0;
        for (int i = 0; i < hot.slots(); i++) {
            int slot = hot.order[region + i];
            if (read[slot]) {
                kept[found++] = slot;
                continue;
            }
            if (loaded < loads && chosen[loaded] == unread) {
                taken[loaded++] = slot;
            } else {
                hot.order[region + stale++] = slot;
            }
            unread++;
        }
        System.arraycopy(taken, 0, hot.order, region + stale, loaded);
        System.arraycopy(kept, 0, hot.order, region + stale + loaded, found);
    }

    private void chooseLowest(int region, int loads) {
        int unread = 0;
        for (int i = 0; i < hot.slots(); i++) {
            int slot = hot.order[region + i];
            if (!read[slot]) {
                worst[unread++] = -hot.value[region + slot];
            }
        }
        lowest.select(worst, unread, loads, chosen, 0);
    }

    private void place(int seat, int[] positions, int from, int count, int[] rows, int rowsFrom) {
        for (int i = 0; i < count; i++) {
            int position = positions[from + i];
            if (position >= 0 && block(seat, position) == 0) {
                int slot = slotOf[position];
                rows[rowsFrom + i] = hotRow(seat, slot >= 0 ? slot : taken[FIRST_MISS - slot]);
            }
        }
    }

    private int block(int seat, int position) {
        return blockTable[seat * maxPages + position / PAGE];
    }

    private int hotRow(int seat, int slot) {
        return hotTable[seat * maxHotBlocks + slot / PAGE] * PAGE + slot % PAGE;
    }

    private int hostRow(int seat, int position) {
        int page = hostTable[seat * maxPages + position / PAGE];
        if (page == 0) {
            throw new IllegalStateException(
                    "position " + position + " of seat " + seat + " is neither on the device nor on the host");
        }
        return page * PAGE + position % PAGE;
    }
}
