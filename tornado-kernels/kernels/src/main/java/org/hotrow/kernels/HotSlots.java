package org.hotrow.kernels;

import java.util.Arrays;

/**
 * What the hot regions of all requests hold. It stays on the device from step to step; a slot is a row of a region, in
 * every layer of a unit at once.
 *
 * <pre>
 * positionOf  [seats][units][slots]   the position that each slot holds; -1 = none
 * order       [seats][units][slots]   the slots, the one that makes room next first
 * </pre>
 */
public final class HotSlots {
    final int[] positionOf;
    final int[] order;
    private final int units;
    private final int slots;

    /** Empty regions of so many slots each, 8 bytes a slot. */
    public HotSlots(int seats, int units, int slots) {
        this.units = units;
        this.slots = slots;
        int all = Math.multiplyExact(Math.multiplyExact(seats, units), slots);
        positionOf = new int[all];
        order = new int[all];
        for (int seat = 0; seat < seats; seat++) {
            reset(seat);
        }
    }

    /** Slots of a region. */
    public int slots() {
        return slots;
    }

    /** Empties the regions of a seat. */
    public void reset(int seat) {
        Arrays.fill(positionOf, region(seat, 0), region(seat + 1, 0), -1);
        for (int i = region(seat, 0); i < region(seat + 1, 0); i++) {
            order[i] = i % slots;
        }
    }

    /** Where the region of a seat and unit begins in both arrays. */
    int region(int seat, int unit) {
        return (seat * units + unit) * slots;
    }
}
