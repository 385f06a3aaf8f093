package org.hotrow.kernels;

import java.util.Arrays;

/**
 * What the hot regions of all requests hold. It stays on the device from step to step; a slot is a row of a region, in
 * every layer of a unit at once.
 *
 * <pre>
 * positionOf  [seats][units][slots]   the position that each slot holds; -1 = none
 * order       [seats][units][slots]   the slots, the least recently used first
 * value       [seats][units][slots]   with {@link Replacement#SCORE}: the lowest makes room first
 *
 * value = (value + score) / 2         score: what the unit's indexer said of the slot's position in this step
 * value = score                       if one of them isn't finite; NaN counts as -Infinity
 *
 * empty   -Infinity                   loaded   +Infinity: it stays until it is scored
 * </pre>
 */
public final class HotSlots {
    final int[] positionOf;
    final int[] order;
    final float[] value;
    private final Replacement replacement;
    private final int units;
    private final int slots;

    /** As the other, for the least recently used. */
    public HotSlots(int seats, int units, int slots) {
        this(seats, units, slots, Replacement.LRU);
    }

    /** Empty regions of so many slots each: 8 bytes a slot, with scores 12. */
    public HotSlots(int seats, int units, int slots, Replacement replacement) {
        this.replacement = replacement;
        this.units = units;
        this.slots = slots;
        int all = Math.multiplyExact(Math.multiplyExact(seats, units), slots);
        positionOf = new int[all];
        order = new int[all];
        value = new float[replacement == Replacement.SCORE ? all : 0];
        for (int seat = 0; seat < seats; seat++) {
            reset(seat);
        }
    }

    /** Slots of a region. */
    public int slots() {
        return slots;
    }

    /** What makes room. */
    public Replacement replacement() {
        return replacement;
    }

    /** The position that a slot holds, -1 for none. */
    public int position(int seat, int unit, int slot) {
        return positionOf[region(seat, unit) + slot];
    }

    /** The i-th slot, the least recently used first. */
    public int slot(int seat, int unit, int i) {
        return order[region(seat, unit) + i];
    }

    /** The smoothed score of a slot's position. */
    public float value(int seat, int unit, int slot) {
        return value[region(seat, unit) + slot];
    }

    /**
     * Takes note of what a step's index scores say of the positions that a region holds. Before the step's first resolve,
     * and of one row of the request: what is selected for others is resolved by the same values.
     *
     * @param scores {@code scores[from + position]} for positions 0 to {@code count} - 1; values of others stay
     */
    public void score(int seat, int unit, float[] scores, int from, int count) {
        int end = region(seat, unit) + slots;
        for (int slot = region(seat, unit); slot < end; slot++) {
            int position = positionOf[slot];
            if (position >= 0 && position < count) {
                value[slot] = smoothed(value[slot], scores[from + position]);
            }
        }
    }

    private static float smoothed(float value, float score) {
        float known = Float.isNaN(score) ? Float.NEGATIVE_INFINITY : score;
        return Float.isFinite(value) && Float.isFinite(known) ? (value + known) * 0.5f : known;
    }

    /** Empties the regions of a seat. */
    public void reset(int seat) {
        Arrays.fill(positionOf, region(seat, 0), region(seat + 1, 0), -1);
        for (int i = region(seat, 0); i < region(seat + 1, 0); i++) {
            order[i] = i % slots;
        }
        if (replacement == Replacement.SCORE) {
            Arrays.fill(value, region(seat, 0), region(seat + 1, 0), Float.NEGATIVE_INFINITY);
        }
    }

    /** Where the region of a seat and unit begins in each array. */
    int region(int seat, int unit) {
        return (seat * units + unit) * slots;
    }
}
