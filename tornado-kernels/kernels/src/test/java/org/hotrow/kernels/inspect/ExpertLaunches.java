package org.hotrow.kernels.inspect;

import static org.hotrow.kernels.inspect.Production.HIDDEN;
import static org.hotrow.kernels.inspect.Production.TOKENS;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hotrow.kernels.tornado.Argmax;
import org.hotrow.kernels.tornado.ExpertCombine;
import org.hotrow.kernels.tornado.ExpertGroups;
import org.hotrow.kernels.tornado.ExpertLinear;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.Logits;
import org.hotrow.kernels.tornado.Router;
import org.hotrow.kernels.tornado.Variant;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Experts, and the end of the model. Of large matrices a part, as the meter takes its time. */
final class ExpertLaunches {
    private static final int EXPERTS = 256;
    private static final int K = 8;
    private static final int VOCABULARY = 154_880;

    private ExpertLaunches() {}

    static void addTo(Map<String, Supplier<Launch>> all) {
        all.put("router", ExpertLaunches::router);
        all.put("expert-groups", ExpertLaunches::expertGroups);
        all.put("expert-linear", () -> expertLinear("expert-linear", few(), HIDDEN, 256, false));
        all.put("expert-linear-down", () -> expertLinear("expert-linear-down", few(), 2048, 768, true));
        all.put("expert-combine", ExpertLaunches::expertCombine);
        all.put("logits", ExpertLaunches::logits);
        all.put("argmax", ExpertLaunches::argmax);
    }

    private static Launch router() {
        Router.Shape shape = new Router.Shape(TOKENS, EXPERTS, K, true, 2.5f);
        IntArray counts = Production.counts(TOKENS);
        FloatArray logits = new FloatArray(TOKENS * EXPERTS);
        FloatArray bias = new FloatArray(EXPERTS);
        IntArray expert = new IntArray(TOKENS * K);
        FloatArray weight = new FloatArray(TOKENS * K);
        return Launch.of(
                "router",
                TOKENS + " rows, " + K + " of " + EXPERTS,
                shape.floorBytes(TOKENS),
                List.of("choose"),
                (graph, grids) -> Router.append(graph, grids, "choose", counts, logits, bias, expert, weight, shape),
                counts,
                logits,
                bias,
                expert,
                weight);
    }

    private static Launch expertGroups() {
        ExpertGroups.Shape shape = new ExpertGroups.Shape(TOKENS, EXPERTS, K);
        IntArray counts = Production.counts(TOKENS);
        IntArray expert = new IntArray(shape.maxPairs());
        for (int pair = 0; pair < shape.maxPairs(); pair++) {
            expert.set(pair, pair % K * 31 + pair / K * 2);
        }
        ExpertGroups.Arrays out = ExpertGroups.Arrays.of(shape);
        return Launch.of(
                        "expert-groups",
                        TOKENS + " rows, " + K + " of " + EXPERTS,
                        shape.floorBytes(TOKENS, shape.maxPairs()),
                        List.of("group"),
                        (graph, grids) -> ExpertGroups.append(graph, grids, "group", counts, expert, out, shape),
                        counts,
                        expert,
                        out.active(),
                        out.first(),
                        out.pairAt())
                .because("each of 8 warps reads the number of rows, 4 bytes of a sector, for 2 KB in all");
    }

    /** One row and its {@value #K} experts, the only ones in memory; of large matrices some outputs. */
    private static ExpertGroups.Shape few() {
        return new ExpertGroups.Shape(1, K, K);
    }

