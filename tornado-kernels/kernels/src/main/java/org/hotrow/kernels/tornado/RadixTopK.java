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
 *
 * bound      group per token            a key that, says a sample, (k + 8,192) / 2 keys are above
 * filter     groups per token           lists the keys above the bound and their positions; counts those equal to it
 * find       group per token            the k-th key, bit by bit
 * list       group per token            what is selected
 *
 * state      [tokens][8]                see the constants
 * counts     [tokens][groups][2]        keys above the bound and equal to it; then keys, and where they begin in the list
 * keys       [tokens][groups][room]     those above the bound, by position
 * positions  [tokens][groups][room]
 *
 * floor      bytes                      per token
 * scores     4 * (position + 1)         none if all positions are taken
 * selected   4 * k
 * beside it, of more than 8,192 scores:
 * sample     4 * 2,048 to 8,192         read twice
 * lists      5 * 4 * 8,192 at most      keys written once and read twice, positions written and read once
 * </pre>
 *
 * The bound makes no difference to what is selected. If less than k keys are above it, or more than 8,192, scores take the
 * place of the lists, and one group reads them 33 times; but if those equal to the bound make up k, it is the k-th key.
 * {@link RadixSelect} has the last two kernels.
 */
public final class RadixTopK {
    /** Keys that a group keeps in registers. More scores than these are filtered before. */
    static final int CHUNK = 8192;

    static final int KEY_BITS = 32;
    /** Two counts in an int: keys above, and equal ones times this. */
    static final int PACK = 1 << 16;

    /** Entries of the state: positions, the bound. */
    static final int POSITIONS = 0;

    static final int BOUND = 1;
    /** The k-th key, and how many are above it. */
    static final int KTH = 2;

    static final int ABOVE = 3;
    /** Keys of the lists; 0 if the scores take their place. */
    static final int LISTED = 4;

    static final int STATE = 8;

    private static final int ITEMS = 256;
    private static final int EACH = 8;
    private static final int FILTER_CHUNK = ITEMS * EACH;
    /** Scores in 32 bytes. */
    private static final int SECTOR = 8;

