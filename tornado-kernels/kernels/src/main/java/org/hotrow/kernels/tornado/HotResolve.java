package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The kernels that find the device row of every position that a step's requests have selected, for the layers of one
 * unit: {@link org.hotrow.kernels.Resolve} on the device, which is also their plain reference. {@link RowResolver} has
 * the arrays.
 *
 * <pre>
 * lookUp     group per token     row of what is resident; the others are counted
 * remember   group per request   slotOf[position] = slot + 1 of what is hot; no slot is used
 * find       group per request   token by token: a hit's slot is used; the m-th miss, by first occurrence, is noted as
 *                                slotOf[position] = -1 - m
 * makeRoom   group per request   order: stale | taken | used; the m-th miss takes the m-th oldest slot that isn't used
 * place      group per request   row of what isn't resident; the slots take their new positions; slotOf is 0 again
 * </pre>
 *
 * A request is a run of tokens in the span; its group is that of the run's first token, the groups of the others end at
 * once, and so do those of requests whose rows are all resident. Each item takes neighbours, and a scan of the items'
 * counts ranks them; scratch that grows with slots or positions is in global memory, so any size of group will do.
 */
final class HotResolve {
    /** What {@code found} holds of a token: lookups of all, the others of a run's first one. */
    static final int LOOKUPS = 0;

    static final int MISSES = 1;
    static final int DONE = 2;
    static final int FAULTS = 3;
    static final int FOUND = 4;

    /** What {@code scratch} holds of a seat, slots each. */
    static final int USED = 0;

    static final int TAKEN = 1;
    static final int MISSED = 2;
    static final int NEXT = 3;
    static final int SCRATCH = 4;

    private static final int PAGE = 64;
    /** Two counts in an int: misses, and hits times this. Lists are shorter. */
    private static final int PACK = 1 << 15;

    private HotResolve() {}

    /** A group for each token. */
    static void lookUp(
            KernelContext context,
            IntArray positions,
            IntArray request,
            IntArray span,
            IntArray blockTable,
            IntArray rows,
            IntArray found,
            int k,
            int pages,
            int items) {
        int[] tree = context.allocateIntLocalArray(items);
        int item = context.localIdx;
        int token = context.groupIdx;
        int seat = request.get(token);
        int lookups = 0;
        if (token >= span.get(0) && token < span.get(1)) {
            for (int i = item; i < k; i += items) {
                int position = positions.get(token * k + i);
                int row = -1;
                if (seat >= 0 && position >= 0) {
                    int block = blockTable.get(seat * pages + position / PAGE);
                    if (block == 0) {
                        lookups++;
                    } else {
                        row = block * PAGE + position % PAGE;
                    }
                }
                rows.set(token * k + i, row);
            }
        }
        tree[item] = lookups;
        for (int half = items / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (item < half) {
                tree[item] += tree[item + half];
            }
        }
        // Of every token, so that nothing of the last step stays.
        if (item == 0) {
            found.set(token * FOUND + LOOKUPS, tree[0]);
            found.set(token * FOUND + MISSES, 0);
            found.set(token * FOUND + DONE, 0);
            found.set(token * FOUND + FAULTS, 0);
        }
    }

    /** A group for each request. */
    static void remember(
            KernelContext context,
            IntArray request,
            IntArray span,
            IntArray unit,
            IntArray positionOf,
            IntArray slotOf,
            IntArray scratch,
            IntArray found,
            int pages,
            int slots,
            int units,
            int items) {
        int token = context.groupIdx;
        if (lookups(token, request, span, found) > 0) {
            int seat = request.get(token);
            int region = (seat * units + unit.get(0)) * slots;
            for (int slot = context.localIdx; slot < slots; slot += items) {
                int position = positionOf.get(region + slot);
                if (position >= 0) {
                    slotOf.set(seat * pages * PAGE + position, slot + 1);
                }
                scratch.set((seat * SCRATCH + USED) * slots + slot, 0);
            }
        }
    }

