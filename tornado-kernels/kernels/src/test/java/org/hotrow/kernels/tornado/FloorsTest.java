package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What kernels move against their floors, and how much of what they fetch they use; at widths of real layers. */
class FloorsTest {
    private static final int HIDDEN = 6144;

    @ParameterizedTest
    @CsvSource({"1, 1, 48", "4, 4, 64", "17, 24, 128"})
    void linear(int rows, int maxRows, int outputs) {
        Fp8Linear.Shape shape = new Fp8Linear.Shape(maxRows, HIDDEN, outputs);
        Fp8Matrix matrix = Fp8Matrix.of(outputs, HIDDEN, 1);
        IntArray counts = Values.counts(rows);
        FloatArray x = FloatArray.fromArray(Values.of(maxRows * HIDDEN, 2));
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(maxRows * outputs);
        requireNearFloor(
                shape.floorBytes(rows),
                Device.meter(
                        "linear",
                        (graph, grids) -> Fp8Linear.append(
                                graph, grids, "linear", counts, x, weight, scale, codes, out, shape, Variant.CUDA),
                        counts,
                        x,
                        weight,
                        scale,
                        codes,
                        out));
    }

    @Test
    void dequant() {
        Fp8Dequant.Shape shape = new Fp8Dequant.Shape(130, 1024);
        Fp8Matrix matrix = Fp8Matrix.of(130, 1024, 1);
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(130 * 1024);
        requireNearFloor(
                shape.floorBytes(),
                Device.meter(
                        "decode",
                        (graph, grids) -> Fp8Dequant.append(
                                graph, grids, "decode", weight, scale, codes, out, shape, Variant.CUDA),
                        weight,
                        scale,
                        codes,
                        out));
    }

    @Test
    void routing() {
        Router.Shape shape = new Router.Shape(4, 256, 8, true, 2.5f);
        IntArray counts = Values.counts(4);
        FloatArray logits = FloatArray.fromArray(Values.of(4 * 256, 1));
        FloatArray bias = FloatArray.fromArray(Values.of(256, 2));
        IntArray expert = new IntArray(4 * 8);
        FloatArray weight = new FloatArray(4 * 8);
        requireNearFloor(
                shape.floorBytes(4),
                Device.meter(
                        "route",
                        (graph, grids) ->
                                Router.append(graph, grids, "route", counts, logits, bias, expert, weight, shape),
                        counts,
                        logits,
                        bias,
                        expert,
                        weight));
    }

    @Test
    void tensorCoreLinear() {
        W8a8.Shape shape = new W8a8.Shape(16, 2048, 128);
        Fp8Matrix matrix = Fp8Matrix.of(128, 2048, 1);
        IntArray counts = Values.counts(16);
        FloatArray x = FloatArray.fromArray(Values.of(16 * 2048, 2));
        LongArray rowCode = new LongArray(16 * 2048 / 8);
        FloatArray rowScale = new FloatArray(16 * 16);
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray out = new FloatArray(16 * 128);
        // Of the product alone: codes of rows in place of their values.
        long floor = shape.floorBytes(16) - 4L * 16 * 2048 + shape.partialBytes(16);
        requireNearFloor(
                floor,
                Device.meter(
                        "linear",
                        (graph, grids) -> W8a8.append(
                                graph, grids, "linear", counts, x, rowCode, rowScale, weight, scale, out, shape),
                        counts,
                        x,
                        rowCode,
                        rowScale,
                        weight,
                        scale,
                        out));
    }

    @Test
    void bf16Linear() {
        Bf16Linear.Shape shape = new Bf16Linear.Shape(1, HIDDEN, 32, 0);
        IntArray counts = Values.counts(1);
        FloatArray x = FloatArray.fromArray(Values.of(HIDDEN, 2));
        LongArray weight = Bf16LinearTest.words(Bf16LinearTest.matrix(32 * HIDDEN));
        FloatArray exponents = Exponents.table();
        FloatArray out = new FloatArray(32);
        requireNearFloor(
                shape.floorBytes(1),
                Device.meter(
                        "linear",
                        (graph, grids) -> Bf16Linear.append(
                                graph, grids, "linear", counts, x, weight, exponents, out, shape, Variant.CUDA),
                        counts,
                        x,
                        weight,
                        exponents,
                        out));
    }

