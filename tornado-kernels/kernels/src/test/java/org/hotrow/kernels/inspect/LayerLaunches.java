package org.hotrow.kernels.inspect;

import static org.hotrow.kernels.inspect.Production.HIDDEN;
import static org.hotrow.kernels.inspect.Production.TOKENS;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hotrow.kernels.tornado.Embedding;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.LayerNorm;
import org.hotrow.kernels.tornado.Residual;
import org.hotrow.kernels.tornado.RmsNorm;
import org.hotrow.kernels.tornado.RotaryEmbedding;
import org.hotrow.kernels.tornado.RowCopy;
import org.hotrow.kernels.tornado.RowJoin;
import org.hotrow.kernels.tornado.SwiGlu;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What is between the linear layers: norms, RoPE, gates and sums. */
final class LayerLaunches {
    private static final int INDEX_WIDTH = 128;

    private LayerLaunches() {}

    static void addTo(Map<String, Supplier<Launch>> all) {
        all.put("embedding", LayerLaunches::embedding);
        all.put("rms-norm", LayerLaunches::rmsNorm);
        all.put("rms-norm-in-place", LayerLaunches::rmsNormInPlace);
        all.put("rms-norm-update", LayerLaunches::rmsNormWithUpdate);
        all.put("layer-norm", LayerLaunches::layerNorm);
        all.put(
                "rope",
                () -> rope("rope", "interleaved", new RotaryEmbedding.Shape(TOKENS, 16_384, 192, 64, 256, 32, true)));
        all.put(
                "rope-halves",
                () -> rope(
                        "rope-halves", "half split", new RotaryEmbedding.Shape(TOKENS, 4096, 0, 32, 128, 32, false)));
        all.put("swiglu", LayerLaunches::swiGlu);
        all.put("residual", LayerLaunches::residual);
        all.put("row-take", LayerLaunches::rowTake);
        all.put("row-keep", LayerLaunches::rowKeep);
        all.put("row-join", LayerLaunches::rowJoin);
    }

