package org.hotrow.kernels.inspect;

import static org.hotrow.kernels.inspect.Production.ANCHORS;
import static org.hotrow.kernels.inspect.Production.BLOCK_LONGS;
import static org.hotrow.kernels.inspect.Production.INDEX_PAGES;
import static org.hotrow.kernels.inspect.Production.LAYERS;
import static org.hotrow.kernels.inspect.Production.MOST_TOKENS;
import static org.hotrow.kernels.inspect.Production.TOP_K;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.IndexScores;
import org.hotrow.kernels.tornado.RadixTopK;
import org.hotrow.kernels.tornado.SparseMla;
import org.hotrow.kernels.tornado.SparseMlaSplit;
import org.hotrow.kernels.tornado.SparseMlaTensor;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Selection of rows and attention to them, of one token. Positions are few where the work grows with them. */
final class AttentionLaunches {
    private AttentionLaunches() {}

    static void addTo(Map<String, Supplier<Launch>> all) {
        all.put("index-scores", AttentionLaunches::indexScores);
        all.put("top-k", AttentionLaunches::topK);
        all.put("sparse-mla", AttentionLaunches::sparseMla);
        all.put("sparse-mla-tensor", AttentionLaunches::sparseMlaTensor);
    }

    private static Launch indexScores() {
        int position = 32_767;
        int indexBlocks = Math.ceilDiv(MOST_TOKENS, INDEX_PAGES * 64);
        int used = Math.ceilDiv(position + 1, INDEX_PAGES * 64);
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
        return indexScores("index-scores", position + 1 + " positions, room for 2^20", shape, arrays, position);
    }

    /** @param position of each token */
    static Launch indexScores(
            String name, String words, IndexScores.Shape shape, IndexScores.Arrays arrays, int position) {
        return Launch.of(
                name,
                words,
                shape.tokens() * shape.floorBytes(position),
                List.of("score"),
                (graph, grids) -> IndexScores.append(graph, grids, "score", shape, 0.0156f, arrays),
                arrays.query(),
                arrays.weights(),
                arrays.request(),
                arrays.position(),
                arrays.indexTable(),
                arrays.slab(),
                arrays.anchor(),
                arrays.codes(),
                arrays.exponents(),
                arrays.scores());
    }

    private static Launch topK() {
        int position = (1 << 17) - 1;
        RadixTopK.Shape shape = new RadixTopK.Shape(1, MOST_TOKENS, TOP_K);
        return topK("top-k", "2048 of 131072, room for 2^20", shape, position);
    }

    /** @param position of each token */
    static Launch topK(String name, String words, RadixTopK.Shape shape, int position) {
        RadixTopK.Scratch scratch = RadixTopK.Scratch.of(shape);
        IntArray scores = new IntArray(shape.tokens() * shape.mostTokens());
        IntArray request = new IntArray(shape.tokens());
        IntArray positions = new IntArray(shape.tokens());
        for (int t = 0; t < shape.tokens(); t++) {
            request.set(t, t);
            positions.set(t, position);
            for (int i = 0; i <= position; i++) {
                scores.set(t * shape.mostTokens() + i, Float.floatToRawIntBits((float) Math.sin(i + 0.25 * t)));
            }
        }
        IntArray selected = new IntArray(shape.tokens() * shape.k());
        return Launch.of(
                        name,
                        words,
                        shape.tokens() * shape.floorBytes(position),
                        List.of("top-bound", "top-filter", "top-find", "top-list"),
                        (graph, grids) -> RadixTopK.append(
                                graph, grids, "top", shape, scores, request, positions, scratch, selected),
                        scores,
                        request,
                        positions,
                        scratch.state(),
                        scratch.counts(),
                        scratch.keys(),
                        scratch.positions(),
                        selected)
                .withPartials(shape.tokens() * shape.partialBytes(position));
    }

    private static Launch sparseMla() {
        SparseMla.Shape shape = new SparseMla.Shape(1, 64, 512, 64, TOP_K, KvDtype.FP8);
        return sparseMla("sparse-mla", shape, attention(shape));
    }

    static Launch sparseMla(String name, SparseMla.Shape shape, SparseMla.Arrays arrays) {
        SparseMlaSplit.Partials partials = SparseMlaSplit.Partials.of(shape);
        return Launch.of(
                        name,
                        shape.heads() + " heads, " + shape.k() + " rows",
                        shape.floorBytes(),
                        List.of("mla", "mla-combine"),
                        (graph, grids) -> SparseMlaSplit.append(graph, grids, "mla", shape, 0.0625f, arrays, partials),
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
                        partials.partial())
                .withPartials(partials.partialBytes());
    }

    private static Launch sparseMlaTensor() {
        SparseMla.Shape shape = new SparseMla.Shape(1, 64, 512, 64, TOP_K, KvDtype.FP8);
        return sparseMlaTensor("sparse-mla-tensor", shape, attention(shape));
    }

    static Launch sparseMlaTensor(String name, SparseMla.Shape shape, SparseMla.Arrays arrays) {
        IntArray codes = SparseMlaTensor.codes();
        SparseMlaTensor.Scratch scratch = SparseMlaTensor.Scratch.of(shape);
        return Launch.of(
                        name,
                        shape.heads() + " heads, " + shape.k() + " rows",
                        shape.floorBytes(),
                        List.of("mla-bits", "mla", "mla-combine"),
                        (graph, grids) ->
                                SparseMlaTensor.append(graph, grids, "mla", shape, 0.0625f, arrays, codes, scratch),
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
                        scratch.partials().partial())
                .withPartials(scratch.partialBytes());
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