    @Test
    void experts() {
        ExpertGroups.Shape groups = new ExpertGroups.Shape(3, 8, 2);
        ExpertLinear.Shape shape = new ExpertLinear.Shape(groups, 2048, 64, true);
        Fp8Matrix matrix = Fp8Matrix.of(8 * 64, 2048, 1);
        IntArray counts = Values.counts(3);
        IntArray expert = IntArray.fromElements(1, 6, 1, 4, 4, 6);
        ExpertGroups.Arrays arrays = ExpertGroups.Arrays.of(groups);
        FloatArray x = FloatArray.fromArray(Values.of(6 * 2048, 2));
        LongArray weight = matrix.words();
        FloatArray scale = new FloatArray(8 * 16);
        scale.init(0.5f);
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(6 * 64);
        requireNearFloor(
                shape.floorBytes(3, 3),
                Device.meter(
                        "experts",
                        (graph, grids) -> {
                            ExpertGroups.append(graph, grids, "group", counts, expert, arrays, groups);
                            ExpertLinear.append(
                                    graph, grids, "experts", arrays, x, weight, scale, codes, out, shape, Variant.CUDA);
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
                        out));
    }

    @Test
    void normWithUpdate() {
        RmsNorm.Shape shape = new RmsNorm.Shape(4, HIDDEN, HIDDEN, 1e-5f);
        IntArray counts = Values.counts(4);
        FloatArray x = FloatArray.fromArray(Values.of(4 * HIDDEN, 1));
        FloatArray update = FloatArray.fromArray(Values.of(4 * HIDDEN, 2));
        FloatArray weight = FloatArray.fromArray(Values.of(HIDDEN, 3));
        FloatArray out = new FloatArray(4 * HIDDEN);
        requireNearFloor(
                shape.floorBytes(4, true),
                Device.meter(
                        "norm",
                        (graph, grids) ->
                                RmsNorm.appendWithUpdate(graph, grids, "norm", counts, x, update, weight, out, shape),
                        counts,
                        x,
                        update,
                        weight,
                        out));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rotation(boolean interleaved) {
        RotaryEmbedding.Shape shape = new RotaryEmbedding.Shape(4, 16_384, 192, 64, 256, 32, interleaved);
        IntArray counts = Values.counts(4);
        FloatArray x = FloatArray.fromArray(Values.of(4 * 16_384, 1));
        FloatArray cos = FloatArray.fromArray(Values.of(4 * 32, 2));
        FloatArray sin = FloatArray.fromArray(Values.of(4 * 32, 3));
        requireNearFloor(
                shape.floorBytes(4),
                Device.meter(
                        "rope",
                        (graph, grids) -> RotaryEmbedding.append(graph, grids, "rope", counts, x, cos, sin, shape),
                        counts,
                        x,
                        cos,
                        sin));
    }

    @Test
    void kvRows() {
        KvRowWrite.Shape shape = new KvRowWrite.Shape(16, 576, 4);
        IntArray counts = Values.counts(16);
        int[] ids = new int[16];
        Arrays.setAll(ids, t -> 64 + 5 * t);
        IntArray writeRow = IntArray.fromArray(ids);
        FloatArray row = FloatArray.fromArray(Values.of(16 * 576, 1));
        FloatArray exponents = Exponents.table();
        IntArray layer = IntArray.fromElements(2);
        LongArray slab = new LongArray(4 * 4 * 64 * 82);
        Device.Traffic traffic = Device.meter(
                "write",
                (graph, grids) -> KvRowWrite.appendFp8(
                        graph, grids, "write", counts, writeRow, row, exponents, layer, slab, shape),
                counts,
                writeRow,
                row,
                exponents,
                layer,
                slab);
        // Beside the floor, a table of 1 KB. Its look-ups, in the first-level cache, are most of the accesses.
        assertThat(traffic.uniqueBytes()).isLessThanOrEqualTo(shape.floorBytes(16, 656) * 105 / 100 + 1024);
    }

    @Test
    void writeBack() {
        WriteBack.Shape shape = new WriteBack.Shape(2, 82, 1056, 6, 0, 6, 2, 0, 2, 8);
        IntArray pages = IntArray.fromElements(1);
        IntArray block = IntArray.fromElements(2, 0);
        IntArray index = IntArray.fromElements(9, 0);
        IntArray to = IntArray.fromElements(1, 0);
        LongArray slab = new LongArray(3 * shape.rowsWords());
        LongArray host = new LongArray(2 * shape.hostPageWords());
        requireNearFloor(
                shape.floorBytes(1),
                Device.meter(
                        "copy",
                        (graph, grids) ->
                                WriteBack.append(graph, grids, "copy", pages, block, index, to, slab, host, shape),
                        pages,
                        block,
                        index,
                        to,
                        slab,
                        host));
    }

    private static void requireNearFloor(long floor, Device.Traffic traffic) {
        assertThat(traffic.uniqueBytes()).isLessThanOrEqualTo(floor * 105 / 100);
        assertThat(traffic.uniqueBytes()).isGreaterThanOrEqualTo(floor * 95 / 100);
        assertThat(traffic.sectorUse()).isGreaterThanOrEqualTo(0.8);
    }
}