    /** All rows; those of a step have other experts each, as far as there are any. */
    static Launch expertLinear(String name, ExpertGroups.Shape groups, int inputs, int outputs, boolean ofPairs) {
        ExpertLinear.Shape shape = new ExpertLinear.Shape(groups, inputs, outputs, ofPairs);
        int rows = groups.maxRows();
        int pairs = groups.maxPairs();
        IntArray counts = Production.counts(rows);
        IntArray expert = new IntArray(pairs);
        for (int i = 0; i < pairs; i++) {
            expert.set(i, i % groups.experts());
        }
        int active = Math.min(pairs, groups.experts());
        ExpertGroups.Arrays arrays = ExpertGroups.Arrays.of(groups);
        FloatArray x = new FloatArray((ofPairs ? pairs : rows) * inputs);
        LongArray weight = new LongArray(groups.experts() * outputs * (inputs / 8));
        FloatArray scale = new FloatArray(groups.experts() * (outputs / 128) * (inputs / 128));
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(pairs * outputs);
        return Launch.of(
                name,
                active + " experts, " + inputs + " x " + outputs + " of each",
                shape.floorBytes(rows, active) + groups.floorBytes(rows, active),
                List.of("group", "multiply"),
                (graph, grids) -> {
                    ExpertGroups.append(graph, grids, "group", counts, expert, arrays, groups);
                    ExpertLinear.append(
                            graph, grids, "multiply", arrays, x, weight, scale, codes, out, shape, Variant.CUDA);
                },
                counts,
                expert,
                arrays.active(),
                arrays.first(),
                arrays.pairAt(),
                x,
                weight,
                scale,
                codes,
                out);
    }

    private static Launch expertCombine() {
        ExpertCombine.Shape shape = new ExpertCombine.Shape(TOKENS, K, HIDDEN);
        IntArray counts = Production.counts(TOKENS);
        FloatArray weight = new FloatArray(TOKENS * K);
        FloatArray down = new FloatArray(TOKENS * K * HIDDEN);
        FloatArray out = new FloatArray(TOKENS * HIDDEN);
        return Launch.of(
                "expert-combine",
                TOKENS + " x " + K + " x " + HIDDEN,
                shape.floorBytes(TOKENS),
                List.of("combine"),
                (graph, grids) -> ExpertCombine.append(graph, grids, "combine", counts, weight, down, out, shape),
                counts,
                weight,
                down,
                out);
    }

    private static Launch logits() {
        int tokens = VOCABULARY / 64;
        Logits.Shape shape = new Logits.Shape(1, HIDDEN, tokens, 1e-5f);
        IntArray counts = Production.counts(1);
        IntArray logitRow = new IntArray(1);
        FloatArray hidden = new FloatArray(HIDDEN);
        FloatArray weight = new FloatArray(HIDDEN);
        LongArray head = new LongArray(tokens * HIDDEN / 4);
        FloatArray exponents = Exponents.table();
        FloatArray normed = new FloatArray(HIDDEN);
        FloatArray logits = new FloatArray(tokens);
        return Launch.of(
                        "logits",
                        "1 row, " + tokens + " of " + VOCABULARY + " tokens",
                        shape.floorBytes(1),
                        List.of("logitsNorm", "logits"),
                        (graph, grids) -> Logits.append(
                                graph,
                                grids,
                                "logits",
                                counts,
                                logitRow,
                                hidden,
                                weight,
                                head,
                                exponents,
                                normed,
                                logits,
                                shape,
                                Variant.CUDA),
                        counts,
                        logitRow,
                        hidden,
                        weight,
                        head,
                        exponents,
                        normed,
                        logits)
                .withPartials(shape.partialBytes(1));
    }

    private static Launch argmax() {
        Argmax.Shape shape = new Argmax.Shape(1, VOCABULARY, 154_856, Logits.ROWS_AT);
        IntArray counts = Production.counts(1);
        FloatArray logits = new FloatArray(VOCABULARY);
        IntArray token = new IntArray(1);
        return Launch.of(
                "argmax",
                "1 row, " + shape.tokens() + " tokens",
                shape.floorBytes(1),
                List.of("largest"),
                (graph, grids) -> Argmax.append(graph, grids, "largest", counts, logits, token, shape),
                counts,
                logits,
                token);
    }
}
