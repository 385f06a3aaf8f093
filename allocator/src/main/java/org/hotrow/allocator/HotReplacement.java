package org.hotrow.allocator;

import java.util.BitSet;

/** Decides which slots of a hot region make room. One object serves one unit of one request. */
public interface HotReplacement {
    /** All slots are empty. */
    void reset();

    /**
     * Tells the index scores of the step that the next {@link #resolve} is of, by whoever has them; most replacements ask
     * for none. A row is selected if its score is among the best of all rows, so the least score of the hits and misses is
     * the threshold.
     *
     * @param held by slot; that of an empty slot is -Infinity
     * @param missed by miss
     */
    default void scores(float[] held, float[] missed) {}

    /**
     * Takes note of one resolve and chooses the slots that its misses are loaded to.
     *
     * @param hits slots that were found; none of them is chosen
     * @param victims takes the chosen slots, a different one for each miss
     * @param misses how many; with the hits no more than there are slots
     */
    void resolve(BitSet hits, int[] victims, int misses);
}
