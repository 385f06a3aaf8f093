package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.hotrow.kernels.tornado.IndexKeyWrite;
import org.hotrow.kernels.tornado.KvRowWrite;
import org.hotrow.kernels.tornado.SparseMla;
import org.hotrow.kernels.tornado.SparseMlaSplit;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of what is stored in the KV tensor, byte for byte, and of the attention over it. */
final class CacheChecks {
    private static final int ROWS = 3;
    private static final int LAYERS = 2;
    private static final int LAYER = 1;
    private static final int BLOCKS = 4;
    private static final int STORED = 9;

    private final CheckBench bench;
    private final KvDtype rowType;
    private final int latent;
    private final int rope;
    private final RowFormat rowFormat;

    private CacheChecks(CheckBench bench, KvDtype rowType) {
        this.bench = bench;
        this.rowType = rowType;
        latent = rowType == KvDtype.FP8 ? 512 : 72;
        rope = rowType == KvDtype.FP8 ? 64 : 8;
        rowFormat = RowFormat.of(rowType, latent, rope);
    }

    static List<KernelCheck> all(CheckBench bench, CacheFormat format) {
        CacheChecks checks = new CacheChecks(bench, format.rows());
        return List.of(checks.rowWrite(), keyWrite(bench, format.indexKeys()), checks.attention());
    }

    private long at(int row, int layer) {
        return ((long) (row / Block.TOKENS * LAYERS + layer) * Block.TOKENS + row % Block.TOKENS)
                * rowFormat.rowBytes();
    }

    /** A row that attention may read. */
    private static int stored(int i) {
        return Block.TOKENS + 13 * i;
    }

    private MemorySegment slab() {
        return bench.slab(at(BLOCKS * Block.TOKENS, 0));
    }

    /** Each round writes to other rows. */
    private KernelCheck rowWrite() {
        int width = latent + rope;
        var shape = new KvRowWrite.Shape(ROWS, width, LAYERS);
        IntArray counts = bench.counts();
        IntArray writeRow = bench.ints(ROWS);
        FloatArray row = bench.floats(ROWS * width);
        IntArray layer = bench.arrays.intsOf(LAYER, LAYERS);
        MemorySegment memory = slab();
        MemorySegment expected = bench.copy(memory);
        LongArray slab = bench.longs(memory);
        FloatArray floats = rowType == KvDtype.FP32 ? bench.floats(memory) : bench.exponents;
        GraphRecorder.Piece piece = switch (rowType) {
            case FP8 ->
                (graph, grids, task) -> KvRowWrite.appendFp8(
                        graph, grids, task, counts, writeRow, row, bench.exponents, layer, slab, shape);
            case BF16 ->
                (graph, grids, task) -> KvRowWrite.appendBf16(
                        graph, grids, task, counts, writeRow, row, bench.exponents, layer, slab, shape);
            case FP32 ->
                (graph, grids, task) ->
                        KvRowWrite.appendFp32(graph, grids, task, counts, writeRow, row, layer, floats, shape);
        };
        return KernelCheck.of(
                KvRowWrite.class,
                CacheFormat.word(rowType),
                1,
                piece,
                round -> {
                    int rows = round.counts(counts, ROWS);
                    int[] ids = {Block.TOKENS + 5 * round.number(), -1, 3 * Block.TOKENS - 1 - round.number()};
                    round.send(writeRow, ids);
                    float[] values = round.values(row, rows * width);
                    for (int t = 0; t < rows; t++) {
                        if (ids[t] >= 0) {
                            rowFormat.write(values, t * width, expected, at(ids[t], LAYER));
                        }
                    }
                    round.expect(rowType == KvDtype.FP32 ? floats : slab, expected);
                },
                counts,
                writeRow,
                row,
                bench.exponents,
                layer,
                rowType == KvDtype.FP32 ? floats : slab);
    }

