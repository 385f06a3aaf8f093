package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.tornado.RowGather;
import org.hotrow.kernels.tornado.RowResolver;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of the hot regions. */
final class HotRowChecks {
    private HotRowChecks() {}

    static List<KernelCheck> all(CheckBench bench) {
        return List.of(ResolverCheck.of(bench), ResolverCheck.scored(bench), gather(bench));
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
