package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Groups the (row, expert) pairs of a step by expert, so that an expert's weights are read once for all rows that chose
 * it.
 *
 * <pre>
 * pair      t * k + j: row t, its j-th expert
 * pairAt    expert 2: its pairs, ascending | expert 5: ... | ...      only experts that a row chose
 *
 * counts    [8] int                  counts[0] = T rows
 * expert    [maxRows][k] int         ascending in a row
 * active    [maxActive] int          out: the chosen experts, ascending
 * first     [maxActive + 1] int      out: where the pairs of active[a] begin in pairAt; T k beyond the last one
 * pairAt    [maxRows x k] int        out
 *
 * floor     4 T k bytes read, 4 T k + 4 active + 4 (maxActive + 1) written
 * sectors   below 80 % for few rows: each of 8 warps reads counts[0], 4 bytes of a sector
 * </pre>
 *
 * One group, a work-item per expert: it counts its pairs, adds up the counts of those before it, and lists its pairs. All
 * look at all pairs, which pass through local memory.
 */
public final class ExpertGroups {
    private static final int GROUP = 256;

    private ExpertGroups() {}

    /** Rows that a launch covers, experts, and how many of them each row chose. */
    public record Shape(int maxRows, int experts, int k) {
        /** Checks that a group has all experts. */
        public Shape {
            if (maxRows < 1 || experts < 1 || experts > GROUP || k < 1 || k > experts) {
                throw new IllegalArgumentException(
                        k + " of " + experts + " experts: expected at most " + GROUP + ", and 1 of them or more");
            }
            Elements.count("chosen experts", maxRows, k);
        }

        /** Most pairs. */
        public int maxPairs() {
            return maxRows * k;
        }

        /** Most experts that rows can choose. */
        public int maxActive() {
            return Math.min(experts, maxPairs());
        }

        /** Bytes of {@link Arrays}. */
        public long arrayBytes() {
            return 4L * (2L * maxActive() + 1 + maxPairs());
        }

        /** Bytes that DRAM must move for {@code rows} rows that chose {@code active} experts. */
        public long floorBytes(int rows, int active) {
            return 8L * rows * k + 4L * active + 4L * (maxActive() + 1);
        }
    }

    /** What {@link #append} fills. */
    public record Arrays(IntArray active, IntArray first, IntArray pairAt) {
        /** Arrays of the right sizes. */
        public static Arrays of(Shape shape) {
            return new Arrays(
                    new IntArray(shape.maxActive()),
                    new IntArray(shape.maxActive() + 1),
                    new IntArray(shape.maxPairs()));
        }
    }

    /** The definition: how many pairs of lower experts, and of lower pairs of the same one, stand before a pair. */
    public static int placeReference(int pairs, int[] expert, int pair) {
        int before = 0;
        for (int other = 0; other < pairs; other++) {
            boolean lower = expert[other] < expert[pair] || (expert[other] == expert[pair] && other < pair);
            before += lower ? 1 : 0;
        }
        return before;
    }

    static void group(
            KernelContext context,
            IntArray counts,
            IntArray expert,
            IntArray active,
            IntArray first,
            IntArray pairAt,
            int k,
            int maxActive) {
        int[] pairsOf = context.allocateIntLocalArray(GROUP);
        int[] stage = context.allocateIntLocalArray(GROUP);
        int e = context.localIdx;
        int pairs = counts.get(0) * k;
        int own = 0;
        for (int from = 0; from < pairs; from += GROUP) {
            if (from + e < pairs) {
                stage[e] = expert.get(from + e);
            }
            context.localBarrier();
            for (int i = 0; i < Math.min(GROUP, pairs - from); i++) {
                if (stage[i] == e) {
                    own = own + 1;
                }
            }
            context.localBarrier();
        }
        pairsOf[e] = own;
        context.localBarrier();
        int chosen = 0;
        int chosenBefore = 0;
        int pairsBefore = 0;
        for (int other = 0; other < GROUP; other++) {
            int of = pairsOf[other];
            if (of > 0) {
                chosen = chosen + 1;
            }
            if (of > 0 && other < e) {
                chosenBefore = chosenBefore + 1;
                pairsBefore = pairsBefore + of;
            }
        }
        if (own > 0) {
            active.set(chosenBefore, e);
            first.set(chosenBefore, pairsBefore);
        }
        if (e >= chosen && e < maxActive) {
            first.set(e, pairs);
        }
        if (e == 0) {
            first.set(maxActive, pairs);
        }
        for (int from = 0; from < pairs; from += GROUP) {
            if (from + e < pairs) {
                stage[e] = expert.get(from + e);
            }
            context.localBarrier();
            for (int i = 0; i < Math.min(GROUP, pairs - from); i++) {
                if (stage[i] == e) {
                    pairAt.set(pairsBefore, from + i);
                    pairsBefore = pairsBefore + 1;
                }
            }
            context.localBarrier();
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray expert,
            Arrays out,
            Shape shape) {
        Grids.groups(graph, grids, task, 1, 1, GROUP);
        return graph.task(
                task,
                ExpertGroups::group,
                Grids.CONTEXT,
                counts,
                expert,
                out.active(),
                out.first(),
                out.pairAt(),
                shape.k(),
                shape.maxActive());
    }
}
