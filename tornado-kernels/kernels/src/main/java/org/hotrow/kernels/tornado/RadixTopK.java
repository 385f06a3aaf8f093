package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Selects the positions of the k best of each token's scores, exactly: {@link org.hotrow.kernels.TopK} is the plain
 * reference. Ascending by position, then -1; equal keys are taken by position; -0 counts as +0, NaN as -Infinity.
 *
 * <pre>
 * scores     [tokens][most tokens]      the bits of f32 scores of positions 0 to position[token]
 * request    [tokens]                   seat; padding -1: all -1
 * position   [tokens]
 * selected   [tokens][k]
 *
 * key        bits, the lower 31 of negative ones inverted: ascending as a signed int
 * digits     key bits 31..21 | 20..10 | 9..0
 *
 * histogram  [tokens][2048]             scratch, 0 before and after
 * state      [tokens][4]                the digits chosen so far, at their place; how many of them are wanted
 * tallies    [tokens][chunks][2]        keys above the last one wanted, and equal to it
 *
 * count      group per token and chunk  digits of keys whose upper digits are the chosen ones, three times
 * pick       group per token            the digit that the k-th best key has; three times
 * tally      group per token and chunk  of 4,096 positions
 * compact    group per token and chunk  a position's place is the number of those before it that are taken
 * </pre>
 *
 * A token with no more than k positions takes them all; its scores are not read.
 *
 * <p>Floor: 4 bytes per score read, {@code 4 * k} written. The scores are read five times; up to some ten million of
 * them stay in the second-level cache. Histograms are in global memory, with atomic additions of whole numbers: the
 * sums don't depend on their order.
 */
public final class RadixTopK {
    static final int CHUNK = 4096;
    private static final int ITEMS = 256;
    private static final int EACH = CHUNK / ITEMS;
    private static final int BINS = 2048;
    private static final int STATE = 4;
    private static final int CHOSEN = 0;
    private static final int WANTED = 1;
    /** Two counts in an int: keys above, and equal ones times this. */
    private static final int PACK = 1 << 16;

    private RadixTopK() {}

    /**
     * Sizes that don't change.
     *
     * @param mostTokens positions that a token's scores have room for
     */
    public record Shape(int tokens, int mostTokens, int k) {
        /** Refuses what the kernels can't index. */
        public Shape {
            if (tokens < 1 || mostTokens < 1 || k < 1) {
                throw new IllegalArgumentException(
                        "top " + k + " of " + mostTokens + " scores of " + tokens + " tokens");
            }
            Math.multiplyExact(tokens, mostTokens);
            Math.multiplyExact(tokens, Math.max(k, BINS));
        }

        int chunks() {
            return Math.ceilDiv(mostTokens, CHUNK);
        }

        /** Bytes that memory must move for one token at a position. */
        public long floorBytes(int position) {
            return 4L * k + (position < k ? 0 : 4L * (position + 1));
        }
    }

    /** Scratch of the kernels. */
    public record Scratch(IntArray histogram, IntArray state, IntArray tallies) {
        /** Scratch for a shape. */
        public static Scratch of(Shape shape) {
            Scratch scratch = new Scratch(
                    new IntArray(shape.tokens * BINS),
                    new IntArray(shape.tokens * STATE),
                    new IntArray(shape.tokens * shape.chunks() * 2));
            scratch.histogram.init(0);
            return scratch;
        }
    }

    /** Adds the digits of a chunk to the histogram. */
    public static void count(
            KernelContext context,
            IntArray scores,
            IntArray request,
            IntArray position,
            IntArray histogram,
            IntArray state,
            int pass,
            int mostTokens,
            int k,
            int chunks) {
        int token = context.groupIdx / chunks;
        int from = context.groupIdx % chunks * CHUNK;
        int n = length(token, request, position);
        if (n > k) {
            int end = Math.min(n, from + CHUNK);
            int chosen = pass == 0 ? 0 : state.get(token * STATE + CHOSEN);
            for (int i = from + context.localIdx; i < end; i += ITEMS) {
                int key = key(scores.get(token * mostTokens + i));
                if (pass == 0 || upper(key, pass) == upper(chosen, pass)) {
                    context.atomicAdd(histogram, token * BINS + digit(key, pass), 1);
                }
            }
        }
    }

