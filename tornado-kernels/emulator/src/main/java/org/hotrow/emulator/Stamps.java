package org.hotrow.emulator;

import org.jspecify.annotations.Nullable;

/**
 * Who touched each element of an array in one way (reads, say): enough to find an earlier access that conflicts.
 *
 * <pre>
 * stamp, a long:  group 22 bits | interval 16 | work-item 10 | site 16;  0 is nobody
 *                 (interval = barriers that the group has passed)
 * last            the latest access
 * other           the latest by another work-item than last's, in the same group and interval
 * outer           the latest by another group than last's
 * </pre>
 *
 * <p>Groups run one after another and intervals too, so these three decide: an access conflicts if it is another
 * group's, or another work-item's of the same interval.
 */
final class Stamps {
    static final int MAX_GROUPS = 1 << 22;
    static final int MAX_INTERVALS = 1 << 16;

    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final long[] @Nullable [] last;
    private final long[] @Nullable [] other;
    private final long[] @Nullable [] outer;

    Stamps(int elements) {
        int chunks = (elements + CHUNK - 1) >> CHUNK_BITS;
        last = new long[chunks][];
        other = new long[chunks][];
        outer = new long[chunks][];
    }

    static long stamp(int group, int interval, int item, int site) {
        return ((long) group << 42) | ((long) interval << 26) | ((long) item << 16) | site;
    }

    static int group(long stamp) {
        return (int) (stamp >>> 42);
    }

    static int item(long stamp) {
        return (int) (stamp >> 16) & 0x3FF;
    }

    static int site(long stamp) {
        return (int) stamp & 0xFFFF;
    }

    private static boolean sameInterval(long a, long b) {
        return a >>> 26 == b >>> 26;
    }

    private static boolean conflict(long earlier, long now) {
        return earlier != 0
                && (group(earlier) != group(now) || (sameInterval(earlier, now) && item(earlier) != item(now)));
    }

    /** A stamp of {@link #add} that conflicts with an access now, or 0. */
    long conflict(int index, long now) {
        long earlier = get(last, index);
        if (!conflict(earlier, now)) {
            earlier = get(other, index);
        }
        if (!conflict(earlier, now)) {
            earlier = get(outer, index);
        }
        return conflict(earlier, now) ? earlier : 0;
    }

    /** Notes an access. */
    void add(int index, long now) {
        long before = get(last, index);
        if (before != 0) {
            if (group(before) != group(now)) {
                set(outer, index, before);
            } else if (sameInterval(before, now) && item(before) != item(now)) {
                set(other, index, before);
            }
        }
        set(last, index, now);
    }

    private static long get(long[] @Nullable [] chunks, int index) {
        long[] chunk = chunks[index >> CHUNK_BITS];
        return chunk == null ? 0 : chunk[index & (CHUNK - 1)];
    }

    private static void set(long[] @Nullable [] chunks, int index, long stamp) {
        long[] chunk = chunks[index >> CHUNK_BITS];
        if (chunk == null) {
            chunk = new long[CHUNK];
            chunks[index >> CHUNK_BITS] = chunk;
        }
        chunk[index & (CHUNK - 1)] = stamp;
    }
}
