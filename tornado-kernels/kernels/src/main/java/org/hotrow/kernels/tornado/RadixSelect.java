package org.hotrow.kernels.tornado;

import org.hotrow.kernels.tornado.RadixTopK.Scratch;
import org.hotrow.kernels.tornado.RadixTopK.Shape;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The last two kernels of {@link RadixTopK}: a group per token takes the keys of the lists, or of all scores.
 *
 * <pre>
 * find   the largest key that k keys are not below: bit by bit from the highest, kept if enough keys are
 *        at least as large; then keys above it are counted
 * list   a chunk of 8,192 keys, 16 neighbours to a work-item; a position's place is the number of those before it that
 *        are taken: keys above the k-th, and of the equal ones the first
 * </pre>
 */
final class RadixSelect {
    private static final int ITEMS = 512;
    private static final int EACH = RadixTopK.CHUNK / ITEMS;
    private static final int PITCH = EACH + 1;
    private static final int WARP = 32;
    private static final int WARPS = ITEMS / WARP;

    private RadixSelect() {}

    /** A group of 512 for one token. A work-item counts every 512th key. */
    static void find(
            KernelContext context,
            IntArray scores,
            IntArray state,
            IntArray counts,
            IntArray keys,
            int mostTokens,
            int k,
            int groups,
            int room) {
        int[] facts = context.allocateIntLocalArray(RadixTopK.STATE);
        int[] tallies = context.allocateIntLocalArray(2 * groups);
        int[] starts = context.allocateIntLocalArray(groups);
        int[] staged = context.allocateIntLocalArray(RadixTopK.CHUNK);
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int[] parts = context.allocateIntLocalArray(2 * WARP);
        int[] mine = new int[EACH];
        int item = context.localIdx;
        int token = context.groupIdx;
        if (item <= RadixTopK.BOUND) {
            facts[item] = state.get(token * RadixTopK.STATE + item);
        }
        context.localBarrier();
        int n = facts[RadixTopK.POSITIONS];
        int lists = n <= RadixTopK.CHUNK || n <= k ? 0 : groups;
        for (int i = item; i < 2 * lists; i += ITEMS) {
            tallies[i] = counts.get(token * groups * 2 + i);
        }
        context.localBarrier();
        if (item < 2 * WARP) {
            int part = 0;
            for (int i = item; i < 2 * lists; i += 2 * WARP) {
                part += tallies[i];
            }
            parts[item] = part;
        }
        for (int i = item; i < lists; i += ITEMS) {
            int start = 0;
            for (int j = 0; j < i; j++) {
                start += tallies[2 * j];
            }
            starts[i] = start;
        }
        context.localBarrier();
        int above = 0;
        int equal = 0;
        for (int i = 0; i < WARP; i++) {
            above += parts[2 * i];
            equal += parts[2 * i + 1];
        }
        int kth = Integer.MIN_VALUE;
        int steps = n > k ? RadixTopK.KEY_BITS + 1 : 0;
        if (above < k && above + equal >= k) {
            kth = facts[RadixTopK.BOUND];
            steps = 0;
        }
        if (above < k || above > RadixTopK.CHUNK) {
            lists = 0;
        }
        int total = lists > 0 ? above : n;
        for (int i = item / WARP; i < lists; i += WARPS) {
            for (int j = item % WARP; j < tallies[2 * i]; j += WARP) {
                staged[starts[i] + j] = keys.get((token * groups + i) * room + j);
            }
        }
        context.localBarrier();
        for (int j = 0; j < EACH; j++) {
            mine[j] = Integer.MIN_VALUE;
            if (item + j * ITEMS < total && lists > 0) {
                mine[j] = staged[item + j * ITEMS];
            }
        }
        for (int step = 0; step < steps; step++) {
            int trial = RadixTopK.trial(kth, step);
            int count = 0;
            for (int base = 0; base < total; base += RadixTopK.CHUNK) {
                for (int j = 0; j < EACH; j++) {
                    if (lists == 0 && (step == 0 || total > RadixTopK.CHUNK)) {
                        mine[j] = key(scores, token * mostTokens, base + item + j * ITEMS, n);
                    }
                    count += mine[j] >= trial ? 1 : 0;
                }
            }
            sums[item] = count;
            context.localBarrier();
            if (item < WARP) {
                int part = 0;
                for (int j = 0; j < WARPS; j++) {
                    part += sums[j * WARP + item];
                }
                parts[item] = part;
            }
            context.localBarrier();
            count = 0;
            for (int j = 0; j < WARP; j++) {
                count += parts[j];
            }
            if (step == RadixTopK.KEY_BITS) {
                above = count;
            }
            if (step < RadixTopK.KEY_BITS && count >= k) {
                kth = trial;
            }
        }
        if (item == 0) {
            state.set(token * RadixTopK.STATE + RadixTopK.KTH, kth);
            state.set(token * RadixTopK.STATE + RadixTopK.ABOVE, above);
            state.set(token * RadixTopK.STATE + RadixTopK.LISTED, lists > 0 ? total : 0);
        }
        for (int i = item; i < lists; i += ITEMS) {
            counts.set((token * groups + i) * 2 + 1, starts[i]);
        }
    }

