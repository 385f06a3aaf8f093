package org.hotrow.allocator;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The hot region of one request, for the layers of one unit: which position of the request each slot holds. A slot is a
 * row of the region, in every layer of the unit at once. Keyed by position, so that nothing that happens to host pages
 * or to other requests can make an entry wrong; it starts empty whenever the request gets the region.
 */
public final class HotMap {
    private static final int MASKED = -1;
    private static final int EMPTY = -1;
    /** Marks of {@link #entries}; any other entry is a slot + 1. */
    private static final int ABSENT = 0;

    private static final int LOADING = -1;

    private final HotReplacement replacement;
    private final int[] positionOf;
    /** By position, to the highest one that was asked for. */
    private int[] entries = {};

    private final BitSet found;
    private final int[] missSlots;
    private final int[] missPositions;
    private final float[] heldScores;
    private final float[] missScores;
    private int misses;
    private long lookups;
    private long loads;

    /** An empty map of {@code slots} rows. */
    public HotMap(int slots, HotReplacement replacement) {
        this.replacement = replacement;
        positionOf = new int[slots];
        found = new BitSet(slots);
        missSlots = new int[slots];
        missPositions = new int[slots];
        heldScores = new float[slots];
        missScores = new float[slots];
        Arrays.fill(positionOf, EMPTY);
    }

    /** Forgets everything. */
    public void reset() {
        Arrays.fill(positionOf, EMPTY);
        Arrays.fill(entries, ABSENT);
        replacement.reset();
        misses = 0;
    }

    /**
     * Finds a slot for every position of a step that is not resident. The misses are to be loaded before the slots are
     * read. No slot that the step reads is given away by it.
     *
     * @param positions -1 masks; a position may come more than once
     * @param slots takes a slot per position, -1 where it is masked
     * @throws IllegalArgumentException if the distinct positions are more than the slots; the map is empty then
     */
    public void resolve(int[] positions, int count, int[] slots) {
        find(positions, count);
        makeRoom();
        place(positions, count, slots);
    }

    /**
     * The same, for a replacement that asks for scores.
     *
     * @param scores by position of the request, as far as the positions that are held and looked up reach
     */
    public void resolve(int[] positions, int count, int[] slots, float[] scores) {
        find(positions, count);
        for (int slot = 0; slot < positionOf.length; slot++) {
            heldScores[slot] = positionOf[slot] == EMPTY ? Float.NEGATIVE_INFINITY : scores[positionOf[slot]];
        }
        for (int i = 0; i < Math.min(misses, missPositions.length); i++) {
            missScores[i] = scores[missPositions[i]];
        }
        replacement.scores(heldScores, missScores);
        makeRoom();
        place(positions, count, slots);
    }

    private void makeRoom() {
        if (misses + found.cardinality() > positionOf.length) {
            String asked =
                    misses + found.cardinality() + " positions in a hot region of " + positionOf.length + " rows";
            reset();
            throw new IllegalArgumentException(asked);
        }
        replacement.resolve(found, missSlots, misses);
        for (int i = 0; i < misses; i++) {
            load(missSlots[i], missPositions[i]);
        }
    }

    private void place(int[] positions, int count, int[] slots) {
        for (int i = 0; i < count; i++) {
            slots[i] = positions[i] == MASKED ? MASKED : entries[positions[i]] - 1;
        }
    }

    /** Splits the positions into slots found and misses, of which only as many as there are slots are kept. */
    private void find(int[] positions, int count) {
        found.clear();
        misses = 0;
        for (int i = 0; i < count; i++) {
            int position = positions[i];
            if (position == MASKED) {
                continue;
            }
            lookups++;
            if (position >= entries.length) {
                entries = Arrays.copyOf(entries, Math.max(position + 1, 2 * entries.length));
            }
            if (entries[position] > ABSENT) {
                found.set(entries[position] - 1);
            } else if (entries[position] == ABSENT) {
                entries[position] = LOADING;
                if (misses < missPositions.length) {
                    missPositions[misses] = position;
                }
                misses++;
            }
        }
        loads += misses;
    }

    private void load(int slot, int position) {
        if (positionOf[slot] != EMPTY) {
            entries[positionOf[slot]] = ABSENT;
        }
        positionOf[slot] = position;
        entries[position] = slot + 1;
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

    /** Whether a slot has the position. */
    boolean holds(int position) {
        return position < entries.length && entries[position] > ABSENT;
    }

    /** Positions looked up so far. */
    public long lookups() {
        return lookups;
    }

    /** Those among them that were there or that the same step loads anyway. */
    public long hits() {
        return lookups - loads;
    }

    /** Position by slot and slot by position are inverse. */
    public void check() {
        int used = 0;
        for (int slot = 0; slot < positionOf.length; slot++) {
            int position = positionOf[slot];
            used += position == EMPTY ? 0 : 1;
            Check.that(position == EMPTY || entries[position] == slot + 1, "hot slot {}", slot);
        }
        long entered = Arrays.stream(entries).filter(entry -> entry != ABSENT).count();
        Check.that(used == entered, "{} hot slots, {} positions", used, entered);
    }
}
