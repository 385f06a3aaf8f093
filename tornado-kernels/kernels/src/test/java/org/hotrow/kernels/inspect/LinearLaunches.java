package org.hotrow.kernels.inspect;

import static org.hotrow.kernels.inspect.Production.HIDDEN;
import static org.hotrow.kernels.inspect.Production.TOKENS;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hotrow.kernels.tornado.Bf16Linear;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.Fp8Dequant;
import org.hotrow.kernels.tornado.Fp8Linear;
import org.hotrow.kernels.tornado.HeadLinear;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.kernels.tornado.W8a8;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Linear layers and what decodes their weights. */
final class LinearLaunches {
    private LinearLaunches() {}

    static void addTo(Map<String, Supplier<Launch>> all) {
        all.put("fp8-linear", () -> fp8Linear("fp8-linear", 1, 2048));
        all.put("fp8-linear-batch", () -> fp8Linear("fp8-linear-batch", TOKENS, 576));
        all.put("fp8-linear-prefill", () -> fp8Linear("fp8-linear-prefill", 64, 128));
        all.put("w8a8", LinearLaunches::w8a8);
        all.put("fp8-dequant", LinearLaunches::fp8Dequant);
        all.put("bf16-linear", LinearLaunches::bf16Linear);
        all.put("absorb", () -> absorb("absorb", "fp8", TOKENS, 8));
        all.put("absorb-bf16", () -> absorb("absorb-bf16", "bf16", 1, 16));
        all.put("expand", () -> expand("expand", "fp8", TOKENS, 8));
        all.put("expand-bf16", () -> expand("expand-bf16", "bf16", 1, 16));
    }

    static Launch fp8Linear(String name, int rows, int outputs) {
        Fp8Linear.Shape shape = new Fp8Linear.Shape(rows, HIDDEN, outputs);
        IntArray counts = Production.counts(rows);
        FloatArray x = new FloatArray(rows * HIDDEN);
        LongArray weight = new LongArray(outputs * HIDDEN / 8);
        FloatArray scale = new FloatArray(shape.scales());
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(rows * outputs);
        return Launch.of(
                name,
                rows + " x " + HIDDEN + " by " + HIDDEN + " x " + outputs,
                shape.floorBytes(rows),
                List.of("multiply"),
                (graph, grids) -> Fp8Linear.append(
                        graph, grids, "multiply", counts, x, weight, scale, codes, out, shape, Variant.CUDA),
                counts,
                x,
                weight,
                scale,
                codes,
                out);
    }

    private static Launch w8a8() {
        int outputs = 576;
        W8a8.Shape shape = new W8a8.Shape(TOKENS, HIDDEN, outputs);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * HIDDEN);
        LongArray rowCode = new LongArray(TOKENS * HIDDEN / 8);
        FloatArray rowScale = new FloatArray(TOKENS * HIDDEN / 128);
        LongArray weight = new LongArray(outputs * HIDDEN / 8);
        FloatArray scale = new FloatArray(5 * HIDDEN / 128);
        FloatArray out = new FloatArray(TOKENS * outputs);
        return Launch.of(
                        "w8a8",
                        TOKENS + " x " + HIDDEN + " by " + HIDDEN + " x " + outputs,
                        shape.floorBytes(TOKENS),
                        List.of("multiplyCodes", "multiply"),
                        (graph, grids) -> W8a8.append(
                                graph, grids, "multiply", counts, x, rowCode, rowScale, weight, scale, out, shape),
                        counts,
                        x,
                        rowCode,
                        rowScale,
                        weight,
                        scale,
                        out)
                .withPartials(shape.partialBytes(TOKENS));
    }

    private static Launch fp8Dequant() {
        Fp8Dequant.Shape shape = new Fp8Dequant.Shape(576, HIDDEN);
        LongArray weight = new LongArray(576 * HIDDEN / 8);
        FloatArray scale = new FloatArray(5 * HIDDEN / 128);
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(576 * HIDDEN);
        return Launch.of(
                "fp8-dequant",
                "576 x " + HIDDEN,
                shape.floorBytes(),
                List.of("decode"),
                (graph, grids) ->
                        Fp8Dequant.append(graph, grids, "decode", weight, scale, codes, out, shape, Variant.CUDA),
                weight,
                scale,
                codes,
                out);
    }

    private static Launch bf16Linear() {
        Bf16Linear.Shape shape = new Bf16Linear.Shape(TOKENS, HIDDEN, 256, 0);
        IntArray counts = Production.counts(TOKENS);
        FloatArray x = new FloatArray(TOKENS * HIDDEN);
        LongArray weight = new LongArray(256 * HIDDEN / 4);
        FloatArray exponents = Exponents.table();
        FloatArray out = new FloatArray(TOKENS * 256);
        return Launch.of(
                "bf16-linear",
                TOKENS + " x " + HIDDEN + " by " + HIDDEN + " x 256",
                shape.floorBytes(TOKENS),
                List.of("multiply"),
                (graph, grids) -> Bf16Linear.append(
                        graph, grids, "multiply", counts, x, weight, exponents, out, shape, Variant.CUDA),
                counts,
                x,
                weight,
                exponents,
                out);
    }

    private static HeadLinear.Shape heads(int rows, int bits) {
        return new HeadLinear.Shape(rows, 64, 192, 64, 256, 512, bits);
    }

    private static HeadLinear.Matrix kvB(HeadLinear.Shape shape) {
        int values = shape.heads() * (shape.nope() + shape.value()) * shape.latent();
        return new HeadLinear.Matrix(
                new LongArray(values * shape.bits() / Long.SIZE),
                new FloatArray(shape.scales()),
                Fp8Codes.table(),
                Exponents.table());
    }

    private static Launch absorb(String name, String format, int rows, int bits) {
        HeadLinear.Shape shape = heads(rows, bits);
        HeadLinear.Matrix matrix = kvB(shape);
        IntArray counts = Production.counts(rows);
        FloatArray query = new FloatArray(rows * 64 * (192 + 64));
        FloatArray absorbed = new FloatArray(rows * 64 * (512 + 64));
        return Launch.of(
                name,
                rows + " x 64 heads, 192 to 512 values, " + format,
                shape.absorbFloorBytes(rows),
                List.of("absorb"),
                (graph, grids) -> HeadLinear.appendAbsorb(
                        graph, grids, "absorb", counts, query, matrix, absorbed, shape, Variant.CUDA),
                counts,
                query,
                matrix.weight(),
                matrix.scale(),
                matrix.codes(),
                matrix.exponents(),
                absorbed);
    }

    private static Launch expand(String name, String format, int rows, int bits) {
        HeadLinear.Shape shape = heads(rows, bits);
        HeadLinear.Matrix matrix = kvB(shape);
        IntArray counts = Production.counts(rows);
        FloatArray attended = new FloatArray(rows * 64 * 512);
        FloatArray expanded = new FloatArray(rows * 64 * 256);
        return Launch.of(
                name,
                rows + " x 64 heads, 512 to 256 values, " + format,
                shape.expandFloorBytes(rows),
                List.of("expand"),
                (graph, grids) -> HeadLinear.appendExpand(
                        graph, grids, "expand", counts, attended, matrix, expanded, shape, Variant.CUDA),
                counts,
                attended,
                matrix.weight(),
                matrix.scale(),
                matrix.codes(),
                matrix.exponents(),
                expanded);
    }
}
