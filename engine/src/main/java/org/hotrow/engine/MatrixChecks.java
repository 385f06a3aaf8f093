package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hotrow.kernels.Bf16;
import org.hotrow.kernels.E4m3;
import org.hotrow.kernels.tornado.Bf16Linear;
import org.hotrow.kernels.tornado.Fp8Linear;
import org.hotrow.kernels.tornado.HeadLinear;
import org.hotrow.kernels.tornado.Logits;
import org.hotrow.kernels.tornado.RmsNorm;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of products with matrices, in each of the tilings that a number of rows leads to. */
final class MatrixChecks {
    private static final int LONE = 1;
    private static final int FEW = 3;
    private static final int MANY = 19;

    private MatrixChecks() {}

    static List<KernelCheck> all(CheckBench bench, Set<Integer> headBits) {
        List<KernelCheck> checks = new ArrayList<>();
        for (int maxRows : new int[] {LONE, FEW, MANY}) {
            checks.add(fp8Linear(bench, maxRows));
            checks.add(bf16Linear(bench, maxRows));
        }
        for (int maxRows : new int[] {LONE, FEW}) {
            for (int bits : headBits) {
                checks.addAll(headLinear(bench, maxRows, bits));
            }
        }
        checks.add(logits(bench));
        return checks;
    }

    private static String rows(int maxRows) {
        return maxRows == 1 ? "1 row" : maxRows + " rows";
    }

    static byte[] magnitudes(byte[] codes) {
        byte[] magnitudes = codes.clone();
        for (int i = 0; i < codes.length; i++) {
            magnitudes[i] &= Byte.MAX_VALUE;
        }
        return magnitudes;
    }

    private static short[] magnitudes(short[] codes) {
        short[] magnitudes = codes.clone();
        for (int i = 0; i < codes.length; i++) {
            magnitudes[i] &= Short.MAX_VALUE;
        }
        return magnitudes;
    }

    static float[] magnitudes(float[] values) {
        float[] magnitudes = values.clone();
        for (int i = 0; i < values.length; i++) {
            magnitudes[i] = Math.abs(values[i]);
        }
        return magnitudes;
    }

    private static KernelCheck fp8Linear(CheckBench bench, int maxRows) {
        var shape = new Fp8Linear.Shape(maxRows, 136, maxRows == MANY ? 133 : 11);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(maxRows * shape.inputs());
        byte[] codes = bench.e4m3(shape.outputs() * shape.inputs());
        LongArray weight = bench.words(codes);
        float[] scales = bench.values(shape.scales());
        FloatArray scale = bench.lasting(scales);
        FloatArray out = bench.floats(maxRows * shape.outputs());
        return KernelCheck.of(
                Fp8Linear.class,
                rows(maxRows),
                1,
                (graph, grids, task) -> Fp8Linear.append(
                        graph, grids, task, counts, x, weight, scale, bench.codes, out, shape, bench.variant),
                round -> {
                    int rows = round.counts(counts, maxRows);
                    float[] values = round.values(x, rows * shape.inputs());
                    float[] expected = round.poison(out);
                    float[] terms = new float[expected.length];
                    Fp8Linear.reference(rows, shape, values, codes, scales, expected);
                    Fp8Linear.reference(rows, shape, magnitudes(values), magnitudes(codes), magnitudes(scales), terms);
                    round.expect(out, expected, terms);
                },
                counts,
                x,
                weight,
                scale,
                bench.codes,
                out);
    }

    private static KernelCheck bf16Linear(CheckBench bench, int maxRows) {
        var shape = new Bf16Linear.Shape(maxRows, 68, maxRows == MANY ? 37 : 11, StepArrays.ROWS);
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(maxRows * shape.inputs());
        short[] codes = bench.bf16(shape.outputs() * shape.inputs());
        LongArray weight = bench.words(codes);
        FloatArray out = bench.floats(maxRows * shape.outputs());
        return KernelCheck.of(
                Bf16Linear.class,
                rows(maxRows),
                1,
                (graph, grids, task) -> Bf16Linear.append(
                        graph, grids, task, counts, x, weight, bench.exponents, out, shape, bench.variant),
                round -> {
                    int rows = round.counts(counts, maxRows);
                    float[] values = round.values(x, rows * shape.inputs());
                    float[] expected = round.poison(out);
                    float[] terms = new float[expected.length];
                    Bf16Linear.reference(rows, shape, values, codes, expected);
                    Bf16Linear.reference(rows, shape, magnitudes(values), magnitudes(codes), terms);
                    round.expect(out, expected, terms);
                },
                counts,
                x,
                weight,
                bench.exponents,
                out);
    }

