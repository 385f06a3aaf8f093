package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
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
    private static final int HEADS = 3;
    private static final int K = 130;
    /** What stands for the terms of a weighted sum: its weights are exponentials of scores of some tens. */
    private static final float SHARES = 256;
    /** Values that share a scale. */
    private static final int TILE = 128;

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
        return List.of(checks.rowWrite(), KeyWriteCheck.of(bench, format.indexKeys()), checks.attention());
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
        FloatArray floats = rowType == KvDtype.FP32 ? bench.arrays.floatsOf(slab) : bench.exponents;
        var piece = GraphWrites.rows(rowType, shape, counts, writeRow, row, bench.exponents, layer, slab, floats);
        return KernelCheck.of(
                KvRowWrite.class,
                CacheFormat.word(rowType),
                1,
                piece,
                round -> {
                    int rows = round.counts(counts, ROWS);
                    int[] ids = {Block.TOKENS + 5 * round.number(), -1, 3 * Block.TOKENS - 1 - round.number()};
                    round.send(writeRow, ids);
                    float[] values = round.values(row, rows * width, TILE);
                    for (int t = 0; t < rows; t++) {
                        if (ids[t] >= 0) {
                            rowFormat.write(values, t * width, expected, at(ids[t], LAYER));
                        }
                    }
                    round.expect(slab, expected);
                },
                counts,
                writeRow,
                row,
                bench.exponents,
                layer,
                slab,
                floats);
    }

    private KernelCheck attention() {
        int width = latent + rope;
        float scale = 0.7f;
        var shape = new SparseMla.Shape(ROWS, HEADS, latent, rope, K, rowType);
        float[] keys = new float[STORED * width];
        MemorySegment memory = slab();
        for (int i = 0; i < STORED; i++) {
            float[] values = bench.values(width);
            for (int v = 0; v < width; v++) {
                values[v] /= 1 + v / TILE;
            }
            rowFormat.write(values, 0, memory, at(stored(i), LAYER));
            rowFormat.read(memory, at(stored(i), LAYER), keys, i * width);
        }
        FloatArray query = bench.floats(ROWS * HEADS * width);
        IntArray rows = bench.ints(ROWS * K);
        IntArray span = bench.ints(2);
        FloatArray out = bench.floats(ROWS * HEADS * latent);
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
                    float[] queries = round.values(query, real * HEADS * width);
                    float[] expected = round.poison(out);
                    int[] lists = new int[ROWS * K];
                    Arrays.fill(lists, -1);
                    for (int t = 0; t < real; t++) {
                        float[] own = list(round, t, keys, lists, t * K);
                        float[] q = Arrays.copyOfRange(queries, t * HEADS * width, (t + 1) * HEADS * width);
                        double[] attended = SparseMla.reference(q, own, own.length / width, HEADS, latent, rope, scale);
                        for (int i = 0; i < attended.length; i++) {
                            expected[t * attended.length + i] = (float) attended[i];
                        }
                    }
                    round.send(rows, lists);
                    round.expect(out, expected, SHARES);
                },
                arrays,
                partials);
    }

    /** Lists rows for a token, and returns their values: of two parts with holes, few, or none. */
    private float[] list(CheckRound round, int token, float[] keys, int[] lists, int at) {
        int width = latent + rope;
        int[] places = switch (token) {
            case 0 -> new int[] {0, 1, 7, 11, 128, 129};
            case 1 -> new int[] {0, 1 + round.number()};
            default -> new int[0];
        };
        float[] values = new float[places.length * width];
        for (int i = 0; i < places.length; i++) {
            int key = round.random().nextInt(STORED);
            lists[at + places[i]] = stored(key);
            System.arraycopy(keys, key * width, values, i * width, width);
        }
        return values;
    }
}
