package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Groups the (row, expert) pairs of a step by expert, so that an expert's weights are read once for all rows that chose
 * it. A pair's place in that order is its slot.
 *
 * <pre>
 * pair      t * k + j: row t, its j-th expert
 * slots     expert 2: its pairs, ascending | expert 5: ... | ...      only experts that a row chose
 *
 * counts    [8] int                  counts[0] = T rows
 * expert    [maxRows][k] int         ascending in a row
 * groups    [4] int                  out: [0] experts that were chosen, [1] slots
 * active    [maxActive] int          out: the chosen experts, ascending
 * first     [maxActive + 1] int      out: first[a] = the first slot of active[a]; [groups[0]] = slots
 * pairAt    [maxRows x k] int        out: the pair of a slot
 * slotOf    [maxRows x k] int        out: the slot of a pair
 *
 * floor     4 T k bytes read, 8 T k + 8 active written
 * </pre>
 *
 * One group, a work-item per expert: it counts its pairs, adds up the counts of those before it, and lists its pairs.
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
            Math.multiplyExact(maxRows, k);
        }

        /** Most slots. */
        public int maxSlots() {
            return maxRows * k;
        }

        /** Most experts that rows can choose. */
        public int maxActive() {
            return Math.min(experts, maxSlots());
        }

        /** Bytes that DRAM must move for {@code rows} rows that chose {@code active} experts. */
        public long floorBytes(int rows, int active) {
            return 12L * rows * k + 8L * active;
        }
    }

    /** What {@link #append} fills. */
    public record Arrays(IntArray groups, IntArray active, IntArray first, IntArray pairAt, IntArray slotOf) {
        /** Arrays of the right sizes. */
        public static Arrays of(Shape shape) {
            return new Arrays(
                    new IntArray(4),
                    new IntArray(shape.maxActive()),
                    new IntArray(shape.maxActive() + 1),
                    new IntArray(shape.maxSlots()),
                    new IntArray(shape.maxSlots()));
        }
    }

    /** The definition: how many pairs of lower experts, and of lower pairs of the same one, stand before a pair. */
    public static int slotReference(int pairs, int[] expert, int pair) {
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
            IntArray groups,
            IntArray active,
            IntArray first,
            IntArray pairAt,
            IntArray slotOf,
            int experts,
            int k) {
        int[] pairsOf = context.allocateIntLocalArray(GROUP);
        int e = context.localIdx;
        int pairs = counts.get(0) * k;
        int own = 0;
        for (int pair = 0; pair < pairs; pair++) {
            if (expert.get(pair) == e) {
                own = own + 1;
            }
        }
        pairsOf[e] = own;
        context.localBarrier();
        int slot = 0;
        int place = 0;
        for (int other = 0; other < e; other++) {
            slot = slot + pairsOf[other];
            if (pairsOf[other] > 0) {
                place = place + 1;
            }
        }
        if (own > 0) {
            active.set(place, e);
            first.set(place, slot);
        }
        if (e == experts - 1) {
            int last = place;
            if (own > 0) {
                last = place + 1;
            }
            groups.set(0, last);
            groups.set(1, pairs);
            first.set(last, pairs);
        }
        for (int pair = 0; pair < pairs; pair++) {
            if (expert.get(pair) == e) {
                pairAt.set(slot, pair);
                slotOf.set(pair, slot);
                slot = slot + 1;
            }
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
                new KernelContext(),
                counts,
                expert,
                out.groups(),
                out.active(),
                out.first(),
                out.pairAt(),
                out.slotOf(),
                shape.experts(),
                shape.k());
    }
}
