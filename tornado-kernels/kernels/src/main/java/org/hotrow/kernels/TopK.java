package org.hotrow.kernels;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Selects the positions of the k best scores.
 *
 * <p>The key of a position is its score, with -0 made +0 and NaN made -Infinity; positions are ordered by (key
 * descending, position ascending). The result lists the first k of that order, ascending by position, then -1.
 *
 * <p>That order packed into one long, so that comparing two positions is comparing two longs:
 *
 * <pre>
 * bit 63 .. 32   the key's bits, negative ones mirrored: ascending as a signed int
 *     31 .. 0    the position's complement: ascending for falling positions
 * </pre>
 *
 * One pass keeps the k largest ranks in a heap, the smallest of them on top; a rank that beats it takes its place. A
 * second lists the positions. So n scores in any order take O(n log k) steps, and mostly two comparisons each.
 *
 * <p>An instance is the scratch of one thread; selecting allocates nothing.
 */
public final class TopK {
    private final int maxK;
    private final long[] best;

    /** Scratch for selections of up to {@code maxK} positions: 8 bytes for each. */
    public TopK(int maxK) {
        if (maxK < 1 || maxK > Integer.MAX_VALUE / 4) {
            throw new IllegalArgumentException("top-k of " + maxK + ": expected 1 to " + Integer.MAX_VALUE / 4);
        }
        this.maxK = maxK;
        best = new long[maxK];
    }

    /** As the other, for scores that begin at index 0. */
    public int select(float[] scores, int count, int k, int[] out, int outFrom) {
        return select(scores, 0, count, k, out, outFrom);
    }

    /**
     * Selects among {@code scores[from .. from+count-1]}, whose positions count from 0, into {@code out[outFrom ..
     * outFrom+k-1]}, for k of 1 to the maximum.
     *
     * @return how many positions are valid: {@code min(k, count)}
     */
    public int select(float[] scores, int from, int count, int k, int[] out, int outFrom) {
        check(scores, from, count, k, out, outFrom);
        if (k > maxK) {
            throw new IllegalArgumentException("top-k of " + k + " with scratch for " + maxK);
        }
        int valid = Math.min(k, count);
        if (count <= k) {
            for (int position = 0; position < count; position++) {
                out[outFrom + position] = position;
            }
        } else {
            collect(scores, from, count, k);
            list(scores, from, count, out, outFrom);
        }
        Arrays.fill(out, outFrom + valid, outFrom + k, -1);
        return valid;
    }

    /** As {@link #select}, by sorting all positions. */
    public static int reference(float[] scores, int count, int k, int[] out, int outFrom) {
        check(scores, 0, count, k, out, outFrom);
        Comparator<Integer> byKeyDescending = (a, b) -> {
            float keyA = Float.isNaN(scores[a]) ? Float.NEGATIVE_INFINITY : scores[a];
            float keyB = Float.isNaN(scores[b]) ? Float.NEGATIVE_INFINITY : scores[b];
            return keyA > keyB ? -1 : keyA < keyB ? 1 : 0;
        };
        int[] selected = IntStream.range(0, count)
                .boxed()
                .sorted(byKeyDescending.thenComparing(Comparator.naturalOrder()))
                .limit(k)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        Arrays.fill(out, outFrom, outFrom + k, -1);
        System.arraycopy(selected, 0, out, outFrom, selected.length);
        return selected.length;
    }

    /** Leaves the k largest ranks of more than k, as a heap. */
    private void collect(float[] scores, int from, int count, int k) {
        for (int position = 0; position < k; position++) {
            best[position] = rank(scores[from + position], position);
        }
        heapify(k);
        for (int position = k; position < count; position++) {
            long rank = rank(scores[from + position], position);
            if (rank > best[0]) {
                best[0] = rank;
                sink(0, k);
            }
        }
    }

    /** Ranks differ, so those from the smallest of the heap on are the k: a second pass meets them in order. */
    private void list(float[] scores, int from, int count, int[] out, int outFrom) {
        int listed = outFrom;
        for (int position = 0; position < count; position++) {
            if (rank(scores[from + position], position) >= best[0]) {
                out[listed++] = position;
            }
        }
    }

    private void heapify(int size) {
        for (int parent = size / 2 - 1; parent >= 0; parent--) {
            sink(parent, size);
        }
    }

    /** Moves the value at {@code from} down until both below it are larger. */
    private void sink(int from, int size) {
        long value = best[from];
        int parent = from;
        for (int child = 2 * parent + 1; child < size; child = 2 * parent + 1) {
            if (child + 1 < size && best[child + 1] < best[child]) {
                child++;
            }
            if (value <= best[child]) {
                break;
            }
            best[parent] = best[child];
            parent = child;
        }
        best[parent] = value;
    }

    private static long rank(float score, int position) {
        float key = Float.isNaN(score) ? Float.NEGATIVE_INFINITY : score + 0f;
        int bits = Float.floatToRawIntBits(key);
        int ascending = bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
        return (long) ascending << 32 | Integer.toUnsignedLong(~position);
    }

    private static void check(float[] scores, int from, int count, int k, int[] out, int outFrom) {
        if (k < 1 || from < 0 || count < 0 || count > scores.length - from || outFrom < 0 || outFrom > out.length - k) {
            throw new IllegalArgumentException("top-k of " + k + " among " + count + " from " + from + " of "
                    + scores.length + " scores into " + out.length + " slots from " + outFrom);
        }
    }
}
