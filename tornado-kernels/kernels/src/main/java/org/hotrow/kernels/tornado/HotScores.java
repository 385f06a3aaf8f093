package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The kernels of {@link ScoredResolver}, which has the arrays.
 *
 * <pre>
 * reset       group per reset seat, unit
 * score       group per request        value = (value + score) / 2 of the slots' positions; the score alone if one of them
 *                                      isn't finite, NaN as -Infinity
 * choose      group per request        m misses: the m-th lowest key of the slots that aren't used, bit by bit
 * makeRoom    group per request        those below it make room, and of the equal ones the first in the order, which
 *                                      becomes: stale | taken | used; the m-th miss takes the m-th of those taken
 * </pre>
 *
 * Keys are those of {@link RadixTopK}. To choose, a work-item has 16 of them in registers, and reads what is beyond them for
 * each bit.
 */
final class HotScores {
    private static final int EACH = 16;
    static final int PARTS = 32;
    static final int RESET_ITEMS = 256;
    private static final int EXPONENT = 0x7F800000;
    private static final int LOADED = 0x7F800000;
    static final int EMPTY = 0xFF800000;

    private HotScores() {}

    /** A group for each entry of {@code resetSeat} and unit. */
    static void reset(KernelContext context, IntArray resetSeat, IntArray values, int units, int slots) {
        int seat = resetSeat.get(context.groupIdx / units);
        if (seat >= 0) {
            int region = (seat * units + context.groupIdx % units) * slots;
            for (int slot = context.localIdx; slot < slots; slot += RESET_ITEMS) {
                values.set(region + slot, EMPTY);
            }
        }
    }

    /** A group for each request. */
    static void score(
            KernelContext context,
            IntArray scores,
            IntArray position,
            IntArray request,
            IntArray span,
            IntArray hotTable,
            IntArray unit,
            IntArray positionOf,
            FloatArray exponents,
            IntArray values,
            int mostTokens,
            int k,
            int hotBlocks,
            int slots,
            int units,
            int items) {
        int token = context.groupIdx;
        int seat = Math.max(request.get(token), 0);
        int seen = 0;
        if (HotResolve.end(token, request, span) > 0) {
            seen = position.get(token) + 1;
        }
        if (seen <= k) {
            seen = 0;
        }
        if (hotTable.get(seat * hotBlocks) == 0) {
            seen = 0;
        }
        int region = (seat * units + unit.get(0)) * slots;
        int scored = seen > 0 ? slots : 0;
        for (int slot = context.localIdx; slot < scored; slot += items) {
            int at = positionOf.get(region + slot);
            if (at >= 0) {
                if (at < seen) {
                    smooth(exponents, values, region + slot, scores.get(token * mostTokens + at));
                }
            }
        }
    }

    private static void smooth(FloatArray exponents, IntArray values, int at, int score) {
        int value = values.get(at);
        int finite = 0;
        if ((value & EXPONENT) != EXPONENT) {
            finite++;
        }
        if ((score & EXPONENT) != EXPONENT) {
            finite++;
        }
        if (finite == 2) {
            float sum = Exponents.decode(exponents, value) + Exponents.decode(exponents, score);
            values.set(at, Float.floatToRawIntBits(sum * 0.5f));
        }
        if (finite < 2) {
            int known = score;
            if ((score & Integer.MAX_VALUE) > EXPONENT) {
                known = EMPTY;
            }
            values.set(at, known);
        }
    }

    /** A group for each request. */
    static void choose(
            KernelContext context,
            IntArray request,
            IntArray unit,
            IntArray values,
            IntArray threshold,
            IntArray scratch,
            IntArray found,
            int slots,
            int units,
            int items) {
        int[] sums = context.allocateIntLocalArray(items);
        int[] parts = context.allocateIntLocalArray(PARTS);
        int[] mine = new int[EACH];
        int item = context.localIdx;
        int token = context.groupIdx;
        int seat = Math.max(request.get(token), 0);
        int misses = found.get(token * HotResolve.FOUND + HotResolve.MISSES);
        int region = (seat * units + unit.get(0)) * slots;
        int used = (seat * HotResolve.SCRATCH + HotResolve.USED) * slots;
        int steps = misses > 0 ? RadixTopK.KEY_BITS + 1 : 0;
        int compared = misses > 0 ? slots : 0;
        for (int j = 0; j < EACH; j++) {
            mine[j] = Integer.MAX_VALUE;
            if (item + j * items < compared) {
                mine[j] = key(scratch, values, used + item + j * items, region + item + j * items);
            }
        }
        int kth = Integer.MIN_VALUE;
        int below = 0;
        for (int step = 0; step < steps; step++) {
            int trial = kth;
            if (step < RadixTopK.KEY_BITS) {
                trial = RadixTopK.trial(kth, step);
            }
            int count = 0;
            for (int j = 0; j < EACH; j++) {
                count += mine[j] < trial ? 1 : 0;
            }
            for (int slot = item + EACH * items; slot < compared; slot += items) {
                count += key(scratch, values, used + slot, region + slot) < trial ? 1 : 0;
            }
            sums[item] = count;
            context.localBarrier();
            if (item < PARTS) {
                int part = 0;
                for (int i = item; i < items; i += PARTS) {
                    part += sums[i];
                }
                parts[item] = part;
            }
            context.localBarrier();
            below = 0;
            for (int j = 0; j < PARTS; j++) {
                below += parts[j];
            }
            if (step < RadixTopK.KEY_BITS && below < misses) {
                kth = trial;
            }
        }
        if (item == 0 && misses > 0) {
            threshold.set(2 * seat, kth);
            threshold.set(2 * seat + 1, misses - below);
        }
    }

