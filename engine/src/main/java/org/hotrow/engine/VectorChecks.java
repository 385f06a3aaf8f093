package org.hotrow.engine;

import java.util.List;
import org.hotrow.kernels.tornado.Embedding;
import org.hotrow.kernels.tornado.LayerNorm;
import org.hotrow.kernels.tornado.Residual;
import org.hotrow.kernels.tornado.RmsNorm;
import org.hotrow.kernels.tornado.RotaryEmbedding;
import org.hotrow.kernels.tornado.SwiGlu;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of kernels that take a row value by value. */
final class VectorChecks {
    private static final int ROWS = 3;
    private static final int WIDTH = 37;
    /** No normed value is larger, and no term of it. */
    private static final float NORMED = 8;

    private VectorChecks() {}

    static List<KernelCheck> all(CheckBench bench) {
        return List.of(
                embedding(bench),
                rmsNorm(bench),
                rmsNormInPlace(bench),
                rmsNormOfSum(bench),
                layerNorm(bench),
                residual(bench),
                swiGlu(bench),
                rotaryEmbedding(bench, true),
                rotaryEmbedding(bench, false));
    }

    private static KernelCheck embedding(CheckBench bench) {
        var shape = new Embedding.Shape(ROWS, 36, 11);
        IntArray counts = bench.counts();
        IntArray token = bench.ints(ROWS);
        short[] codes = bench.bf16(36 * 11);
        LongArray table = bench.words(codes);
        FloatArray out = bench.floats(ROWS * 36);
        return KernelCheck.of(
                Embedding.class,
                "",
                1,
                (graph, grids, task) ->
                        Embedding.append(graph, grids, task, counts, token, table, bench.exponents, out, shape),
                round -> {
                    int[] tokens = {10, round.number(), 3};
                    round.send(token, tokens);
                    float[] expected = round.poison(out);
                    Embedding.reference(round.counts(counts, ROWS), shape, tokens, codes, expected);
                    round.expect(out, expected, 0);
                },
                counts,
                token,
                table,
                bench.exponents,
                out);
    }

    private static KernelCheck rmsNorm(CheckBench bench) {
        var shape = new RmsNorm.Shape(ROWS, WIDTH, WIDTH, 1e-5f);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(ROWS * WIDTH);
        float[] weights = bench.values(WIDTH);
        FloatArray weight = bench.lasting(weights);
        FloatArray out = bench.floats(ROWS * WIDTH);
        return KernelCheck.of(
                RmsNorm.class,
                "",
                1,
                (graph, grids, task) -> RmsNorm.append(graph, grids, task, counts, x, weight, out, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.poison(out);
                    RmsNorm.reference(rows, shape, round.values(x, rows * WIDTH), weights, expected);
                    round.expect(out, expected, NORMED);
                },
                counts,
                x,
                weight,
                out);
    }

    /** The first values of longer rows. */
    private static KernelCheck rmsNormInPlace(CheckBench bench) {
        int stride = WIDTH + 7;
        var shape = new RmsNorm.Shape(ROWS, stride, WIDTH, 1e-5f);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(ROWS * stride);
        float[] weights = bench.values(WIDTH);
        FloatArray weight = bench.lasting(weights);
        return KernelCheck.of(
                RmsNorm.class,
                "in place",
                1,
                (graph, grids, task) -> RmsNorm.appendInPlace(graph, grids, task, counts, x, weight, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.values(x, rows * stride);
                    float[] normed = new float[rows * WIDTH];
                    RmsNorm.reference(rows, shape, expected, weights, normed);
                    for (int row = 0; row < rows; row++) {
                        System.arraycopy(normed, row * WIDTH, expected, row * stride, WIDTH);
                    }
                    round.expect(x, expected, NORMED);
                },
                counts,
                x,
                weight);
    }

