package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hotrow.kernels.tornado.IndexPageCopy;
import org.hotrow.kernels.tornado.PageRestore;
import org.hotrow.kernels.tornado.WriteBack;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of the copies of pages between a slab and the host pool: two of five layers, one of two anchors. */
final class PageChecks {
    private static final int PAGES = 3;
    private static final int BLOCKS = 6;
    private static final int HOST_PAGES = 4;
    private static final WriteBack.Shape SHAPE = new WriteBack.Shape(PAGES, 2, 33, 5, 1, 2, 2, 1, 1, 3);

    private final LongArray slab;
    private final LongArray host;
    private final long[] slabLongs;
    private final long[] hostLongs;
    private final IntArray count;
    private final IntArray first;
    private final IntArray second;
    private final IntArray third;

    private PageChecks(CheckBench bench) {
        slabLongs = numbers(BLOCKS * SHAPE.layersInSlab() * 64 * SHAPE.rowWords(), 3);
        hostLongs = numbers(HOST_PAGES * SHAPE.hostPageWords(), 5);
        slab = bench.longs(MemorySegment.ofArray(slabLongs));
        host = bench.longs(MemorySegment.ofArray(hostLongs));
        count = bench.ints(1);
        first = bench.ints(PAGES);
        second = bench.ints(PAGES);
        third = bench.ints(PAGES);
    }

    /** All different. */
    private static long[] numbers(int count, long factor) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (i + factor) * 0x9E3779B97F4A7C15L;
        }
        return numbers;
    }

    static List<KernelCheck> all(CheckBench bench) {
        return List.of(
                new PageChecks(bench).writeBack(), new PageChecks(bench).restore(), new PageChecks(bench).copy());
    }

    private KernelCheck writeBack() {
        return KernelCheck.of(
                WriteBack.class,
                "",
                1,
                (graph, grids, task) ->
                        WriteBack.append(graph, grids, task, count, first, second, third, slab, host, SHAPE),
                round -> {
                    int pages = round.rows(PAGES);
                    int[] block = {1 + round.number(), 5, 1};
                    int[] index = {14 - round.number(), 16, 12};
                    int[] to = {round.number(), 3, (round.number() + 1) % 3};
                    send(round, pages, block, index, to);
                    WriteBack.reference(pages, SHAPE, block, index, to, slabLongs, hostLongs);
                    round.expect(host, MemorySegment.ofArray(hostLongs));
                    round.expect(slab, MemorySegment.ofArray(slabLongs));
                },
                count,
                first,
                second,
                third,
                slab,
                host);
    }

    /** Rows and keys, rows alone, keys alone. */
    private KernelCheck restore() {
        return KernelCheck.of(
                PageRestore.class,
                "",
                1,
                (graph, grids, task) ->
                        PageRestore.append(graph, grids, task, count, first, second, third, host, slab, SHAPE),
                round -> {
                    int pages = round.rows(PAGES);
                    int[] from = {round.number(), 3, 2};
                    int[] block = {1 + round.number(), 4, 0};
                    int[] index = {15, -1, 16};
                    send(round, pages, from, block, index);
                    PageRestore.reference(pages, SHAPE, from, block, index, hostLongs, slabLongs);
                    round.expect(slab, MemorySegment.ofArray(slabLongs));
                    round.expect(host, MemorySegment.ofArray(hostLongs));
                },
                count,
                first,
                second,
                third,
                slab,
                host);
    }

    private KernelCheck copy() {
        return KernelCheck.of(
                IndexPageCopy.class,
                "",
                1,
                (graph, grids, task) -> IndexPageCopy.append(graph, grids, task, count, first, second, slab, SHAPE),
                round -> {
                    int pages = round.rows(PAGES);
                    int[] from = {3 + round.number(), 8, 7};
                    int[] to = {12 + round.number(), 16, 17};
                    send(round, pages, from, to, new int[PAGES]);
                    IndexPageCopy.reference(pages, SHAPE, from, to, slabLongs);
                    round.expect(slab, MemorySegment.ofArray(slabLongs));
                },
                count,
                first,
                second,
                slab);
    }

    private void send(CheckRound round, int pages, int[] a, int[] b, int[] c) {
        round.send(count, pages);
        round.send(first, a);
        round.send(second, b);
        round.send(third, c);
    }
}
