package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hotrow.kernels.tornado.ExpertCombine;
import org.hotrow.kernels.tornado.ExpertGroups;
import org.hotrow.kernels.tornado.ExpertLinear;
import org.hotrow.kernels.tornado.Router;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of the routed experts. Each kernel gets from the host what another leaves for it. */
final class ExpertChecks {
    private static final int ROWS = 3;
    private static final int EXPERTS = 11;
    private static final int K = 4;
    private static final int WIDTH = 37;

    private ExpertChecks() {}

    static List<KernelCheck> all(CheckBench bench) {
        List<KernelCheck> checks = new ArrayList<>();
        checks.add(router(bench, true));
        checks.add(router(bench, false));
        checks.add(groups(bench));
        checks.add(linear(bench, 1, false));
        checks.add(linear(bench, ROWS, true));
        checks.add(combine(bench));
        return checks;
    }

    private static KernelCheck router(CheckBench bench, boolean normalise) {
        var shape = new Router.Shape(ROWS, EXPERTS, K, normalise, 2.5f);
        IntArray counts = bench.counts();
        FloatArray logits = bench.floats(ROWS * EXPERTS);
        float[] biases = bench.values(EXPERTS);
        FloatArray bias = bench.lasting(biases);
        IntArray expert = bench.ints(ROWS * K);
        FloatArray weight = bench.floats(ROWS * K);
        return KernelCheck.of(
                Router.class,
                normalise ? "shares" : "not normalised",
                1,
                (graph, grids, task) -> Router.append(graph, grids, task, counts, logits, bias, expert, weight, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] values = round.values(logits, rows * EXPERTS);
                    int[] chosen = round.poison(expert);
                    float[] shares = round.poison(weight);
                    Router.reference(rows, shape, values, biases, chosen, shares);
                    round.expect(expert, chosen);
                    round.expect(weight, shares, 2.5f);
                },
                counts,
                logits,
                bias,
                expert,
                weight);
    }

    /** Experts of each row, ascending. */
    private static int[] chosen(CheckRound round, int rows) {
        int[] chosen = new int[rows * K];
        for (int row = 0; row < rows; row++) {
            int[] some =
                    round.random().ints(0, EXPERTS).distinct().limit(K).sorted().toArray();
            System.arraycopy(some, 0, chosen, row * K, K);
        }
        return chosen;
    }

    /** What {@link ExpertGroups} makes of the experts of all rows: active, first, pairAt. */
    private static void group(int[] chosen, int[] active, int[] first, int[] pairAt) {
        int[] experts = Arrays.stream(chosen).distinct().sorted().toArray();
        System.arraycopy(experts, 0, active, 0, experts.length);
        Arrays.fill(first, chosen.length);
        for (int i = 0; i < experts.length; i++) {
            int expert = experts[i];
            first[i] =
                    (int) Arrays.stream(chosen).filter(other -> other < expert).count();
        }
        for (int pair = 0; pair < chosen.length; pair++) {
            pairAt[ExpertGroups.placeReference(chosen.length, chosen, pair)] = pair;
        }
    }

    private static ExpertGroups.Arrays groupArrays(CheckBench bench, ExpertGroups.Shape shape) {
        return new ExpertGroups.Arrays(
                bench.ints(shape.maxActive()), bench.ints(shape.maxActive() + 1), bench.ints(shape.maxPairs()));
    }

    private static KernelCheck groups(CheckBench bench) {
        var shape = new ExpertGroups.Shape(ROWS, EXPERTS, K);
        IntArray counts = bench.counts();
        IntArray expert = bench.ints(ROWS * K);
        ExpertGroups.Arrays out = groupArrays(bench, shape);
        return KernelCheck.of(
                ExpertGroups.class,
                "",
                1,
                (graph, grids, task) -> ExpertGroups.append(graph, grids, task, counts, expert, out, shape),
                round -> {
                    int[] chosen = chosen(round, round.counts(counts, ROWS));
                    round.poison(expert);
                    round.send(expert, chosen);
                    int[] active = round.poison(out.active());
                    int[] first = round.poison(out.first());
                    int[] pairAt = round.poison(out.pairAt());
                    group(chosen, active, first, pairAt);
                    round.expect(out.active(), active);
                    round.expect(out.first(), first);
                    round.expect(out.pairAt(), pairAt);
                },
                counts,
                expert,
                out);
    }

    /** @param ofPairs whether x has a row per pair */
    private static KernelCheck linear(CheckBench bench, int maxRows, boolean ofPairs) {
        var groups = new ExpertGroups.Shape(maxRows, EXPERTS, K);
        var shape = new ExpertLinear.Shape(groups, 136, 11, ofPairs);
        ExpertGroups.Arrays of = groupArrays(bench, groups);
        FloatArray x = bench.floats((ofPairs ? groups.maxPairs() : maxRows) * shape.inputs());
        byte[] codes = bench.e4m3(EXPERTS * shape.outputs() * shape.inputs());
        LongArray weight = bench.words(codes);
        float[] scales = bench.values(EXPERTS * 2);
        FloatArray scale = bench.lasting(scales);
        FloatArray out = bench.floats(groups.maxPairs() * shape.outputs());
        return KernelCheck.of(
                ExpertLinear.class,
                (ofPairs ? "a row per pair, " : "") + maxRows + (maxRows == 1 ? " row" : " rows"),
                1,
                (graph, grids, task) -> ExpertLinear.append(
                        graph, grids, task, of, x, weight, scale, bench.codes, out, shape, bench.variant),
                round -> {
                    int rows = round.rows(maxRows);
                    int[] chosen = chosen(round, rows);
                    int[] active = round.poison(of.active());
                    int[] first = round.poison(of.first());
                    int[] pairAt = round.poison(of.pairAt());
                    group(chosen, active, first, pairAt);
                    round.send(of.active(), active);
                    round.send(of.first(), first);
                    round.send(of.pairAt(), pairAt);
                    float[] values = round.values(x, rows * (ofPairs ? K : 1) * shape.inputs());
                    float[] expected = round.poison(out);
                    float[] terms = new float[expected.length];
                    for (int pair = 0; pair < rows * K; pair++) {
                        int from = pair / (ofPairs ? 1 : K) * shape.inputs();
                        int to = pair * shape.outputs();
                        ExpertLinear.reference(shape, chosen[pair], values, from, codes, scales, expected, to);
                        ExpertLinear.reference(
                                shape,
                                chosen[pair],
                                MatrixChecks.magnitudes(values),
                                from,
                                MatrixChecks.magnitudes(codes),
                                MatrixChecks.magnitudes(scales),
                                terms,
                                to);
                    }
                    round.expect(out, expected, terms);
                },
                of,
                x,
                weight,
                scale,
                bench.codes,
                out);
    }

    private static KernelCheck combine(CheckBench bench) {
        var shape = new ExpertCombine.Shape(ROWS, K, WIDTH);
        IntArray counts = bench.counts();
        FloatArray weight = bench.floats(ROWS * K);
        FloatArray down = bench.floats(ROWS * K * WIDTH);
        FloatArray out = bench.floats(ROWS * WIDTH);
        return KernelCheck.of(
                ExpertCombine.class,
                "",
                1,
                (graph, grids, task) -> ExpertCombine.append(graph, grids, task, counts, weight, down, out, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.poison(out);
                    ExpertCombine.reference(
                            rows,
                            shape,
                            round.values(weight, rows * K),
                            round.values(down, rows * K * WIDTH),
                            expected);
                    round.expect(out, expected, K);
                },
                counts,
                weight,
                down,
                out);
    }
}