    private static KernelCheck layerNorm(CheckBench bench) {
        var shape = new LayerNorm.Shape(ROWS, WIDTH);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(ROWS * WIDTH);
        float[] weights = bench.values(WIDTH);
        float[] biases = bench.values(WIDTH);
        FloatArray weight = bench.lasting(weights);
        FloatArray bias = bench.lasting(biases);
        return KernelCheck.of(
                LayerNorm.class,
                "",
                1,
                (graph, grids, task) -> LayerNorm.append(graph, grids, task, counts, x, weight, bias, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.values(x, rows * WIDTH);
                    LayerNorm.reference(rows, WIDTH, expected, weights, biases);
                    round.expect(x, expected, NORMED);
                },
                counts,
                x,
                weight,
                bias);
    }

    private static KernelCheck rmsNormOfSum(CheckBench bench) {
        var shape = new RmsNorm.Shape(ROWS, WIDTH, WIDTH, 1e-5f);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(ROWS * WIDTH);
        FloatArray update = bench.floats(ROWS * WIDTH);
        float[] weights = bench.values(WIDTH);
        FloatArray weight = bench.lasting(weights);
        FloatArray out = bench.floats(ROWS * WIDTH);
        return KernelCheck.of(
                RmsNorm.class,
                "of a sum",
                1,
                (graph, grids, task) ->
                        RmsNorm.appendWithUpdate(graph, grids, task, counts, x, update, weight, out, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] sum = round.values(x, rows * WIDTH);
                    Residual.reference(rows, WIDTH, round.values(update, rows * WIDTH), sum);
                    float[] expected = round.poison(out);
                    RmsNorm.reference(rows, shape, sum, weights, expected);
                    round.expect(out, expected, NORMED);
                    round.expect(x, sum, 1);
                },
                counts,
                x,
                update,
                weight,
                out);
    }

    private static KernelCheck residual(CheckBench bench) {
        var shape = new Residual.Shape(ROWS, WIDTH);
        IntArray counts = bench.counts();
        FloatArray update = bench.floats(ROWS * WIDTH);
        FloatArray into = bench.floats(ROWS * WIDTH);
        return KernelCheck.of(
                Residual.class,
                "",
                1,
                (graph, grids, task) -> Residual.append(graph, grids, task, counts, update, into, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.values(into, rows * WIDTH);
                    Residual.reference(rows, WIDTH, round.values(update, rows * WIDTH), expected);
                    round.expect(into, expected, 1);
                },
                counts,
                update,
                into);
    }

    private static KernelCheck swiGlu(CheckBench bench) {
        var shape = new SwiGlu.Shape(ROWS, WIDTH);
        IntArray counts = bench.counts();
        FloatArray gate = bench.floats(ROWS * WIDTH);
        FloatArray up = bench.floats(ROWS * WIDTH);
        return KernelCheck.of(
                SwiGlu.class,
                "",
                1,
                (graph, grids, task) -> SwiGlu.append(graph, grids, task, counts, gate, up, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.values(gate, rows * WIDTH);
                    SwiGlu.reference(rows, WIDTH, expected, round.values(up, rows * WIDTH));
                    round.expect(gate, expected, 1);
                },
                counts,
                gate,
                up);
    }

    private static KernelCheck rotaryEmbedding(CheckBench bench, boolean interleaved) {
        int stride = 52;
        int pairs = 5;
        var shape = new RotaryEmbedding.Shape(ROWS, stride, 6, 3, 15, pairs, interleaved);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(ROWS * stride);
        FloatArray cos = bench.floats(ROWS * pairs);
        FloatArray sin = bench.floats(ROWS * pairs);
        return KernelCheck.of(
                RotaryEmbedding.class,
                interleaved ? "interleaved" : "halves",
                1,
                (graph, grids, task) -> RotaryEmbedding.append(graph, grids, task, counts, x, cos, sin, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.values(x, rows * stride);
                    RotaryEmbedding.reference(
                            rows, shape, expected, round.values(cos, rows * pairs), round.values(sin, rows * pairs));
                    round.expect(x, expected, 2);
                },
                counts,
                x,
                cos,
                sin);
    }
}
