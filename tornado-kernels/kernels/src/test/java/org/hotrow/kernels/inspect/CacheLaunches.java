package org.hotrow.kernels.inspect;

import static org.hotrow.kernels.inspect.Production.ANCHORS;
import static org.hotrow.kernels.inspect.Production.BLOCK_LONGS;
import static org.hotrow.kernels.inspect.Production.INDEX_PAGES;
import static org.hotrow.kernels.inspect.Production.INDEX_PAGE_LONGS;
import static org.hotrow.kernels.inspect.Production.LAYERS;
import static org.hotrow.kernels.inspect.Production.MOST_TOKENS;
import static org.hotrow.kernels.inspect.Production.ROW_LONGS;
import static org.hotrow.kernels.inspect.Production.TOKENS;
import static org.hotrow.kernels.inspect.Production.TOP_K;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.IndexKeyWrite;
import org.hotrow.kernels.tornado.KvRowWrite;
import org.hotrow.kernels.tornado.RowGather;
import org.hotrow.kernels.tornado.RowResolver;
import org.hotrow.kernels.tornado.ScoredResolver;
import org.hotrow.kernels.tornado.WriteBack;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What writes, finds and moves rows and keys. */
final class CacheLaunches {
    private CacheLaunches() {}

    static void addTo(Map<String, Supplier<Launch>> all) {
        all.put("kv-row-write", CacheLaunches::kvRowWrite);
        all.put("index-key-write", CacheLaunches::indexKeyWrite);
        all.put("row-resolver", CacheLaunches::rowResolver);
        all.put("scored-resolver", CacheLaunches::scoredResolver);
        all.put("row-gather", CacheLaunches::rowGather);
        all.put("write-back", CacheLaunches::writeBack);
    }

    private static Launch kvRowWrite() {
        KvRowWrite.Shape shape = new KvRowWrite.Shape(TOKENS, 576, LAYERS);
        IntArray counts = Production.counts(TOKENS);
        IntArray writeRow = new IntArray(TOKENS);
        for (int t = 0; t < TOKENS; t++) {
            writeRow.set(t, 64 + 65 * t);
        }
        FloatArray row = new FloatArray(TOKENS * 576);
        FloatArray exponents = Exponents.table();
        IntArray layer = IntArray.fromElements(8);
        LongArray slab = new LongArray((TOKENS + 3) * BLOCK_LONGS);
        return Launch.of(
                        "kv-row-write",
                        TOKENS + " rows, fp8",
                        shape.floorBytes(TOKENS, 8 * ROW_LONGS),
                        List.of("write"),
                        (graph, grids) -> KvRowWrite.appendFp8(
                                graph, grids, "write", counts, writeRow, row, exponents, layer, slab, shape),
                        counts,
                        writeRow,
                        row,
                        exponents,
                        layer,
                        slab)
                .because("look-ups in the table of exponents use 4 bytes of a sector of the first-level cache");
    }

    private static Launch indexKeyWrite() {
        int indexBlocks = Math.ceilDiv(MOST_TOKENS, INDEX_PAGES * 64);
        IndexKeyWrite.Shape shape =
                new IndexKeyWrite.Shape(TOKENS, 128, indexBlocks, INDEX_PAGES, ANCHORS, BLOCK_LONGS);
        IntArray counts = Production.counts(TOKENS);
        IntArray request = new IntArray(TOKENS);
        IntArray position = new IntArray(TOKENS);
        IntArray table = new IntArray(TOKENS * indexBlocks);
        for (int t = 0; t < TOKENS; t++) {
            request.set(t, t);
            position.set(t, 1000 + t);
            table.set(t * indexBlocks, 1 + t);
        }
        FloatArray key = new FloatArray(TOKENS * 128);
        FloatArray exponents = Exponents.table();
        IntArray anchor = IntArray.fromElements(3);
        LongArray slab = new LongArray((TOKENS + 1) * BLOCK_LONGS);
        return Launch.of(
                        "index-key-write",
                        TOKENS + " keys, fp8",
                        shape.floorBytes(TOKENS, 132),
                        List.of("write"),
                        (graph, grids) -> IndexKeyWrite.appendFp8(
                                graph, grids, "write", counts, request, position, table, key, exponents, anchor, slab,
                                shape),
                        counts,
                        request,
                        position,
                        table,
                        key,
                        exponents,
                        anchor,
                        slab)
                .because("beside a key's 512 bytes, where it goes and its exponent are 4 bytes of a sector each");
    }

