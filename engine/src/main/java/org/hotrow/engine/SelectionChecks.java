package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.TopK;
import org.hotrow.kernels.tornado.IndexScores;
import org.hotrow.kernels.tornado.RadixTopK;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Checks of the indexer. */
final class SelectionChecks {
    private static final int ROWS = 3;
    private static final int ANCHORS = 2;
    private static final float SCALE = 0.3f;
    private static final int TOP_K_ROWS = 2;
    private static final int TOP_K_TASKS = 4;

    private SelectionChecks() {}

    static List<KernelCheck> all(CheckBench bench, CacheFormat format) {
        return List.of(scores(bench, format.indexKeys()), topK(bench));
    }

    /** A token over two pages, one with so few positions that it needs no scores, and padding or a third. */
    private static KernelCheck scores(CheckBench bench, KvDtype type) {
        int heads = 5;
        int width = 24;
        int k = 6;
        int most = 2 * Block.TOKENS;
        IndexFormat format = IndexFormat.of(type, width);
        var shape = new IndexScores.Shape(ROWS, heads, width, k, most, 1, 2, type);
        long blockBytes = 2L * ANCHORS * format.pageBytes();
        MemorySegment memory = bench.slab(3 * blockBytes);
        float[] keys = store(bench, format, width, memory.asSlice(2 * blockBytes));
        FloatArray query = bench.floats(ROWS * heads * width);
        FloatArray weights = bench.floats(ROWS * heads);
        IntArray request = bench.ints(ROWS);
        IntArray position = bench.ints(ROWS);
        IntArray table = bench.ints(2);
        IntArray scores = bench.ints(ROWS * most);
        var arrays = new IndexScores.Arrays(
                query,
                weights,
                request,
                position,
                table,
                bench.longs(memory),
                bench.arrays.intsOf(1, ANCHORS, Math.toIntExact(blockBytes / Long.BYTES)),
                bench.codes,
                bench.exponents,
                scores);
        return KernelCheck.of(
                IndexScores.class,
                CacheFormat.word(type),
                1,
                (graph, grids, task) -> IndexScores.append(graph, grids, task, shape, SCALE, arrays),
                round -> {
                    int rows = round.rows(ROWS);
                    int[] last = {70 + round.number(), k - 1, 63};
                    round.send(request, 1, 1, rows == ROWS ? 1 : -1);
                    round.send(position, last);
                    round.send(table, 1, 2);
                    float[] queries = round.values(query, rows * heads * width);
                    float[] factors = round.values(weights, rows * heads);
                    round.poison(scores);
                    float[] expected = new float[ROWS * most];
                    Arrays.fill(expected, Float.NaN);
                    for (int t = 0; t < rows; t++) {
                        double[] own = IndexScores.reference(
                                Arrays.copyOfRange(queries, t * heads * width, (t + 1) * heads * width),
                                Arrays.copyOfRange(factors, t * heads, (t + 1) * heads),
                                keys,
                                last[t] < k ? 0 : last[t] + 1,
                                width,
                                SCALE);
                        for (int s = 0; s < own.length; s++) {
                            expected[t * most + s] = (float) own[s];
                        }
                    }
                    round.expectBits(scores, expected, heads * width);
                },
                arrays);
    }

    /** Fills the second of two anchors' pages with keys, and returns them as they are read. */
    private static float[] store(CheckBench bench, IndexFormat format, int width, MemorySegment block) {
        float[] keys = new float[2 * Block.TOKENS * width];
        for (int s = 0; s < 2 * Block.TOKENS; s++) {
            long page = (2L * (s / Block.TOKENS) + 1) * format.pageBytes();
            format.write(bench.values(width), 0, block, page, s % Block.TOKENS);
            format.read(block, page, s % Block.TOKENS, keys, s * width);
        }
        return keys;
    }

    /** Equal scores and NaN among others; a token with more than one group takes, which are filtered before. */
    private static KernelCheck topK(CheckBench bench) {
        int k = 37;
        int most = 8_500;
        var shape = new RadixTopK.Shape(TOP_K_ROWS, most, k);
        IntArray scores = bench.ints(TOP_K_ROWS * most);
        IntArray request = bench.ints(TOP_K_ROWS);
        IntArray position = bench.ints(TOP_K_ROWS);
        IntArray selected = bench.ints(TOP_K_ROWS * k);
        RadixTopK.Scratch scratch = RadixTopK.Scratch.of(shape);
        for (IntArray array : List.of(scratch.state(), scratch.counts(), scratch.keys(), scratch.positions())) {
            array.init(CheckRound.POISON);
        }
        bench.arrays.adopt(scratch);
        return KernelCheck.of(
                RadixTopK.class,
                "",
                TOP_K_TASKS,
                (graph, grids, task) ->
                        RadixTopK.append(graph, grids, task, shape, scores, request, position, scratch, selected),
                round -> {
                    int rows = round.rows(TOP_K_ROWS);
                    int[] last = {most - 1 - round.number(), k + 20};
                    round.send(request, 0, rows == TOP_K_ROWS ? 1 : -1);
                    round.send(position, last);
                    int[] bits = new int[TOP_K_ROWS * most];
                    int[] expected = round.poison(selected);
                    Arrays.fill(expected, -1);
                    for (int t = 0; t < rows; t++) {
                        float[] own = new float[last[t] + 1];
                        for (int s = 0; s < own.length; s++) {
                            own[s] = round.random().nextInt(most) / 7f - most / 20f;
                            own[s] = s % 50 == 3 ? Float.NaN : own[s];
                            bits[t * most + s] = Float.floatToRawIntBits(own[s]);
                        }
                        TopK.reference(own, own.length, k, expected, t * k);
                    }
                    round.send(scores, bits);
                    round.expect(selected, expected);
                },
                scores,
                request,
                position,
                scratch,
                selected);
    }
}