    /** Chooses the digit of the last key wanted, and clears the histogram. */
    public static void pick(
            KernelContext context,
            IntArray request,
            IntArray position,
            IntArray histogram,
            IntArray state,
            int pass,
            int k) {
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int item = context.localIdx;
        int token = context.groupIdx;
        int ranked = length(token, request, position) > k ? 1 : 0;
        int wanted = k;
        int chosen = 0;
        if (pass > 0 && ranked == 1) {
            wanted = state.get(token * STATE + WANTED);
            chosen = state.get(token * STATE + CHOSEN);
        }
        // Items take bins from the largest digit down.
        int each = BINS / ITEMS * ranked;
        int top = token * BINS + BINS - 1 - item * each;
        int mine = 0;
        for (int i = 0; i < each; i++) {
            mine += histogram.get(top - i);
        }
        sums[item] = mine;
        for (int distance = 1; distance < ITEMS; distance *= 2) {
            context.localBarrier();
            int left = item < distance ? 0 : sums[item - distance];
            context.localBarrier();
            sums[item] += left;
        }
        int above = sums[item] - mine;
        for (int i = 0; i < each; i++) {
            int bin = histogram.get(top - i);
            if (above < wanted && above + bin >= wanted) {
                int digit = BINS - 1 - item * each - i;
                state.set(token * STATE + CHOSEN, withDigit(chosen, digit, pass));
                state.set(token * STATE + WANTED, wanted - above);
            }
            above += bin;
            histogram.set(top - i, 0);
        }
    }

    /** Counts a chunk's keys above the last one wanted, and those equal to it. */
    public static void tally(
            KernelContext context,
            IntArray scores,
            IntArray request,
            IntArray position,
            IntArray state,
            IntArray tallies,
            int mostTokens,
            int k,
            int chunks) {
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int item = context.localIdx;
        int token = context.groupIdx / chunks;
        int from = context.groupIdx % chunks * CHUNK;
        int n = length(token, request, position);
        int end = n > k ? Math.min(n, from + CHUNK) : 0;
        int last = end == 0 ? 0 : state.get(token * STATE + CHOSEN);
        int mine = 0;
        for (int i = from + item; i < end; i += ITEMS) {
            mine += rank(key(scores.get(token * mostTokens + i)), last);
        }
        sums[item] = mine;
        for (int half = ITEMS / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (item < half) {
                sums[item] += sums[item + half];
            }
        }
        if (item == 0 && from < end) {
            tallies.set(context.groupIdx * 2, sums[0] % PACK);
            tallies.set(context.groupIdx * 2 + 1, sums[0] / PACK);
        }
    }

    /** Lists the chunk's positions that are selected; the first chunk also all of a short token, and the -1 behind. */
    public static void compact(
            KernelContext context,
            IntArray scores,
            IntArray request,
            IntArray position,
            IntArray state,
            IntArray tallies,
            IntArray selected,
            int mostTokens,
            int k,
            int chunks) {
        int[] ranks = context.allocateIntLocalArray(ITEMS * (EACH + 1));
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int item = context.localIdx;
        int token = context.groupIdx / chunks;
        int chunk = context.groupIdx % chunks;
        int n = length(token, request, position);
        if (chunk == 0) {
            for (int i = item; i < k; i += ITEMS) {
                if (n <= k) {
                    selected.set(token * k + i, i < n ? i : -1);
                }
            }
        }
        if (n <= k || chunk * CHUNK >= n) {
            n = 0;
        }
        int last = n == 0 ? 0 : state.get(token * STATE + CHOSEN);
        int quota = n == 0 ? 0 : state.get(token * STATE + WANTED);
        int above = 0;
        int equal = 0;
        for (int c = n == 0 ? context.groupIdx : token * chunks; c < context.groupIdx; c++) {
            above += tallies.get(c * 2);
            equal += tallies.get(c * 2 + 1);
        }
        for (int i = item; i < CHUNK; i += ITEMS) {
            int at = chunk * CHUNK + i;
            int rank = 0;
            if (at < n) {
                rank = rank(key(scores.get(token * mostTokens + at)), last);
            }
            ranks[i + i / EACH] = rank;
        }
        context.localBarrier();
        int mine = 0;
        for (int i = 0; i < EACH; i++) {
            mine += ranks[item * (EACH + 1) + i];
        }
        sums[item] = mine;
        for (int distance = 1; distance < ITEMS; distance *= 2) {
            context.localBarrier();
            int left = item < distance ? 0 : sums[item - distance];
            context.localBarrier();
            sums[item] += left;
        }
        above += (sums[item] - mine) % PACK;
        equal += (sums[item] - mine) / PACK;
        for (int i = 0; i < EACH; i++) {
            int rank = ranks[item * (EACH + 1) + i];
            int taken = rank;
            if (rank == PACK) {
                taken = equal < quota ? 1 : 0;
            }
            if (taken == 1) {
                selected.set(token * k + above + Math.min(equal, quota), chunk * CHUNK + item * EACH + i);
            }
            above += rank % PACK;
            equal += rank / PACK;
        }
    }

