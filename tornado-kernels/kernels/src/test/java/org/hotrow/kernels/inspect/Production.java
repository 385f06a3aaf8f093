package org.hotrow.kernels.inspect;

import java.util.List;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.Fp8Linear;
import org.hotrow.kernels.tornado.IndexScores;
import org.hotrow.kernels.tornado.RadixTopK;
import org.hotrow.kernels.tornado.RowGather;
import org.hotrow.kernels.tornado.RowResolver;
import org.hotrow.kernels.tornado.SparseMla;
import org.hotrow.kernels.tornado.SparseMlaSplit;
import org.hotrow.kernels.tornado.SparseMlaTensor;
import org.hotrow.kernels.tornado.Variant;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The main operations as a decode step of GLM-5.3 launches them, FP8 rows and index keys, one token: 64 heads over a latent
 * of 512 and 64 values with RoPE, 2,048 selected rows, 32 index heads of 128, up to 2^20 positions, 78 layers in one slab.
 * Positions are few where the work grows with them, since the meter takes its time.
 */
final class Production {
    private static final int TOP_K = 2048;
    private static final int MOST_TOKENS = 1 << 20;
    private static final int LAYERS = 78;
    private static final int ANCHORS = 21;
    private static final int ROW_LONGS = 82;
    private static final int BLOCK_LONGS = LAYERS * 64 * ROW_LONGS;
    private static final int INDEX_PAGES = 18;
    private static final int INDEX_BLOCK_TOKENS = INDEX_PAGES * 64;

    private Production() {}

    static List<Launch> launches() {
        return List.of(fp8Linear(), indexScores(), topK(), rowGather(), sparseMla(), sparseMlaTensor());
    }

    private static Launch fp8Linear() {
        Fp8Linear.Shape shape = new Fp8Linear.Shape(1, 6144, 2048);
        IntArray counts = IntArray.fromElements(1, 0, 0, 0, 0, 0, 0, 0);
        FloatArray x = new FloatArray(shape.inputs());
        LongArray weight = new LongArray(shape.outputs() * shape.inputs() / 8);
        FloatArray scale = new FloatArray(shape.scales());
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(shape.outputs());
        return new Launch(
                "fp8-linear",
                "1 x 6144 by 6144 x 2048",
                shape.floorBytes(1),
                List.of("multiply"),
                (graph, grids) -> Fp8Linear.append(
                        graph, grids, "multiply", counts, x, weight, scale, codes, out, shape, Variant.CUDA),
                List.of(counts, x, weight, scale, codes, out));
    }

    private static Launch indexScores() {
        int position = 8191;
        int indexBlocks = Math.ceilDiv(MOST_TOKENS, INDEX_BLOCK_TOKENS);
        int used = Math.ceilDiv(position + 1, INDEX_BLOCK_TOKENS);
        IndexScores.Shape shape =
                new IndexScores.Shape(1, 32, 128, TOP_K, MOST_TOKENS, indexBlocks, INDEX_PAGES, KvDtype.FP8);
        IntArray table = new IntArray(indexBlocks);
        for (int i = 0; i < used; i++) {
            table.set(i, i + 1);
        }
        IndexScores.Arrays arrays = new IndexScores.Arrays(
                new FloatArray(32 * 128),
                new FloatArray(32),
                new IntArray(1),
                IntArray.fromElements(position),
                table,
                new LongArray((used + 1) * BLOCK_LONGS),
                IntArray.fromElements(0, ANCHORS, BLOCK_LONGS),
                Fp8Codes.table(),
                Exponents.table(),
                new IntArray(MOST_TOKENS));
        return new Launch(
                "index-scores",
                "8192 positions, room for 2^20",
                shape.floorBytes(position),
                List.of("score"),
                (graph, grids) -> IndexScores.append(graph, grids, "score", shape, 0.0156f, arrays),
                List.of(
                        arrays.query(),
                        arrays.weights(),
                        arrays.request(),
                        arrays.position(),
                        arrays.indexTable(),
                        arrays.slab(),
                        arrays.anchor(),
                        arrays.codes(),
                        arrays.exponents(),
                        arrays.scores()));
    }

