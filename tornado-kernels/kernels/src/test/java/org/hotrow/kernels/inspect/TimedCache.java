package org.hotrow.kernels.inspect;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hotrow.kernels.tornado.RowGather;
import org.hotrow.kernels.tornado.RowResolver;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Hot rows, timed: requests that have lost all their pages, and hot regions that hold all selected rows but the misses. */
final class TimedCache {
    private static final int GROUPS = 264;
    private static final int SAMPLED = 64;

    private TimedCache() {}

    static Timed rowResolver(Sizes sizes, int tokens, double share) {
        int k = sizes.topK();
        int slots = sizes.slots();
        int hotBlocks = slots / 64;
        int positions = sizes.contexts().get(1);
        int pages = Math.ceilDiv(positions, 64);
        int misses = sizes.misses(share);
        RowResolver.Shape shape = new RowResolver.Shape(tokens, k, tokens, 1, pages, hotBlocks, slots);
        RowResolver.State state = RowResolver.State.of(shape);
        RowResolver.Loads loads = RowResolver.Loads.of(shape);
        IntArray selected = new IntArray(tokens * k);
        int stride = positions / k;
        for (int i = 0; i < selected.getSize(); i++) {
            selected.set(i, i % k * stride);
            // Hot, or another position of its neighbourhood in its place; and one that was selected before.
            boolean missed = isMissed(i % k, misses, k);
            state.positionOf().set(2 * i, i % k * stride + (missed ? 2 : 0));
            state.positionOf().set(2 * i + 1, i % k * stride + 1);
        }
        RowResolver.Step step = new RowResolver.Step(
                TimedAttention.each(tokens, 0, 1),
                IntArray.fromElements(0, tokens),
                TimedAttention.each(tokens * pages, 0, 0),
                TimedAttention.each(tokens * pages, 1, 1),
                TimedAttention.each(tokens * hotBlocks, 1, 1));
        IntArray rows = new IntArray(tokens * k);
        String words = k + " rows of " + positions + ", " + misses + " loads";
        Launch launch = CacheLaunches.rowResolver(
                "row-resolver", words, shape, selected, new IntArray(1), step, state, rows, loads, misses);
        int all = tokens * misses;
        return new Timed(
                TimedAttention.at(tokens) + ", misses " + percent(share),
                launch,
                0,
                List.of(state.positionOf(), state.order()),
                List.of(
                        Timed.Written.all(rows),
                        new Timed.Written(loads.host(), all),
                        new Timed.Written(loads.row(), all),
                        Timed.Written.all(loads.count())),
                rows.getSize(),
                () -> resolverProblem(selected, rows, loads, k, slots, misses, pages));
    }

    /** Every so many entries one misses. */
    private static boolean isMissed(int i, int misses, int k) {
        return i * misses / k != (i + 1) * misses / k;
    }

    private static String resolverProblem(
            IntArray selected, IntArray rows, RowResolver.Loads loads, int k, int slots, int misses, int pages) {
        if (loads.count().get(0) != rows.getSize() / k * misses) {
            return loads.count().get(0) + " loads, expected " + rows.getSize() / k * misses;
        }
        Set<Integer> taken = new HashSet<>();
        int load = 0;
        for (int i = 0; i < rows.getSize(); i++) {
            int token = i / k;
            int row = rows.get(i);
            int first = 64 + token * slots;
            String entry = "token " + token + ", entry " + i % k + ": row " + row;
            if (row < first || row >= first + slots || !taken.add(row)) {
                return entry + " is not of the request's region, or another's";
            }
            if (!isMissed(i % k, misses, k)) {
                if (row != first + 2 * (i % k)) {
                    return entry + ", but it is hot in " + (first + 2 * (i % k));
                }
                continue;
            }
            int position = selected.get(i);
            int hostRow = (1 + token * pages + position / 64) * 64 + position % 64;
            if (loads.host().get(load) != hostRow || loads.row().get(load) != row) {
                return entry + ", but load " + load + " is " + loads.host().get(load) + " to "
                        + loads.row().get(load) + ", expected host row " + hostRow;
            }
            load++;
        }
        return "";
    }

    static Timed rowGather(Sizes sizes, int tokens, double share) {
        int loads = tokens * sizes.misses(share);
        int pages = Math.max(1, Math.ceilDiv(2 * loads, 64));
        IntArray host = new IntArray(Math.max(1, loads));
        IntArray row = new IntArray(Math.max(1, loads));
        for (int i = 0; i < loads; i++) {
            host.set(i, 64 + 2 * i + i % 2);
            row.set(i, 64 + (int) (i * 811L % loads));
        }
        RowResolver.Loads list = new RowResolver.Loads(host, row, IntArray.fromElements(loads), new IntArray(1));
        LongArray pool = PinnedHost.longs((long) pages * Sizes.BLOCK_LONGS);
        MemorySegment poolMemory = PinnedHost.memory(pool);
        long[] offsets = new long[loads * Sizes.LAYERS];
        Arrays.setAll(offsets, i -> hostAt(host.get(i / Sizes.LAYERS), i % Sizes.LAYERS));
        Fill.rows(poolMemory, offsets, 6);
        LongArray slab = new LongArray((Math.ceilDiv(Math.max(1, loads), 64) + 1) * Sizes.BLOCK_LONGS);
        RowGather.Shape shape = new RowGather.Shape(1, pages, Sizes.BLOCK_LONGS, Production.ROW_LONGS, GROUPS);
        IntArray place = IntArray.fromElements(0, Sizes.LAYERS, 0, Sizes.LAYERS);
        return new Timed(
                TimedAttention.at(tokens) + ", misses " + percent(share),
                CacheLaunches.rowGather("row-gather", shape, list, place, pool, slab),
                shape.hostBytes(loads, Sizes.LAYERS),
                List.of(),
                List.of(new Timed.Written(slab, (long) loads * Sizes.LAYERS * Sizes.ROW_BYTES / Integer.BYTES)),
                Math.min(loads, SAMPLED) * Sizes.LAYERS,
                () -> gatherProblem(list, poolMemory, slab.getSegment()));
    }

    private static String gatherProblem(RowResolver.Loads list, MemorySegment pool, MemorySegment slab) {
        int loads = list.count().get(0);
        for (int sample = 0; sample < Math.min(loads, SAMPLED); sample++) {
            int load = (int) ((long) sample * loads / Math.min(loads, SAMPLED));
            for (int layer = 0; layer < Sizes.LAYERS; layer++) {
                long from = hostAt(list.host().get(load), layer);
                long to = TimedAttention.rowAt(list.row().get(load), layer);
                if (MemorySegment.mismatch(pool, from, from + Sizes.ROW_BYTES, slab, to, to + Sizes.ROW_BYTES) >= 0) {
                    return "load " + load + ", layer " + layer + ": device row "
                            + list.row().get(load)
                            + " isn't host row " + list.host().get(load) + "; it begins with "
                            + Long.toHexString(slab.get(ValueLayout.JAVA_LONG_UNALIGNED, to));
                }
            }
        }
        return "";
    }

    /** The byte of the pool where a host row begins: the pool's first page is page 1. */
    private static long hostAt(int row, int layer) {
        return TimedAttention.rowAt(row - 64, layer);
    }

    private static String percent(double share) {
        return "%.1f %%".formatted(100 * share);
    }
}