    /** Positions 64 to 66 of a request, then the next ones: scales share a long. */
    private static KernelCheck keyWrite(CheckBench bench, KvDtype type) {
        int width = 24;
        int pagesPerBlock = 2;
        IndexFormat format = IndexFormat.of(type, width);
        int blockBytes = pagesPerBlock * LAYERS * format.pageBytes() + Long.BYTES;
        int wordBytes = type == KvDtype.FP32 ? Float.BYTES : Long.BYTES;
        var shape = new IndexKeyWrite.Shape(ROWS, width, 1, pagesPerBlock, LAYERS, blockBytes / wordBytes);
        IntArray counts = bench.counts();
        IntArray request = bench.ints(ROWS);
        IntArray position = bench.ints(ROWS);
        IntArray table = bench.ints(2);
        FloatArray key = bench.floats(ROWS * width);
        IntArray anchor = bench.arrays.intsOf(LAYER, LAYERS, blockBytes / Long.BYTES);
        MemorySegment memory = bench.slab((long) BLOCKS * blockBytes);
        MemorySegment expected = bench.copy(memory);
        LongArray slab = bench.longs(memory);
        FloatArray floats = type == KvDtype.FP32 ? bench.floats(memory) : bench.exponents;
        GraphRecorder.Piece piece = (graph, grids, task) -> {
            switch (type) {
                case FP8 ->
                    IndexKeyWrite.appendFp8(
                            graph,
                            grids,
                            task,
                            counts,
                            request,
                            position,
                            table,
                            key,
                            bench.exponents,
                            anchor,
                            slab,
                            shape);
                case BF16 ->
                    IndexKeyWrite.appendBf16(
                            graph,
                            grids,
                            task,
                            counts,
                            request,
                            position,
                            table,
                            key,
                            bench.exponents,
                            anchor,
                            slab,
                            shape);
                case FP32 ->
                    IndexKeyWrite.appendFp32(
                            graph, grids, task, counts, request, position, table, key, anchor, floats, shape);
            }
        };
        return KernelCheck.of(
                IndexKeyWrite.class,
                CacheFormat.word(type),
                1,
                piece,
                round -> {
                    int rows = round.counts(counts, ROWS);
                    int[] blocks = {3 - round.number() % 2, 1 + round.number() % 2};
                    int first = Block.TOKENS + 2 * round.number();
                    round.send(table, blocks);
                    round.send(request, 1, 1, rows == ROWS ? 0 : -1);
                    round.send(position, first, first + 1, first);
                    float[] values = round.values(key, rows * width);
                    for (int t = 0; t < rows; t++) {
                        int slot = (t == 1 ? first + 1 : first) % Block.TOKENS;
                        long page = (long) blocks[t < 2 ? 1 : 0] * blockBytes
                                + (LAYERS + LAYER) * (long) format.pageBytes();
                        format.write(values, t * width, expected, page, slot);
                    }
                    if (rows == ROWS && type == KvDtype.FP8) {
                        clearNeighbour(format, expected, blocks[0] * (long) blockBytes, first % Block.TOKENS);
                    }
                    round.expect(type == KvDtype.FP32 ? floats : slab, expected);
                },
                counts,
                request,
                position,
                table,
                key,
                bench.exponents,
                anchor,
                type == KvDtype.FP32 ? floats : slab);
    }

    /** The scale behind that of an even slot is zero until its own token comes. */
    private static void clearNeighbour(IndexFormat format, MemorySegment slab, long block, int slot) {
        long page = block + (LAYERS + LAYER) * (long) format.pageBytes();
        long scales = page + (long) Block.TOKENS * format.valueBytes();
        slab.asSlice(scales + (slot + 1) * (long) Float.BYTES, Float.BYTES).fill((byte) 0);
    }

    /** A list of two parts with holes, one that ends early, and padding or a list of nothing. */
    private KernelCheck attention() {
        int heads = 3;
        int k = 70;
        int width = latent + rope;
        float scale = 0.11f;
        var shape = new SparseMla.Shape(ROWS, heads, latent, rope, k, rowType);
        float[] keys = new float[STORED * width];
        MemorySegment memory = slab();
        for (int i = 0; i < STORED; i++) {
            rowFormat.write(bench.values(width), 0, memory, at(stored(i), LAYER));
            rowFormat.read(memory, at(stored(i), LAYER), keys, i * width);
        }
        FloatArray query = bench.floats(ROWS * heads * width);
        IntArray rows = bench.ints(ROWS * k);
        IntArray span = bench.ints(2);
        FloatArray out = bench.floats(ROWS * heads * latent);
        var arrays = new SparseMla.Arrays(
                query,
                rows,
                bench.longs(memory),
                bench.arrays.intsOf(LAYER, LAYERS),
                span,
                bench.codes,
                bench.exponents,
                out);
        SparseMlaSplit.Partials partials = SparseMlaSplit.Partials.of(shape);
        for (FloatArray scratch : List.of(partials.most(), partials.sum(), partials.partial())) {
            scratch.init(Float.NaN);
        }
        bench.arrays.adopt(partials);
        return KernelCheck.of(
                SparseMlaSplit.class,
                CacheFormat.word(rowType),
                2,
                (graph, grids, task) -> SparseMlaSplit.append(graph, grids, task, shape, scale, arrays, partials),
                round -> {
                    int real = round.rows(ROWS);
                    round.send(span, 0, real);
                    float[] queries = round.values(query, real * heads * width);
                    float[] expected = round.poison(out);
                    int[] lists = new int[ROWS * k];
                    Arrays.fill(lists, -1);
                    for (int t = 0; t < real; t++) {
                        int[] places = t == 0 ? new int[] {0, 1, 7, 11, 64, 66} : new int[] {0, 1 + round.number()};
                        int n = t == 2 ? 0 : places.length;
                        float[] own = new float[n * width];
                        for (int i = 0; i < n; i++) {
                            int key = round.random().nextInt(STORED);
                            lists[t * k + places[i]] = stored(key);
                            System.arraycopy(keys, key * width, own, i * width, width);
                        }
                        float[] q = Arrays.copyOfRange(queries, t * heads * width, (t + 1) * heads * width);
                        double[] attended = SparseMla.reference(q, own, n, heads, latent, rope, scale);
                        for (int i = 0; i < attended.length; i++) {
                            expected[t * attended.length + i] = (float) attended[i];
                        }
                    }
                    round.send(rows, lists);
                    round.expect(out, expected, 32);
                },
                arrays,
                partials);
    }
}