    /** A group of 512 for one token; the -1 behind a short one's positions too. */
    static void list(
            KernelContext context,
            IntArray scores,
            IntArray state,
            IntArray counts,
            IntArray keys,
            IntArray positions,
            IntArray selected,
            int mostTokens,
            int k,
            int groups,
            int room) {
        int[] facts = context.allocateIntLocalArray(RadixTopK.STATE);
        int[] tallies = context.allocateIntLocalArray(2 * groups);
        int[] staged = context.allocateIntLocalArray(ITEMS * PITCH);
        int[] sums = context.allocateIntLocalArray(ITEMS);
        int[] mine = new int[EACH];
        int[] places = new int[EACH];
        int item = context.localIdx;
        int token = context.groupIdx;
        if (item <= RadixTopK.LISTED) {
            facts[item] = state.get(token * RadixTopK.STATE + item);
        }
        context.localBarrier();
        int n = facts[RadixTopK.POSITIONS];
        int kth = facts[RadixTopK.KTH];
        int quota = k - facts[RadixTopK.ABOVE];
        int lists = facts[RadixTopK.LISTED] > 0 ? groups : 0;
        int total = lists > 0 ? facts[RadixTopK.LISTED] : n;
        for (int i = item; i < k; i += ITEMS) {
            if (n <= k) {
                selected.set(token * k + i, i < n ? i : -1);
            }
        }
        if (n <= k) {
            total = 0;
        }
        for (int i = item; i < 2 * lists; i += ITEMS) {
            tallies[i] = counts.get(token * groups * 2 + i);
        }
        int fromScores = lists > 0 ? 0 : RadixTopK.CHUNK;
        int above = 0;
        int equal = 0;
        for (int base = 0; base < total; base += RadixTopK.CHUNK) {
            context.localBarrier();
            for (int i = item; i < fromScores; i += ITEMS) {
                staged[i + i / EACH] = key(scores, token * mostTokens, base + i, n);
            }
            for (int i = item / WARP; i < lists; i += WARPS) {
                for (int j = item % WARP; j < tallies[2 * i]; j += WARP) {
                    int at = tallies[2 * i + 1] + j;
                    staged[at + at / EACH] = keys.get((token * groups + i) * room + j);
                }
            }
            context.localBarrier();
            int ranks = 0;
            for (int j = 0; j < EACH; j++) {
                places[j] = base + item * EACH + j;
                mine[j] = 0;
                if (places[j] < total) {
                    mine[j] = RadixTopK.rank(staged[item * PITCH + j], kth);
                }
                ranks += mine[j];
            }
            sums[item] = ranks;
            context.localBarrier();
            for (int i = item / WARP; i < lists; i += WARPS) {
                for (int j = item % WARP; j < tallies[2 * i]; j += WARP) {
                    int at = tallies[2 * i + 1] + j;
                    staged[at + at / EACH] = positions.get((token * groups + i) * room + j);
                }
            }
            for (int distance = 1; distance < ITEMS; distance *= 2) {
                int left = item < distance ? 0 : sums[item - distance];
                context.localBarrier();
                sums[item] += left;
                context.localBarrier();
            }
            for (int j = 0; j < EACH; j++) {
                if (lists > 0 && places[j] < total) {
                    places[j] = staged[item * PITCH + j];
                }
            }
            context.localBarrier();
            int before = above + Math.min(equal, quota);
            int aboveMine = above + (sums[item] - ranks) % RadixTopK.PACK;
            int equalMine = equal + (sums[item] - ranks) / RadixTopK.PACK;
            for (int j = 0; j < EACH; j++) {
                int taken = mine[j];
                if (mine[j] == RadixTopK.PACK) {
                    taken = equalMine < quota ? 1 : 0;
                }
                if (taken == 1) {
                    staged[aboveMine + Math.min(equalMine, quota) - before] = places[j];
                }
                aboveMine += mine[j] % RadixTopK.PACK;
                equalMine += mine[j] / RadixTopK.PACK;
            }
            above += sums[ITEMS - 1] % RadixTopK.PACK;
            equal += sums[ITEMS - 1] / RadixTopK.PACK;
            context.localBarrier();
            int added = above + Math.min(equal, quota) - before;
            for (int i = item; i < added; i += ITEMS) {
                selected.set(token * k + before + i, staged[i]);
            }
        }
    }

    /** Key of a token's score i; the lowest behind the last one. */
    private static int key(IntArray scores, int from, int i, int n) {
        int key = Integer.MIN_VALUE;
        if (i < n) {
            key = RadixTopK.key(scores.get(from + i));
        }
        return key;
    }

    /** Adds both kernels to the graph, as {@code task-find} and {@code task-list}. */
    static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            IntArray scores,
            Scratch scratch,
            IntArray selected) {
        Grids.groups(graph, grids, task + "-find", shape.tokens(), 1, ITEMS);
        Grids.groups(graph, grids, task + "-list", shape.tokens(), 1, ITEMS);
        return graph.task(
                        task + "-find",
                        RadixSelect::find,
                        Grids.CONTEXT,
                        scores,
                        scratch.state(),
                        scratch.counts(),
                        scratch.keys(),
                        shape.mostTokens(),
                        shape.k(),
                        shape.groups(),
                        shape.room())
                .task(
                        task + "-list",
                        RadixSelect::list,
                        Grids.CONTEXT,
                        scores,
                        scratch.state(),
                        scratch.counts(),
                        scratch.keys(),
                        scratch.positions(),
                        selected,
                        shape.mostTokens(),
                        shape.k(),
                        shape.groups(),
                        shape.room());
    }
}