    /** A group for each request. */
    static void makeRoom(
            KernelContext context,
            IntArray request,
            IntArray span,
            IntArray unit,
            IntArray order,
            IntArray values,
            IntArray threshold,
            IntArray scratch,
            IntArray found,
            int slots,
            int units,
            int items) {
        int[] unused = context.allocateIntLocalArray(items);
        int[] lower = context.allocateIntLocalArray(items);
        int[] equal = context.allocateIntLocalArray(items);
        int item = context.localIdx;
        int token = context.groupIdx;
        int seat = Math.max(request.get(token), 0);
        int misses = found.get(token * HotResolve.FOUND + HotResolve.MISSES);
        int region = (seat * units + unit.get(0)) * slots;
        int used = (seat * HotResolve.SCRATCH + HotResolve.USED) * slots;
        int taken = (seat * HotResolve.SCRATCH + HotResolve.TAKEN) * slots;
        int next = (seat * HotResolve.SCRATCH + HotResolve.NEXT) * slots;
        int kth = Integer.MIN_VALUE;
        int quota = 0;
        if (misses > 0) {
            kth = threshold.get(2 * seat);
            quota = threshold.get(2 * seat + 1);
        }
        int ordered = slots;
        if (HotResolve.lookups(token, request, span, found) == 0) {
            ordered = 0;
        }
        int each = (slots + items - 1) / items;
        int from = Math.min(ordered, item * each);
        int to = Math.min(ordered, from + each);
        int myUnused = 0;
        int myLower = 0;
        int myEqual = 0;
        for (int i = from; i < to; i++) {
            int slot = order.get(region + i);
            int key = key(scratch, values, used + slot, region + slot);
            myUnused += key < Integer.MAX_VALUE ? 1 : 0;
            myLower += key < kth ? 1 : 0;
            myEqual += key == kth ? 1 : 0;
        }
        unused[item] = myUnused;
        lower[item] = myLower;
        equal[item] = myEqual;
        for (int distance = 1; distance < items; distance *= 2) {
            context.localBarrier();
            int leftUnused = item < distance ? 0 : unused[item - distance];
            int leftLower = item < distance ? 0 : lower[item - distance];
            int leftEqual = item < distance ? 0 : equal[item - distance];
            context.localBarrier();
            unused[item] += leftUnused;
            lower[item] += leftLower;
            equal[item] += leftEqual;
        }
        context.localBarrier();
        int all = unused[items - 1];
        int rank = unused[item] - myUnused;
        int lowerRank = lower[item] - myLower;
        int equalRank = equal[item] - myEqual;
        for (int i = from; i < to; i++) {
            int slot = order.get(region + i);
            int key = key(scratch, values, used + slot, region + slot);
            int goes = key < kth ? 1 : 0;
            if (key == kth) {
                goes = equalRank < quota ? 1 : 0;
            }
            int takenRank = lowerRank + Math.min(equalRank, quota);
            int place = all + i - rank;
            if (key < Integer.MAX_VALUE) {
                place = rank - takenRank;
                if (goes == 1) {
                    place = all - misses + takenRank;
                    scratch.set(taken + takenRank, slot);
                    values.set(region + slot, LOADED);
                }
                rank++;
            }
            lowerRank += key < kth ? 1 : 0;
            equalRank += key == kth ? 1 : 0;
            scratch.set(next + place, slot);
        }
        context.localBarrier();
        for (int i = item; i < ordered; i += items) {
            order.set(region + i, scratch.get(next + i));
        }
    }

    /** Behind all others if the slot is used. */
    private static int key(IntArray scratch, IntArray values, int used, int at) {
        int key = Integer.MAX_VALUE;
        if (scratch.get(used) == 0) {
            key = RadixTopK.key(values.get(at));
        }
        return key;
    }
}