    private static Launch embedding() {
        int tokens = 2048;
        Embedding.Shape shape = new Embedding.Shape(TOKENS, HIDDEN, tokens);
        IntArray counts = Production.counts(TOKENS);
        IntArray token = new IntArray(TOKENS);
        for (int t = 0; t < TOKENS; t++) {
            token.set(t, t * 101);
        }
        LongArray table = new LongArray(tokens * HIDDEN / 4);
        FloatArray exponents = Exponents.table();
        FloatArray out = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "embedding",
                TOKENS + " of 154880 tokens, " + HIDDEN + " values",
                shape.floorBytes(TOKENS),
                List.of("embed"),
                (graph, grids) -> Embedding.append(graph, grids, "embed", counts, token, table, exponents, out, shape),
                counts,
                token,
                table,
                exponents,
                out);
    }

    private static Launch rmsNormInPlace() {
        RmsNorm.Shape shape = new RmsNorm.Shape(TOKENS, 576, 512, 1e-5f);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * 576);
        FloatArray weight = new FloatArray(512);
        return Launch.of(
                "rms-norm-in-place",
                TOKENS + " x 512 of 576",
                shape.floorBytes(TOKENS, false),
                List.of("norm"),
                (graph, grids) -> RmsNorm.appendInPlace(graph, grids, "norm", counts, x, weight, shape),
                counts,
                x,
                weight);
    }

    private static Launch rmsNorm() {
        RmsNorm.Shape shape = new RmsNorm.Shape(TOKENS, HIDDEN, HIDDEN, 1e-5f);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * HIDDEN);
        FloatArray weight = new FloatArray(HIDDEN);
        FloatArray out = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "rms-norm",
                TOKENS + " x " + HIDDEN,
                shape.floorBytes(TOKENS, false),
                List.of("norm"),
                (graph, grids) -> RmsNorm.append(graph, grids, "norm", counts, x, weight, out, shape),
                counts,
                x,
                weight,
                out);
    }

    private static Launch rmsNormWithUpdate() {
        RmsNorm.Shape shape = new RmsNorm.Shape(TOKENS, HIDDEN, HIDDEN, 1e-5f);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * HIDDEN);
        FloatArray update = new FloatArray(TOKENS * HIDDEN);
        FloatArray weight = new FloatArray(HIDDEN);
        FloatArray out = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "rms-norm-update",
                TOKENS + " x " + HIDDEN,
                shape.floorBytes(TOKENS, true),
                List.of("norm"),
                (graph, grids) -> RmsNorm.appendWithUpdate(graph, grids, "norm", counts, x, update, weight, out, shape),
                counts,
                x,
                update,
                weight,
                out);
    }

    private static Launch layerNorm() {
        LayerNorm.Shape shape = new LayerNorm.Shape(TOKENS, INDEX_WIDTH);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * INDEX_WIDTH);
        FloatArray weight = new FloatArray(INDEX_WIDTH);
        FloatArray bias = new FloatArray(INDEX_WIDTH);
        return Launch.of(
                "layer-norm",
                TOKENS + " x " + INDEX_WIDTH,
                shape.floorBytes(TOKENS),
                List.of("norm"),
                (graph, grids) -> LayerNorm.append(graph, grids, "norm", counts, x, weight, bias, shape),
                counts,
                x,
                weight,
                bias);
    }

    private static Launch rope(String name, String style, RotaryEmbedding.Shape shape) {
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * shape.stride());
        FloatArray cos = new FloatArray(TOKENS * shape.pairs());
        FloatArray sin = new FloatArray(TOKENS * shape.pairs());
        return Launch.of(
                name,
                TOKENS + " x " + shape.heads() + " heads, " + shape.pairs() + " pairs, " + style,
                shape.floorBytes(TOKENS),
                List.of("turn"),
                (graph, grids) -> RotaryEmbedding.append(graph, grids, "turn", counts, x, cos, sin, shape),
                counts,
                x,
                cos,
                sin);
    }

    private static Launch swiGlu() {
        SwiGlu.Shape shape = new SwiGlu.Shape(TOKENS, 12_288);
        IntArray counts = Production.counts(TOKENS);
        FloatArray gate = new FloatArray(TOKENS * shape.width());
        FloatArray up = new FloatArray(TOKENS * shape.width());
        return Launch.of(
                "swiglu",
                TOKENS + " x " + shape.width(),
                shape.floorBytes(TOKENS),
                List.of("gate"),
                (graph, grids) -> SwiGlu.append(graph, grids, "gate", counts, gate, up, shape),
                counts,
                gate,
                up);
    }

    private static Launch residual() {
        Residual.Shape shape = new Residual.Shape(TOKENS, HIDDEN);
        IntArray counts = Production.counts(TOKENS);
        FloatArray update = new FloatArray(TOKENS * HIDDEN);
        FloatArray into = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "residual",
                TOKENS + " x " + HIDDEN,
                shape.floorBytes(TOKENS),
                List.of("add"),
                (graph, grids) -> Residual.append(graph, grids, "add", counts, update, into, shape),
                counts,
                update,
                into);
    }

    private static Launch rowTake() {
        RowCopy.Shape shape = new RowCopy.Shape(TOKENS, TOKENS, HIDDEN);
        IntArray counts = Production.counts(TOKENS);
        IntArray row = new IntArray(TOKENS);
        for (int t = 0; t < TOKENS; t++) {
            row.set(t, t);
        }
        FloatArray all = new FloatArray(TOKENS * HIDDEN);
        FloatArray out = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "row-take",
                TOKENS + " x " + HIDDEN,
                shape.takeBytes(TOKENS),
                List.of("take"),
                (graph, grids) -> RowCopy.appendTake(graph, grids, "take", counts, row, all, out, shape),
                counts,
                row,
                all,
                out);
    }

    private static Launch rowKeep() {
        RowCopy.Shape shape = new RowCopy.Shape(TOKENS, TOKENS, HIDDEN);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * HIDDEN);
        FloatArray all = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "row-keep",
                TOKENS + " x " + HIDDEN,
                shape.keepBytes(TOKENS),
                List.of("keep"),
                (graph, grids) -> RowCopy.appendKeep(graph, grids, "keep", counts, x, all, shape),
                counts,
                x,
                all);
    }

    private static Launch rowJoin() {
        RowJoin.Shape shape = new RowJoin.Shape(TOKENS, HIDDEN);
        IntArray counts = Production.counts(TOKENS);
        FloatArray left = new FloatArray(TOKENS * HIDDEN);
        FloatArray right = new FloatArray(TOKENS * HIDDEN);
        FloatArray out = new FloatArray(2 * TOKENS * HIDDEN);
        return Launch.of(
                "row-join",
                TOKENS + " x 2 x " + HIDDEN,
                shape.floorBytes(TOKENS),
                List.of("join"),
                (graph, grids) -> RowJoin.append(graph, grids, "join", counts, left, right, out, shape),
                counts,
                left,
                right,
                out);
    }
}
