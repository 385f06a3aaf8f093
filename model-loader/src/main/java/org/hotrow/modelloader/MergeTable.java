package org.hotrow.modelloader;

import java.util.Arrays;

/**
 * Merges by the two tokens that they join: a sorted array of
 *
 * <pre>
 * left id (21 bits) | right id (21 bits) | rank (21 bits)
 * </pre>
 *
 * Of merges of the same two tokens the last one counts, as in the tokenizers library.
 */
final class MergeTable {
    static final int NONE = -1;

    private static final int RANK_BITS = 21;
    private static final int RANK_MASK = (1 << RANK_BITS) - 1;

    private final long[] entries;
    private final int[] joined;

    /** The merge of rank r makes {@code joined[r]} of {@code left[r]} and {@code right[r]}; all arrays are kept. */
    MergeTable(int[] left, int[] right, int[] joined) {
        this.joined = joined;
        entries = new long[joined.length];
        for (int rank = 0; rank < joined.length; rank++) {
            entries[rank] = (pair(left[rank], right[rank]) << RANK_BITS) | rank;
        }
        Arrays.sort(entries);
    }

    private static long pair(int left, int right) {
        return ((long) left << RANK_BITS) | right;
    }

    /** The rank of the merge of two tokens, {@link #NONE} if they don't merge. */
    int rank(int left, int right) {
        long pair = pair(left, right);
        int found = Arrays.binarySearch(entries, (pair << RANK_BITS) | RANK_MASK);
        int last = found >= 0 ? found : -found - 2;
        return last >= 0 && entries[last] >>> RANK_BITS == pair ? (int) entries[last] & RANK_MASK : NONE;
    }

    /** The token that the merge of this rank makes. */
    int joined(int rank) {
        return joined[rank];
    }
}
