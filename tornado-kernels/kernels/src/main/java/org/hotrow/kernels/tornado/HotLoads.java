package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The last two kernels of {@link RowResolver}: what {@link HotResolve} has found to be missing, as loads and as counts.
 *
 * <pre>
 * list    group per token   host row and device row of each miss, the requests' behind one another
 * count   one group         lookups, loads and faults of the call, added to the unit's
 * </pre>
 */
final class HotLoads {
    static final int ITEMS = 256;

    private static final int PAGE = 64;

    private HotLoads() {}

    /** A group for each token: a request's loads go behind those of the requests before it. */
    static void list(
            KernelContext context,
            IntArray request,
            IntArray span,
            IntArray hostTable,
            IntArray hotTable,
            IntArray scratch,
            IntArray found,
            IntArray missHost,
            IntArray missRow,
            IntArray missCount,
            int pages,
            int hotBlocks,
            int slots,
            int tokens) {
        int[] tree = context.allocateIntLocalArray(ITEMS);
        int item = context.localIdx;
        int token = context.groupIdx;
        int before = 0;
        for (int t = item; t < token; t += ITEMS) {
            before += found.get(t * HotResolve.FOUND + HotResolve.MISSES);
        }
        tree[item] = before;
        for (int half = ITEMS / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (item < half) {
                tree[item] += tree[item + half];
            }
        }
        context.localBarrier();
        int from = tree[0];
        int misses = found.get(token * HotResolve.FOUND + HotResolve.MISSES);
        int seat = Math.max(request.get(token), 0);
        int faults = 0;
        for (int m = item; m < misses; m += ITEMS) {
            int position = scratch.get((seat * HotResolve.SCRATCH + HotResolve.MISSED) * slots + m);
            int slot = scratch.get((seat * HotResolve.SCRATCH + HotResolve.TAKEN) * slots + m);
            int page = hostTable.get(seat * pages + position / PAGE);
            if (page == 0) {
                faults++;
            }
            missHost.set(from + m, page * PAGE + position % PAGE);
            missRow.set(from + m, hotTable.get(seat * hotBlocks + slot / PAGE) * PAGE + slot % PAGE);
        }
        context.localBarrier();
        tree[item] = faults;
        for (int half = ITEMS / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (item < half) {
                tree[item] += tree[item + half];
            }
        }
        if (item == 0) {
            int late = HotResolve.settle(token, request, span, found);
            if (hotTable.get(seat * hotBlocks) == 0) {
                tree[0] = late;
            }
            found.set(token * HotResolve.FOUND + HotResolve.FAULTS, tree[0]);
            if (token == tokens - 1) {
                missCount.set(0, from + misses);
            }
        }
    }

    /** One group: adds what was found to the counters. */
    static void count(KernelContext context, IntArray unit, IntArray found, LongArray counters, int tokens) {
        int[] tree = context.allocateIntLocalArray(ITEMS);
        int item = context.localIdx;
        for (int counter = 0; counter < RowResolver.COUNTERS; counter++) {
            int column = counter == RowResolver.FAULTS ? HotResolve.FAULTS : counter;
            int sum = 0;
            for (int t = item; t < tokens; t += ITEMS) {
                sum += found.get(t * HotResolve.FOUND + column);
            }
            tree[item] = sum;
            for (int half = ITEMS / 2; half > 0; half /= 2) {
                context.localBarrier();
                if (item < half) {
                    tree[item] += tree[item + half];
                }
            }
            if (item == 0) {
                int at = unit.get(0) * RowResolver.COUNTERS + counter;
                counters.set(at, counters.get(at) + tree[0]);
            }
            context.localBarrier();
        }
    }
}