    /** What a resolver works on. */
    private record Resolving(
            RowResolver.Shape shape,
            IntArray positions,
            IntArray unit,
            RowResolver.Step step,
            RowResolver.State state,
            IntArray rows,
            RowResolver.Loads loads) {
        static final int LENGTH = 1 << 17;
        static final int MISSES = TOP_K / 4;
        static final String WORDS = TOP_K + " rows of " + LENGTH + ", " + MISSES + " loads";
    }

    private static Launch rowResolver() {
        Resolving r = resolving();
        return rowResolver(
                "row-resolver",
                Resolving.WORDS,
                r.shape,
                r.positions,
                r.unit,
                r.step,
                r.state,
                r.rows,
                r.loads,
                Resolving.MISSES);
    }

    /** The same, where the slots of the lowest scores make room; their values are spread as the scores are. */
    private static Launch scoredResolver() {
        Resolving r = resolving();
        IntArray bits = new IntArray(MOST_TOKENS);
        SplittableRandom random = new SplittableRandom(1);
        for (int p = 0; p < Resolving.LENGTH; p++) {
            bits.set(p, Float.floatToRawIntBits((float) random.nextDouble(-1, 1)));
        }
        var scores = new ScoredResolver.Scores(
                bits, IntArray.fromElements(Resolving.LENGTH - 1), Exponents.table(), MOST_TOKENS);
        ScoredResolver.Slots slots = ScoredResolver.Slots.of(r.shape);
        for (int slot = 0; slot < r.shape.slots(); slot++) {
            slots.values().set(slot, Float.floatToRawIntBits((float) random.nextDouble(-1, 1)));
        }
        return Launch.of(
                        "scored-resolver",
                        Resolving.WORDS,
                        r.shape.floorBytes(TOP_K, 1, Resolving.MISSES) + ScoredResolver.floorBytes(r.shape, 1),
                        List.of(
                                "score",
                                "unit-look-up",
                                "unit-remember",
                                "unit-find",
                                "unit-choose",
                                "unit-make-room",
                                "unit-place",
                                "unit-list",
                                "unit-count"),
                        (graph, grids) -> {
                            ScoredResolver.appendScore(
                                    graph, grids, "score", r.shape, 1024, scores, r.unit, r.step, r.state, slots);
                            ScoredResolver.append(
                                    graph,
                                    grids,
                                    "unit",
                                    r.shape,
                                    1024,
                                    r.positions,
                                    r.unit,
                                    r.step,
                                    r.state,
                                    slots,
                                    r.rows,
                                    r.loads);
                        },
                        bits,
                        scores.position(),
                        scores.exponents(),
                        slots.values(),
                        slots.threshold(),
                        r.positions,
                        r.unit,
                        r.step.request(),
                        r.step.span(),
                        r.step.blockTable(),
                        r.step.hostTable(),
                        r.step.hotTable(),
                        r.state.positionOf(),
                        r.state.order(),
                        r.state.slotOf(),
                        r.state.scratch(),
                        r.state.counters(),
                        r.rows,
                        r.loads.host(),
                        r.loads.row(),
                        r.loads.count(),
                        r.loads.found())
                .withPartials(r.shape.scratchBytes(1, Resolving.MISSES))
                .because("what is looked up by position or slot lies anywhere, 4 bytes of a sector");
    }

    /** One token of a request of 131,072 positions that has lost all pages but two; a quarter of its rows are loaded. */
    private static Resolving resolving() {
        int length = Resolving.LENGTH;
        int slots = 2 * TOP_K;
        int pages = MOST_TOKENS / 64;
        RowResolver.Shape shape = new RowResolver.Shape(1, TOP_K, 1, ANCHORS, pages, slots / 64, slots);
        RowResolver.State state = RowResolver.State.of(shape);
        RowResolver.Loads loads = RowResolver.Loads.of(shape);
        IntArray positions = new IntArray(TOP_K);
        int stride = length / TOP_K;
        for (int i = 0; i < TOP_K; i++) {
            positions.set(i, i * stride);
        }
        for (int slot = 0; slot < slots; slot++) {
            // Three of four selected positions are hot, and others that were selected before.
            int i = slot / 2;
            int position = i * stride + (slot % 2 == 0 && i % 4 != 0 ? 0 : 1 + slot % 2);
            state.positionOf().set(slot, position);
        }
        IntArray unit = new IntArray(1);
        IntArray request = new IntArray(1);
        IntArray span = IntArray.fromElements(0, 1);
        IntArray blockTable = new IntArray(pages);
        IntArray hostTable = new IntArray(pages);
        for (int page = 0; page < length / 64; page++) {
            hostTable.set(page, 1 + page);
        }
        IntArray hotTable = new IntArray(slots / 64);
        for (int i = 0; i < hotTable.getSize(); i++) {
            hotTable.set(i, 1 + i);
        }
        IntArray rows = new IntArray(TOP_K);
        RowResolver.Step step = new RowResolver.Step(request, span, blockTable, hostTable, hotTable);
        return new Resolving(shape, positions, unit, step, state, rows, loads);
    }