    /** A group for each request: as many of its tokens as the region has slots for. */
    static void find(
            KernelContext context,
            IntArray positions,
            IntArray request,
            IntArray span,
            IntArray hotTable,
            IntArray slotOf,
            IntArray scratch,
            IntArray rows,
            IntArray found,
            int k,
            int pages,
            int hotBlocks,
            int slots,
            int items) {
        int[] counts = context.allocateIntLocalArray(items);
        int item = context.localIdx;
        int token = context.groupIdx;
        int seat = Math.max(request.get(token), 0);
        int end = end(token, request, span);
        if (lookups(token, request, span, found) == 0) {
            end = 0;
        }
        int used = (seat * SCRATCH + USED) * slots;
        int missed = (seat * SCRATCH + MISSED) * slots;
        int each = (k + items - 1) / items;
        int from = Math.min(k, item * each);
        int to = Math.min(k, from + each);
        int misses = 0;
        int held = 0;
        int done = 0;
        int room = hotTable.get(seat * hotBlocks) == 0 ? 0 : slots;
        for (int t = token; t < end; t++) {
            int mine = 0;
            for (int i = from; i < to; i++) {
                int at = sought(positions, rows, t * k + i, seat * pages * PAGE);
                if (at >= 0) {
                    mine += kind(slotOf.get(at), scratch, used);
                }
            }
            counts[item] = mine;
            for (int distance = 1; distance < items; distance *= 2) {
                context.localBarrier();
                int left = item < distance ? 0 : counts[item - distance];
                context.localBarrier();
                counts[item] += left;
            }
            context.localBarrier();
            int all = counts[items - 1];
            int rank = misses + (counts[item] - mine) % PACK;
            int distinct = held + all % PACK + all / PACK;
            context.localBarrier();
            if (done == t - token && distinct <= room) {
                for (int i = from; i < to; i++) {
                    int at = sought(positions, rows, t * k + i, seat * pages * PAGE);
                    int slot = at < 0 ? 0 : slotOf.get(at);
                    if (at >= 0 && slot == 0) {
                        scratch.set(missed + rank, at - seat * pages * PAGE);
                        rank++;
                        slotOf.set(at, -rank);
                    }
                    if (slot > 0) {
                        scratch.set(used + slot - 1, 1);
                    }
                }
                misses += all % PACK;
                held = distinct;
                done++;
            }
            context.localBarrier();
        }
        if (item == 0 && end > 0) {
            found.set(token * FOUND + MISSES, misses);
            found.set(token * FOUND + DONE, done);
        }
    }

    /** A group for each request. */
    static void makeRoom(
            KernelContext context,
            IntArray request,
            IntArray span,
            IntArray unit,
            IntArray order,
            IntArray scratch,
            IntArray found,
            int slots,
            int units,
            int items) {
        int[] counts = context.allocateIntLocalArray(items);
        int item = context.localIdx;
        int token = context.groupIdx;
        int seat = Math.max(request.get(token), 0);
        int misses = found.get(token * FOUND + MISSES);
        int region = (seat * units + unit.get(0)) * slots;
        int scratchAt = seat * SCRATCH * slots;
        int ordered = slots;
        if (lookups(token, request, span, found) == 0) {
            ordered = 0;
        }
        int each = (slots + items - 1) / items;
        int from = Math.min(ordered, item * each);
        int to = Math.min(ordered, from + each);
        int mine = 0;
        for (int i = from; i < to; i++) {
            mine += 1 - scratch.get(scratchAt + USED * slots + order.get(region + i));
        }
        counts[item] = mine;
        for (int distance = 1; distance < items; distance *= 2) {
            context.localBarrier();
            int left = item < distance ? 0 : counts[item - distance];
            context.localBarrier();
            counts[item] += left;
        }
        context.localBarrier();
        int unused = counts[items - 1];
        int rank = counts[item] - mine;
        for (int i = from; i < to; i++) {
            int slot = order.get(region + i);
            int place = unused + i - rank;
            if (scratch.get(scratchAt + USED * slots + slot) == 0) {
                place = rank - misses;
                if (rank < misses) {
                    place = unused - misses + rank;
                    scratch.set(scratchAt + TAKEN * slots + rank, slot);
                }
                rank++;
            }
            scratch.set(scratchAt + NEXT * slots + place, slot);
        }
        context.localBarrier();
        for (int i = item; i < ordered; i += items) {
            order.set(region + i, scratch.get(scratchAt + NEXT * slots + i));
        }
    }