    /** Scores of a token; 0 for padding. */
    private static int length(int token, IntArray request, IntArray position) {
        int n = 0;
        if (request.get(token) >= 0) {
            n = position.get(token) + 1;
        }
        return n;
    }

    private static int key(int bits) {
        int key = bits;
        if ((bits & Integer.MAX_VALUE) > 0x7F800000) {
            key = 0xFF800000;
        }
        if (bits == Integer.MIN_VALUE) {
            key = 0;
        }
        return key ^ ((key >> 31) & Integer.MAX_VALUE);
    }

    /** The digit of a pass, never negative. */
    private static int digit(int key, int pass) {
        return pass == 0 ? (key >> 21) + 1024 : pass == 1 ? (key >> 10) & 0x7FF : key & 0x3FF;
    }

    /** The digits before those of a pass. */
    private static int upper(int key, int pass) {
        return pass == 1 ? key >> 21 : key >> 10;
    }

    private static int withDigit(int chosen, int digit, int pass) {
        return pass == 0 ? (digit - 1024) * (1 << 21) : pass == 1 ? chosen + (digit << 10) : chosen + digit;
    }

    /** 1 above the last key wanted, PACK equal to it, 0 below. */
    private static int rank(int key, int last) {
        int rank = 0;
        if (key > last) {
            rank = 1;
        }
        if (key == last) {
            rank = PACK;
        }
        return rank;
    }

    /**
     * Adds the kernels to the graph: {@code task-count0}, {@code task-pick0}, .. {@code task-pick2}, {@code task-tally},
     * {@code task-compact}.
     */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            IntArray scores,
            IntArray request,
            IntArray position,
            Scratch scratch,
            IntArray selected) {
        KernelContext context = new KernelContext();
        int chunks = shape.chunks();
        int groups = Math.multiplyExact(shape.tokens, chunks);
        for (int pass = 0; pass < 3; pass++) {
            Grids.groups(graph, grids, task + "-count" + pass, groups, 1, ITEMS);
            Grids.groups(graph, grids, task + "-pick" + pass, shape.tokens, 1, ITEMS);
            graph.task(
                            task + "-count" + pass,
                            RadixTopK::count,
                            context,
                            scores,
                            request,
                            position,
                            scratch.histogram,
                            scratch.state,
                            pass,
                            shape.mostTokens,
                            shape.k,
                            chunks)
                    .task(
                            task + "-pick" + pass,
                            RadixTopK::pick,
                            context,
                            request,
                            position,
                            scratch.histogram,
                            scratch.state,
                            pass,
                            shape.k);
        }
        Grids.groups(graph, grids, task + "-tally", groups, 1, ITEMS);
        Grids.groups(graph, grids, task + "-compact", groups, 1, ITEMS);
        return graph.task(
                        task + "-tally",
                        RadixTopK::tally,
                        context,
                        scores,
                        request,
                        position,
                        scratch.state,
                        scratch.tallies,
                        shape.mostTokens,
                        shape.k,
                        chunks)
                .task(
                        task + "-compact",
                        RadixTopK::compact,
                        context,
                        scores,
                        request,
                        position,
                        scratch.state,
                        scratch.tallies,
                        selected,
                        shape.mostTokens,
                        shape.k,
                        chunks);
    }
}
