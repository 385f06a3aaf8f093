package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.HotSlots;
import org.hotrow.kernels.Misses;
import org.hotrow.kernels.Resolve;
import org.hotrow.kernels.tornado.RowGather;
import org.hotrow.kernels.tornado.RowResolver;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of the hot regions: the resolver, over rounds that build on each other, and the gather. */
final class HotRowChecks {
    private static final int RESOLVE_TASKS = 7;
    private static final int RESOLVE_ITEMS = 64;

    private HotRowChecks() {}

    static List<KernelCheck> all(CheckBench bench) {
        return List.of(resolver(bench), gather(bench));
    }

    /** Requests on two seats, whose regions are emptied now and then. */
    private static KernelCheck resolver(CheckBench bench) {
        var shape = new RowResolver.Shape(3, 5, 2, 2, 4, 1, 11);
        int k = shape.k();
        int unit = 1;
        IntArray positions = bench.ints(shape.tokens() * k);
        IntArray rows = bench.ints(shape.tokens() * k);
        IntArray resetSeat = bench.ints(shape.seats());
        var step = new RowResolver.Step(
                bench.ints(shape.tokens()),
                bench.ints(2),
                bench.ints(shape.seats() * shape.pages()),
                bench.ints(shape.seats() * shape.pages()),
                bench.ints(shape.seats() * shape.hotBlocks()));
        RowResolver.State state = bench.arrays.adopt(RowResolver.State.of(shape));
        var loads = new RowResolver.Loads(
                bench.ints(shape.capacity()), bench.ints(shape.capacity()), bench.ints(1), bench.ints(12));
        IntArray units = bench.arrays.intsOf(unit);
        HotSlots hot = new HotSlots(shape.seats(), shape.units(), shape.slots());
        MemorySegment counters = bench.slab((long) shape.units() * RowResolver.COUNTERS * Long.BYTES)
                .fill((byte) 0);
        return KernelCheck.of(
                RowResolver.class,
                "",
                1 + RESOLVE_TASKS,
                (graph, grids, task) -> {
                    RowResolver.appendReset(graph, grids, task + "-reset", shape, resetSeat, state);
                    RowResolver.append(
                            graph, grids, task, shape, RESOLVE_ITEMS, positions, units, step, state, rows, loads);
                },
                round -> {
                    int tokens = round.rows(shape.tokens());
                    int[] seats = {1, round.number() / 2 % 2, tokens == shape.tokens() ? 0 : -1};
                    int[] blocks = {0, 5, 0, 0, 7, 0, 0, 6 + 3 * (round.number() % 2)};
                    int[] pages = {3, 4, 5, 6, 2, 1, 8, 7};
                    int[] regions = {9, 10};
                    int reset = round.number() == 2 ? 1 : -1;
                    round.send(step.request(), seats);
                    round.send(step.span(), 0, tokens);
                    round.send(step.blockTable(), blocks);
                    round.send(step.hostTable(), pages);
                    round.send(step.hotTable(), regions);
                    round.send(resetSeat, -1, reset);
                    if (reset >= 0) {
                        hot.reset(reset);
                    }
                    int[] chosen = new int[shape.tokens() * k];
                    for (int t = 0; t < shape.tokens(); t++) {
                        // Few, so that some are found again.
                        int[] some = round.random()
                                .ints(0, 16)
                                .map(i -> 16 * i)
                                .distinct()
                                .limit(k - t)
                                .sorted()
                                .toArray();
                        Arrays.fill(chosen, t * k, (t + 1) * k, -1);
                        System.arraycopy(some, 0, chosen, t * k, some.length);
                    }
                    round.send(positions, chosen);
                    int[] expected = round.poison(rows);
                    Misses misses = new Misses();
                    var plain = new Resolve(hot, blocks, pages, shape.pages(), regions, shape.hotBlocks());
                    for (int t = 0; t < tokens; ) {
                        int end = t + 1;
                        while (end < tokens && seats[end] == seats[t]) {
                            end++;
                        }
                        plain.resolve(seats[t], unit, chosen, t * k, (end - t) * k, expected, t * k, misses);
                        t = end;
                    }
                    int[] host = round.poison(loads.host());
                    int[] row = round.poison(loads.row());
                    round.poison(loads.count());
                    round.poison(loads.found());
                    for (int m = 0; m < misses.count(); m++) {
                        host[m] = misses.hostRow(m);
                        row[m] = misses.row(m);
                    }
                    add(counters, unit * RowResolver.COUNTERS + RowResolver.LOOKUPS, misses.lookups());
                    add(counters, unit * RowResolver.COUNTERS + RowResolver.LOADS, misses.count());
                    round.expect(rows, expected);
                    round.expect(loads.host(), host);
                    round.expect(loads.row(), row);
                    round.expect(loads.count(), misses.count());
                    round.expect(state.counters(), counters);
                },
                positions,
                units,
                resetSeat,
                step,
                state,
                rows,
                loads);
    }