    /** A group for each request. */
    static void place(
            KernelContext context,
            IntArray positions,
            IntArray request,
            IntArray span,
            IntArray hotTable,
            IntArray unit,
            IntArray positionOf,
            IntArray slotOf,
            IntArray scratch,
            IntArray rows,
            IntArray found,
            int k,
            int pages,
            int hotBlocks,
            int slots,
            int units,
            int items) {
        int item = context.localIdx;
        int token = context.groupIdx;
        int seat = Math.max(request.get(token), 0);
        int remembered = slots;
        if (lookups(token, request, span, found) == 0) {
            remembered = 0;
        }
        int map = seat * pages * PAGE;
        int region = (seat * units + unit.get(0)) * slots;
        int taken = (seat * SCRATCH + TAKEN) * slots;
        int done = found.get(token * FOUND + DONE);
        for (int i = token * k + item; i < (token + done) * k; i += items) {
            int at = sought(positions, rows, i, map);
            if (at >= 0) {
                int slot = slotOf.get(at) - 1;
                if (slot < 0) {
                    slot = scratch.get(taken - slot - 2);
                }
                rows.set(i, hotTable.get(seat * hotBlocks + slot / PAGE) * PAGE + slot % PAGE);
            }
        }
        context.localBarrier();
        for (int m = item; m < found.get(token * FOUND + MISSES); m += items) {
            int slot = scratch.get(taken + m);
            int old = positionOf.get(region + slot);
            if (old >= 0) {
                slotOf.set(map + old, 0);
            }
            positionOf.set(region + slot, scratch.get((seat * SCRATCH + MISSED) * slots + m));
        }
        context.localBarrier();
        for (int slot = item; slot < remembered; slot += items) {
            int position = positionOf.get(region + slot);
            if (position >= 0) {
                slotOf.set(map + position, 0);
            }
        }
    }

    /** Lookups of the request whose first token this is; 0 if it isn't a first one of the span. */
    static int lookups(int token, IntArray request, IntArray span, IntArray found) {
        int end = end(token, request, span);
        int lookups = 0;
        for (int t = token; t < end; t++) {
            lookups += found.get(t * FOUND + LOOKUPS);
        }
        return lookups;
    }

    /** The token behind the request whose first one this is; 0 if it isn't a first one of the span. */
    static int end(int token, IntArray request, IntArray span) {
        int seat = request.get(token);
        int end = 0;
        if (seat >= 0 && token >= span.get(0) && token < span.get(1)) {
            int before = -1;
            if (token > span.get(0)) {
                before = request.get(token - 1);
            }
            if (before != seat) {
                end = token + 1;
                while (end < span.get(1) && request.get(end) == seat) {
                    end++;
                }
            }
        }
        return end;
    }

    /**
     * Counts as done what needed nothing, and takes back the lookups of tokens that are not done.
     *
     * @return how many those were
     */
    static int settle(int token, IntArray request, IntArray span, IntArray found) {
        int end = end(token, request, span);
        int late = 0;
        if (end > 0) {
            int done = found.get(token * FOUND + DONE);
            if (lookups(token, request, span, found) == 0) {
                done = end - token;
                found.set(token * FOUND + DONE, done);
            }
            for (int t = token + done; t < end; t++) {
                late += found.get(t * FOUND + LOOKUPS);
                found.set(t * FOUND + LOOKUPS, 0);
            }
        }
        return late;
    }

    /** Where the map has the position of entry i; -1 if it is masked or resident. */
    private static int sought(IntArray positions, IntArray rows, int i, int map) {
        int position = positions.get(i);
        int at = -1;
        if (position >= 0 && rows.get(i) < 0) {
            at = map + position;
        }
        return at;
    }

    /** What a position is that the map has at {@code slot}: a new miss, PACK for a hit whose slot wasn't used, or neither. */
    private static int kind(int slot, IntArray scratch, int used) {
        int kind = 0;
        if (slot == 0) {
            kind = 1;
        }
        if (slot > 0) {
            if (scratch.get(used + slot - 1) == 0) {
                kind = PACK;
            }
        }
        return kind;
    }
}