    private static List<KernelCheck> headLinear(CheckBench bench, int maxRows, int bits) {
        var shape = new HeadLinear.Shape(maxRows, 3, 21, 6, 11, 136, bits);
        int values = shape.heads() * (shape.nope() + shape.value()) * shape.latent();
        float[] scales = bench.values(shape.scales());
        float[] weights = new float[values];
        LongArray words;
        if (bits == 8) {
            byte[] codes = bench.e4m3(values);
            for (int i = 0; i < values; i++) {
                int block = i / shape.latent() / 128 * 2 + i % shape.latent() / 128;
                weights[i] = E4m3.decode(codes[i]) * scales[block];
            }
            words = bench.words(codes);
        } else {
            short[] codes = bench.bf16(values);
            for (int i = 0; i < values; i++) {
                weights[i] = Bf16.decode(codes[i]);
            }
            words = bench.words(codes);
        }
        var matrix = new HeadLinear.Matrix(words, bench.lasting(scales), bench.codes, bench.exponents);
        return List.of(absorb(bench, shape, matrix, weights), expand(bench, shape, matrix, weights));
    }

    private static KernelCheck absorb(
            CheckBench bench, HeadLinear.Shape shape, HeadLinear.Matrix matrix, float[] weights) {
        int queryRow = shape.heads() * (shape.nope() + shape.rope());
        IntArray counts = bench.counts();
        FloatArray query = bench.floats(shape.maxRows() * queryRow);
        FloatArray out = bench.floats(shape.maxRows() * shape.heads() * (shape.latent() + shape.rope()));
        return KernelCheck.of(
                HeadLinear.class,
                "absorb, " + shape.bits() + " bits, " + rows(shape.maxRows()),
                1,
                (graph, grids, task) ->
                        HeadLinear.appendAbsorb(graph, grids, task, counts, query, matrix, out, shape, bench.variant),
                round -> {
                    int rows = round.counts(counts, shape.maxRows());
                    float[] values = round.values(query, rows * queryRow);
                    float[] expected = round.poison(out);
                    float[] terms = new float[expected.length];
                    HeadLinear.absorbReference(rows, shape, values, weights, expected);
                    HeadLinear.absorbReference(rows, shape, magnitudes(values), magnitudes(weights), terms);
                    round.expect(out, expected, terms);
                },
                counts,
                query,
                matrix,
                out);
    }

    private static KernelCheck expand(
            CheckBench bench, HeadLinear.Shape shape, HeadLinear.Matrix matrix, float[] weights) {
        int latentRow = shape.heads() * shape.latent();
        IntArray counts = bench.counts();
        FloatArray attended = bench.floats(shape.maxRows() * latentRow);
        FloatArray out = bench.floats(shape.maxRows() * shape.heads() * shape.value());
        return KernelCheck.of(
                HeadLinear.class,
                "expand, " + shape.bits() + " bits, " + rows(shape.maxRows()),
                1,
                (graph, grids, task) -> HeadLinear.appendExpand(
                        graph, grids, task, counts, attended, matrix, out, shape, bench.variant),
                round -> {
                    int rows = round.counts(counts, shape.maxRows());
                    float[] values = round.values(attended, rows * latentRow);
                    float[] expected = round.poison(out);
                    float[] terms = new float[expected.length];
                    HeadLinear.expandReference(rows, shape, values, weights, expected);
                    HeadLinear.expandReference(rows, shape, magnitudes(values), magnitudes(weights), terms);
                    round.expect(out, expected, terms);
                },
                counts,
                attended,
                matrix,
                out);
    }

    /** The rows with logits are the last ones, in reverse. */
    private static KernelCheck logits(CheckBench bench) {
        var shape = new Logits.Shape(FEW, 36, 11, 1e-5f);
        int width = shape.width();
        IntArray counts = bench.counts();
        IntArray logitRow = bench.ints(FEW);
        FloatArray hidden = bench.floats((FEW + 1) * width);
        float[] weights = bench.values(width);
        FloatArray weight = bench.lasting(weights);
        short[] codes = bench.bf16(shape.tokens() * width);
        LongArray head = bench.words(codes);
        FloatArray normed = bench.floats(FEW * width);
        FloatArray out = bench.floats(FEW * shape.tokens());
        return KernelCheck.of(
                Logits.class,
                "",
                2,
                (graph, grids, task) -> Logits.append(
                        graph,
                        grids,
                        task,
                        counts,
                        logitRow,
                        hidden,
                        weight,
                        head,
                        bench.exponents,
                        normed,
                        out,
                        shape,
                        bench.variant),
                round -> {
                    int rows = round.counts(counts, FEW);
                    round.send(logitRow, 3, 2, 1);
                    float[] values = round.values(hidden, (FEW + 1) * width);
                    float[] chosen = new float[rows * width];
                    for (int row = 0; row < rows; row++) {
                        System.arraycopy(values, (3 - row) * width, chosen, row * width, width);
                    }
                    float[] norms = round.poison(normed);
                    var norm = new RmsNorm.Shape(FEW, width, width, shape.eps());
                    RmsNorm.reference(rows, norm, chosen, weights, norms);
                    float[] expected = round.poison(out);
                    var product = new Bf16Linear.Shape(FEW, width, shape.tokens(), StepArrays.LOGIT_ROWS);
                    Bf16Linear.reference(rows, product, norms, codes, expected);
                    round.expect(normed, norms, 8);
                    round.expect(out, expected, 8 * width);
                },
                counts,
                logitRow,
                hidden,
                weight,
                head,
                bench.exponents,
                normed,
                out);
    }
}