    private static void add(MemorySegment counters, int counter, long count) {
        long before = counters.getAtIndex(ValueLayout.JAVA_LONG, counter);
        counters.setAtIndex(ValueLayout.JAVA_LONG, counter, before + count);
    }

    /** Two of three layers, from the second window of a pool; one of the loads is of the first. */
    private static KernelCheck gather(CheckBench bench) {
        int rowLongs = 5;
        int layers = 3;
        int pageRows = layers * Block.TOKENS;
        int hostPageLongs = pageRows * rowLongs + 1;
        int firstPage = 2;
        var shape = new RowGather.Shape(firstPage, 2, hostPageLongs, rowLongs, 3);
        int most = 9;
        var loads = new RowResolver.Loads(bench.ints(most), bench.ints(most), bench.ints(1), bench.arrays.ints(1));
        IntArray place = bench.arrays.intsOf(1, layers, 0, 2);
        MemorySegment pool = bench.slab(2L * hostPageLongs * Long.BYTES);
        for (int i = 0; i < 2 * hostPageLongs; i++) {
            pool.setAtIndex(ValueLayout.JAVA_LONG, i, i * 0x9E3779B97F4A7C15L);
        }
        MemorySegment memory = bench.slab(3L * pageRows * (long) rowLongs * Long.BYTES);
        MemorySegment expected = bench.copy(memory);
        LongArray host = bench.longs(pool);
        LongArray slab = bench.longs(memory);
        return KernelCheck.of(
                RowGather.class,
                "",
                1,
                (graph, grids, task) -> RowGather.append(graph, grids, task, shape, loads, place, host, slab),
                round -> {
                    int count = most - 4 + round.number();
                    int[] from = new int[most];
                    int[] to = new int[most];
                    for (int m = 0; m < most; m++) {
                        from[m] = (m == 1 ? 1 : firstPage + m % 2) * Block.TOKENS + (31 * round.number() + 7 * m) % 64;
                        to[m] = Block.TOKENS * (1 + m % 2) + 10 * round.number() + m;
                    }
                    round.send(loads.host(), from);
                    round.send(loads.row(), to);
                    round.send(loads.count(), count);
                    for (int m = 0; m < count * 2; m++) {
                        int load = m / 2;
                        int layer = m % 2;
                        if (from[load] < firstPage * Block.TOKENS) {
                            continue;
                        }
                        long source = (from[load] / Block.TOKENS - firstPage) * (long) hostPageLongs
                                + (layer * Block.TOKENS + from[load] % Block.TOKENS) * (long) rowLongs;
                        long target = ((to[load] / Block.TOKENS * layers + 1 + layer) * Block.TOKENS
                                        + to[load] % Block.TOKENS)
                                * (long) rowLongs;
                        MemorySegment.copy(
                                pool, source * Long.BYTES, expected, target * Long.BYTES, (long) rowLongs * Long.BYTES);
                    }
                    round.expect(slab, expected);
                },
                loads.host(),
                loads.row(),
                loads.count(),
                place,
                host,
                slab);
    }
}