    /** @param misses of each token */
    static Launch rowResolver(
            String name,
            String words,
            RowResolver.Shape shape,
            IntArray positions,
            IntArray unit,
            RowResolver.Step step,
            RowResolver.State state,
            IntArray rows,
            RowResolver.Loads loads,
            int misses) {
        int tokens = shape.tokens();
        return Launch.of(
                        name,
                        words,
                        shape.floorBytes(tokens * shape.k(), tokens, tokens * misses),
                        List.of(
                                "unit-look-up",
                                "unit-remember",
                                "unit-find",
                                "unit-make-room",
                                "unit-place",
                                "unit-list",
                                "unit-count"),
                        (graph, grids) -> RowResolver.append(
                                graph, grids, "unit", shape, 1024, positions, unit, step, state, rows, loads),
                        positions,
                        unit,
                        step.request(),
                        step.span(),
                        step.blockTable(),
                        step.hostTable(),
                        step.hotTable(),
                        state.positionOf(),
                        state.order(),
                        state.slotOf(),
                        state.scratch(),
                        state.counters(),
                        rows,
                        loads.host(),
                        loads.row(),
                        loads.count(),
                        loads.found())
                .withPartials(shape.scratchBytes(tokens, tokens * misses))
                .because("what is looked up by position or slot lies anywhere, 4 bytes of a sector");
    }

    private static Launch rowGather() {
        int layers = 4;
        int loads = 512;
        int pages = 16;
        RowGather.Shape shape = new RowGather.Shape(1, pages, BLOCK_LONGS, ROW_LONGS, 264);
        IntArray host = new IntArray(TOP_K);
        IntArray row = new IntArray(TOP_K);
        for (int i = 0; i < loads; i++) {
            host.set(i, 64 + 2 * i);
            row.set(i, 64 + i);
        }
        RowResolver.Loads list = new RowResolver.Loads(host, row, IntArray.fromElements(loads), new IntArray(1));
        IntArray place = IntArray.fromElements(8, LAYERS, 8, layers);
        LongArray pool = new LongArray(pages * BLOCK_LONGS);
        LongArray slab = new LongArray((loads / 64 + 1) * BLOCK_LONGS);
        return rowGather("row-gather", shape, list, place, pool, slab);
    }

    static Launch rowGather(
            String name,
            RowGather.Shape shape,
            RowResolver.Loads list,
            IntArray place,
            LongArray pool,
            LongArray slab) {
        int loads = list.count().get(0);
        int layers = place.get(3);
        return Launch.of(
                name,
                loads + " rows of " + layers + " layers",
                2 * shape.hostBytes(loads, layers) + 8L * loads,
                List.of("gather"),
                (graph, grids) -> RowGather.append(graph, grids, "gather", shape, list, place, pool, slab),
                list.host(),
                list.row(),
                list.count(),
                place,
                pool,
                slab);
    }

    private static Launch writeBack() {
        WriteBack.Shape shape = new WriteBack.Shape(
                8, ROW_LONGS, INDEX_PAGE_LONGS, LAYERS, 0, LAYERS, ANCHORS, 0, ANCHORS, INDEX_PAGES);
        IntArray pages = IntArray.fromElements(1);
        IntArray block = IntArray.fromElements(2, 0, 0, 0, 0, 0, 0, 0);
        IntArray index = IntArray.fromElements(INDEX_PAGES + 5, 0, 0, 0, 0, 0, 0, 0);
        IntArray to = IntArray.fromElements(1, 0, 0, 0, 0, 0, 0, 0);
        LongArray slab = new LongArray(3 * BLOCK_LONGS);
        LongArray host = new LongArray(2 * shape.hostPageWords());
        return Launch.of(
                "write-back",
                "1 of 8 pages, all layers",
                shape.floorBytes(1),
                List.of("copy"),
                (graph, grids) -> WriteBack.append(graph, grids, "copy", pages, block, index, to, slab, host, shape),
                pages,
                block,
                index,
                to,
                slab,
                host);
    }
}
