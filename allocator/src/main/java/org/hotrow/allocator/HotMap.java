package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;
import org.eclipse.collections.impl.map.mutable.primitive.IntIntHashMap;

/**
 * The hot region of one request, for the layers of one unit: which position of the request each slot holds. A slot is a
 * row of the region, in every layer of the unit at once. Keyed by position, so that nothing that happens to host pages
 * or to other requests can make an entry wrong; it starts empty whenever the request gets the region.
 */
public final class HotMap {
    private static final int EMPTY = -1;

    private final HotReplacement replacement;
    private final int[] positionOf;
    private final IntIntHashMap slotOf = new IntIntHashMap();
    private final int[] missSlots;
    private final int[] missPositions;
    private int misses;
    private long lookups;
    private long hits;

    /** An empty map of {@code slots} rows. */
    public HotMap(int slots, HotReplacement replacement) {
        this.replacement = replacement;
        positionOf = new int[slots];
        missSlots = new int[slots];
        missPositions = new int[slots];
        Arrays.fill(positionOf, EMPTY);
    }

    /** Forgets everything. */
    public void reset() {
        Arrays.fill(positionOf, EMPTY);
        slotOf.clear();
        replacement.reset();
        misses = 0;
    }

    /**
     * Finds a slot for every position of a step that is not resident. The misses are to be loaded before the slots are
     * read. No slot that the step reads is given away by it.
     *
     * @param positions -1 masks; a position may come more than once
     * @param slots takes a slot per position, -1 where it is masked
     * @throws IllegalArgumentException if the distinct positions are more than the slots
     */
    public void resolve(int[] positions, int count, int[] slots) {
        BitSet found = new BitSet();
        misses = 0;
        var missed = new IntIntHashMap();
        for (int i = 0; i < count; i++) {
            int position = positions[i];
            slots[i] = position == -1 ? -1 : slotOf.getIfAbsent(position, EMPTY);
            if (slots[i] >= 0) {
                found.set(slots[i]);
            } else if (position != -1 && !missed.containsKey(position)) {
                missed.put(position, misses);
                if (misses == missSlots.length) {
                    throw tooMany(missed.size() + found.cardinality());
                }
                missPositions[misses++] = position;
            }
            lookups += position == -1 ? 0 : 1;
            hits += position == -1 ? 0 : 1;
        }
        if (misses + found.cardinality() > positionOf.length) {
            throw tooMany(misses + found.cardinality());
        }
        hits -= misses;
        replacement.resolve(found, missSlots, misses);
        for (int i = 0; i < misses; i++) {
            load(missSlots[i], missPositions[i]);
        }
        for (int i = 0; i < count; i++) {
            if (slots[i] < 0 && positions[i] != -1) {
                slots[i] = slotOf.get(positions[i]);
            }
        }
    }

    private void load(int slot, int position) {
        if (positionOf[slot] != EMPTY) {
            slotOf.remove(positionOf[slot]);
        }
        positionOf[slot] = position;
        slotOf.put(position, slot);
    }

    private IllegalArgumentException tooMany(int positions) {
        return new IllegalArgumentException(
                positions + " positions or more in a hot region of " + positionOf.length + " rows");
    }

    /** Rows that the last resolve has to load. */
    public int misses() {
        return misses;
    }

    /** The slot of the i-th row to load. */
    public int missSlot(int i) {
        return missSlots[i];
    }

    /** The position of the i-th row to load. */
    public int missPosition(int i) {
        return missPositions[i];
    }

    /** Positions looked up so far. */
    public long lookups() {
        return lookups;
    }

    /** Those among them that were there or that the same step loads anyway. */
    public long hits() {
        return hits;
    }

    /** Position by slot and slot by position are inverse. */
    public void check() {
        int used = 0;
        for (int slot = 0; slot < positionOf.length; slot++) {
            int position = positionOf[slot];
            used += position == EMPTY ? 0 : 1;
            Check.that(position == EMPTY || slotOf.getIfAbsent(position, EMPTY) == slot, "hot slot {}", slot);
        }
        Check.that(used == slotOf.size(), "{} hot slots, {} positions", used, slotOf.size());
    }
}
