package org.hotrow.allocator;

import java.util.BitSet;

/** Decides which slots of a hot region make room. One object serves one unit of one request. */
public interface HotReplacement {
    /** All slots are empty. */
    void reset();

    /**
     * Takes note of one resolve and chooses the slots that its misses are loaded to.
     *
     * @param hits slots that were found; none of them is chosen
     * @param victims takes the chosen slots, a different one for each miss
     * @param misses how many; with the hits no more than there are slots
     */
    void resolve(BitSet hits, int[] victims, int misses);
}