    private static final int MOST_SAMPLED = 32;
    private static final int PARTS = 16;
    /** Two on each multiprocessor of an H200. */
    private static final int FULL_GRID = 264;

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
            Elements.count("scores", tokens, mostTokens);
            Elements.count("selected positions", tokens, k);
        }

        /** Groups that filter a token's scores. */
        int groups() {
            return Math.clamp(FULL_GRID / tokens, 1, Math.ceilDiv(mostTokens, FILTER_CHUNK));
        }

        /** Keys that a group has room for: it can't have more if the token has no more than select takes. */
        int room() {
            return Math.min(CHUNK, segment(mostTokens, groups()));
        }

        /** Bytes of {@link Scratch}. */
        public long scratchBytes() {
            return 4L * tokens * (STATE + groups() * (2L + 2L * room()));
        }

        /** Bytes that memory must move for one token at a position. */
        public long floorBytes(int position) {
            return 4L * k + (position < k ? 0 : 4L * (position + 1));
        }

        /** Bytes beside the floor, at most. */
        public long partialBytes(int position) {
            int n = position + 1;
            return n <= CHUNK || n <= k ? 0 : 4L * ITEMS * sampledEach(n) + 5L * 4 * CHUNK;
        }
    }

    /** Scratch of the kernels. */
    public record Scratch(IntArray state, IntArray counts, IntArray keys, IntArray positions) {
        /** Scratch for a shape. */
        public static Scratch of(Shape shape) {
            int groups = shape.tokens * shape.groups();
            return new Scratch(
                    new IntArray(shape.tokens * STATE),
                    new IntArray(groups * 2),
                    new IntArray(Elements.count("keys", groups, shape.room())),
                    new IntArray(Elements.count("positions", groups, shape.room())));
        }
    }

    /** A group of 256 for one token. The sample is of whole sectors of 8 scores, at equal distances. */
    public static void bound(
            KernelContext context,
            IntArray scores,
            IntArray request,
            IntArray position,
            IntArray state,
            int mostTokens,
            int k) {
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int[] parts = context.allocateIntLocalArray(PARTS);
        int[] keys = new int[MOST_SAMPLED];
        int item = context.localIdx;
        int token = context.groupIdx;
        int n = length(token, request, position);
        int each = sampledEach(n);
        int distance = n / (ITEMS / SECTOR * each) / SECTOR * SECTOR;
        // Halfway between too few keys above it and too many.
        int wanted = (int) ((k + (long) CHUNK) / 2 * ITEMS * each / Math.max(n, 1));
        int steps = 0;
        if (n > CHUNK && n > k) {
            steps = KEY_BITS;
        }
        for (int j = 0; j < MOST_SAMPLED; j++) {
            keys[j] = Integer.MIN_VALUE;
            if (j < each && steps > 0) {
                int sector = j * (ITEMS / SECTOR) + item / SECTOR;
                keys[j] = key(scores.get(token * mostTokens + sector * distance + item % SECTOR));
            }
        }
        int bound = Integer.MIN_VALUE;
        for (int step = 0; step < steps; step++) {
            int trial = trial(bound, step);
            int mine = 0;
            for (int j = 0; j < MOST_SAMPLED; j++) {
                mine += keys[j] >= trial ? 1 : 0;
            }
            sums[item] = mine;
            context.localBarrier();
            if (item < PARTS) {
                int part = 0;
                for (int j = 0; j < ITEMS / PARTS; j++) {
                    part += sums[j * PARTS + item];
                }
                parts[item] = part;
            }
            context.localBarrier();
            int count = 0;
            for (int j = 0; j < PARTS; j++) {
                count += parts[j];
            }
            if (count >= wanted) {
                bound = trial;
            }
        }
        if (item == 0) {
            state.set(token * STATE + POSITIONS, n);
            state.set(token * STATE + BOUND, bound);
        }
    }

    /** A group of 256 for one token and a segment of its scores. */
    public static void filter(
            KernelContext context,
            IntArray scores,
            IntArray state,
            IntArray counts,
            IntArray keys,
            IntArray positions,
            int mostTokens,
            int k,
            int groups,
            int room) {
        int[] facts = context.allocateIntLocalArray(BOUND + 1);
        int[] staged = context.allocateIntLocalArray(ITEMS * (EACH + 1));
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int[] list = context.allocateIntLocalArray(FILTER_CHUNK);
        int item = context.localIdx;
        int token = context.groupIdx / groups;
        if (item <= BOUND) {
            facts[item] = state.get(token * STATE + item);
        }
        context.localBarrier();
        int n = facts[POSITIONS];
        int bound = facts[BOUND];
        if (n <= CHUNK || n <= k) {
            n = 0;
        }
        int from = context.groupIdx % groups * segment(n, groups);
        int end = Math.min(n, from + segment(n, groups));
        int above = 0;
        int equal = 0;
        for (int base = from; base < end; base += FILTER_CHUNK) {
            for (int i = item; i < FILTER_CHUNK; i += ITEMS) {
                int key = Integer.MIN_VALUE;
                if (base + i < end) {
                    key = key(scores.get(token * mostTokens + base + i));
                }
                staged[i + i / EACH] = key;
            }
            context.localBarrier();
            int mine = 0;
            for (int j = 0; j < EACH; j++) {
                mine += rank(staged[item * (EACH + 1) + j], bound);
            }
            sums[item] = mine;
            for (int distance = 1; distance < ITEMS; distance *= 2) {
                context.localBarrier();
                int left = item < distance ? 0 : sums[item - distance];
                context.localBarrier();
                sums[item] += left;
            }
            int at = (sums[item] - mine) % PACK;
            for (int j = 0; j < EACH; j++) {
                if (staged[item * (EACH + 1) + j] > bound) {
                    list[at] = item * EACH + j;
                    at++;
                }
            }
            context.localBarrier();
            int listed = sums[ITEMS - 1] % PACK;
            int fitting = Math.min(listed, room - above);
            for (int j = item; j < fitting; j += ITEMS) {
                int to = context.groupIdx * room + above + j;
                keys.set(to, staged[list[j] + list[j] / EACH]);
                positions.set(to, base + list[j]);
            }
            above += listed;
            equal += sums[ITEMS - 1] / PACK;
            context.localBarrier();
        }
        if (item < 2 && n > 0) {
            counts.set(context.groupIdx * 2 + item, item == 0 ? above : equal);
        }
    }

    /** Positions of a token; 0 for padding. */
    private static int length(int token, IntArray request, IntArray position) {
        int n = 0;
        if (request.get(token) >= 0) {
            n = position.get(token) + 1;
        }
        return n;
    }

    /** Sampled scores of each of 256 work-items. */
    private static int sampledEach(int n) {
        return Math.min(Math.max(n / (64 * ITEMS), SECTOR), MOST_SAMPLED);
    }

    /** Scores of a group that filters: whole sectors. */
    private static int segment(int n, int groups) {
        return ((n + groups - 1) / groups + SECTOR - 1) / SECTOR * SECTOR;
    }

    static int key(int bits) {
        int key = bits;
        if ((bits & Integer.MAX_VALUE) > 0x7F800000) {
            key = 0xFF800000;
        }
        if (bits == Integer.MIN_VALUE) {
            key = 0;
        }
        return key ^ ((key >> 31) & Integer.MAX_VALUE);
    }

    /** A key found in its upper {@code step} bits, with the next one set; in all of them, the key after it. */
    static int trial(int key, int step) {
        int trial = 0;
        if (step > 0) {
            trial = key + (1 << Math.max(KEY_BITS - 1 - step, 0));
        }
        return trial;
    }

    /** 1 above the key, PACK equal to it, 0 below. */
    static int rank(int key, int of) {
        int rank = 0;
        if (key > of) {
            rank = 1;
        }
        if (key == of) {
            rank = PACK;
        }
        return rank;
    }

    /** Adds the kernels to the graph: {@code task-bound}, {@code task-filter}, {@code task-find}, {@code task-list}. */
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
        Grids.groups(graph, grids, task + "-bound", shape.tokens, 1, ITEMS);
        Grids.groups(graph, grids, task + "-filter", shape.tokens * shape.groups(), 1, ITEMS);
        graph.task(
                        task + "-bound",
                        RadixTopK::bound,
                        Grids.CONTEXT,
                        scores,
                        request,
                        position,
                        scratch.state,
                        shape.mostTokens,
                        shape.k)
                .task(
                        task + "-filter",
                        RadixTopK::filter,
                        Grids.CONTEXT,
                        scores,
                        scratch.state,
                        scratch.counts,
                        scratch.keys,
                        scratch.positions,
                        shape.mostTokens,
                        shape.k,
                        shape.groups(),
                        shape.room());
        return RadixSelect.append(graph, grids, task, shape, scores, scratch, selected);
    }
}