    private static Launch topK() {
        int position = 65535;
        RadixTopK.Shape shape = new RadixTopK.Shape(1, MOST_TOKENS, TOP_K);
        RadixTopK.Scratch scratch = RadixTopK.Scratch.of(shape);
        IntArray scores = new IntArray(MOST_TOKENS);
        for (int i = 0; i <= position; i++) {
            scores.set(i, Float.floatToRawIntBits((float) Math.sin(i)));
        }
        IntArray request = new IntArray(1);
        IntArray positions = IntArray.fromElements(position);
        IntArray selected = new IntArray(TOP_K);
        return new Launch(
                "top-k",
                "2048 of 65536, room for 2^20",
                shape.floorBytes(position),
                List.of("top-bound", "top-filter", "top-find", "top-list"),
                (graph, grids) ->
                        RadixTopK.append(graph, grids, "top", shape, scores, request, positions, scratch, selected),
                List.of(
                        scores,
                        request,
                        positions,
                        scratch.state(),
                        scratch.counts(),
                        scratch.keys(),
                        scratch.positions(),
                        selected));
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
        return new Launch(
                "row-gather",
                loads + " rows of " + layers + " layers",
                2 * shape.hostBytes(loads, layers) + 8L * loads,
                List.of("gather"),
                (graph, grids) -> RowGather.append(graph, grids, "gather", shape, list, place, pool, slab),
                List.of(host, row, list.count(), place, pool, slab));
    }

    private static Launch sparseMla() {
        SparseMla.Shape shape = new SparseMla.Shape(1, 64, 512, 64, TOP_K, KvDtype.FP8);
        SparseMla.Arrays arrays = attention(shape);
        SparseMlaSplit.Partials partials = SparseMlaSplit.Partials.of(shape);
        return new Launch(
                "sparse-mla",
                "64 heads, 2048 rows",
                shape.floorBytes(),
                List.of("mla", "mla-combine"),
                (graph, grids) -> SparseMlaSplit.append(graph, grids, "mla", shape, 0.0625f, arrays, partials),
                List.of(
                        arrays.query(),
                        arrays.rows(),
                        arrays.slab(),
                        arrays.layer(),
                        arrays.span(),
                        arrays.codes(),
                        arrays.exponents(),
                        arrays.out(),
                        partials.most(),
                        partials.sum(),
                        partials.partial()));
    }

    private static Launch sparseMlaTensor() {
        SparseMla.Shape shape = new SparseMla.Shape(1, 64, 512, 64, TOP_K, KvDtype.FP8);
        SparseMla.Arrays arrays = attention(shape);
        IntArray codes = SparseMlaTensor.codes();
        SparseMlaTensor.Scratch scratch = SparseMlaTensor.Scratch.of(shape);
        return new Launch(
                "sparse-mla-tensor",
                "64 heads, 2048 rows",
                shape.floorBytes(),
                List.of("mla-bits", "mla", "mla-combine"),
                (graph, grids) -> SparseMlaTensor.append(graph, grids, "mla", shape, 0.0625f, arrays, codes, scratch),
                List.of(
                        arrays.query(),
                        arrays.rows(),
                        arrays.slab(),
                        arrays.layer(),
                        arrays.span(),
                        arrays.codes(),
                        arrays.exponents(),
                        arrays.out(),
                        codes,
                        scratch.queryBits(),
                        scratch.scores(),
                        scratch.weights(),
                        scratch.partials().most(),
                        scratch.partials().sum(),
                        scratch.partials().partial()));
    }

    private static SparseMla.Arrays attention(SparseMla.Shape shape) {
        IntArray rows = new IntArray(TOP_K);
        for (int i = 0; i < TOP_K; i++) {
            rows.set(i, 64 + i);
        }
        return new SparseMla.Arrays(
                new FloatArray(shape.heads() * shape.width()),
                rows,
                new LongArray((TOP_K / 64 + 1) * BLOCK_LONGS),
                IntArray.fromElements(8, LAYERS),
                IntArray.fromElements(0, 1),
                Fp8Codes.table(),
                Exponents.table(),
                new FloatArray(shape.heads() * shape.latent()));
    }
}
