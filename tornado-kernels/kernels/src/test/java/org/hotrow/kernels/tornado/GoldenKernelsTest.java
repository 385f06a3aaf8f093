package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.hotrow.kernels.E4m3;
import org.hotrow.kernels.Goldens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Kernels against tensors that PyTorch computed; written rows and index pages are compared in {@link KvRowWriteTest} and
 * {@link IndexKeyWriteTest}. The linear layer is one of a tiny model of the family, its activations those of the goldens.
 */
class GoldenKernelsTest {
    private static final Goldens GOLDENS = Goldens.load("golden_kernels");
    private static final int ROWS = 3;
    private static final int INPUTS = 128;
    private static final int OUTPUTS = 192;

    private final Goldens layer = Goldens.load("golden_q_b_proj");
    private final Fp8Matrix matrix = new Fp8Matrix(OUTPUTS, INPUTS, layer.bytes("weight"), layer.floats("scale"));

    static void readRows(
            KernelContext context, LongArray slab, FloatArray codes, FloatArray exponents, FloatArray out) {
        int i = context.globalIdx;
        out.set(i, SlabRow.value(slab, SlabRow.at(i / 576, 0, 1, 82), i % 576, 8, codes, exponents));
    }

    @Test
    void decodesEveryCode() {
        byte[] all = new byte[256];
        for (int code = 0; code < 256; code++) {
            all[code] = (byte) code;
        }
        Fp8Dequant.Shape shape = new Fp8Dequant.Shape(32, 8);
        LongArray weight = new Fp8Matrix(32, 8, all, new float[0]).words();
        FloatArray scale = FloatArray.fromElements(1);
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(256);

        Device.run(
                (graph, grids) ->
                        Fp8Dequant.append(graph, grids, "decode", weight, scale, codes, out, shape, Variant.PORTABLE),
                weight,
                scale,
                codes,
                out);

        assertThat(out.toHeapArray()).isEqualTo(GOLDENS.floats("e4m3_table"));
    }

    @Test
    void encodesTheCasesOfTheCast() {
        float[] values = GOLDENS.floats("e4m3_cast_in");
        byte[] expected = GOLDENS.bytes("e4m3_cast_out");
        FloatArray in = FloatArray.fromArray(values);
        FloatArray exponents = Exponents.table();
        IntArray e4m3 = new IntArray(values.length);
        IntArray bf16 = new IntArray(values.length);

        Device.run(
                (graph, grids) -> {
                    Grids.add(graph, grids, "encode", values.length, 8);
                    graph.task("encode", NumberCodesTest::encodeBoth, new KernelContext(), in, exponents, e4m3, bf16);
                },
                in,
                exponents,
                e4m3,
                bf16);

        for (int i = 0; i < values.length; i++) {
            assertThat((byte) e4m3.get(i)).as("e4m3 of %s", values[i]).isEqualTo(expected[i]);
        }
    }

    @Test
    void readsRowsOfTheSlab() {
        byte[] bytes = GOLDENS.bytes("ds_mla_bytes_pow2scale");
        LongArray slab = new Fp8Matrix(8, 656, Arrays.copyOf(bytes, 64 * 656), new float[0]).words();
        FloatArray codes = Fp8Codes.table();
        FloatArray exponents = Exponents.table();
        FloatArray out = new FloatArray(8 * 576);

        Device.run(
                (graph, grids) -> {
                    Grids.add(graph, grids, "read", out.getSize(), 64);
                    graph.task("read", GoldenKernelsTest::readRows, new KernelContext(), slab, codes, exponents, out);
                },
                slab,
                codes,
                exponents,
                out);

        assertThat(out.toHeapArray()).isEqualTo(GOLDENS.floats("ds_mla_deq_pow2scale"));
    }

    @Test
    void multipliesRoundedRowsOnTensorCores() {
        Device.assumeWarps();
        W8a8.Shape shape = new W8a8.Shape(16, INPUTS, OUTPUTS);
        IntArray counts = Values.counts(ROWS);
        FloatArray x = FloatArray.fromArray(Arrays.copyOf(GOLDENS.floats("w8a8_x"), 16 * INPUTS));
        LongArray rowCode = new LongArray(16 * INPUTS / 8);
        FloatArray rowScale = new FloatArray(16);
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray out = new FloatArray(16 * OUTPUTS);

        Device.run(
                (graph, grids) ->
                        W8a8.append(graph, grids, "linear", counts, x, rowCode, rowScale, weight, scale, out, shape),
                counts,
                x,
                rowCode,
                rowScale,
                weight,
                scale,
                out);

        assertThat(Arrays.copyOf(Fp8Matrix.bytes(rowCode), ROWS * INPUTS)).isEqualTo(GOLDENS.bytes("w8a8_xq"));
        assertThat(Arrays.copyOf(rowScale.toHeapArray(), ROWS)).isEqualTo(GOLDENS.floats("w8a8_xs"));
        requireProduct(out.toHeapArray());
    }

    @Test
    void multipliesRoundedRows() {
        Fp8Linear.Shape shape = new Fp8Linear.Shape(ROWS, INPUTS, OUTPUTS);
        IntArray counts = Values.counts(ROWS);
        FloatArray x = FloatArray.fromArray(rounded());
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(ROWS * OUTPUTS);

        Device.run(
                (graph, grids) -> Fp8Linear.append(
                        graph, grids, "linear", counts, x, weight, scale, codes, out, shape, Variant.PORTABLE),
                counts,
                x,
                weight,
                scale,
                codes,
                out);

        requireProduct(out.toHeapArray());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void turnsUnitsToTheAnglesOfPositions(boolean interleaved) {
        float[] cosines = GOLDENS.floats("rope_cos_f32");
        float[] sines = GOLDENS.floats("rope_sin_f32");
        int rows = GOLDENS.longs("rope_pos").length;
        RotaryEmbedding.Shape shape = new RotaryEmbedding.Shape(rows, 64, 0, 1, 64, 32, interleaved);
        IntArray counts = Values.counts(rows);
        FloatArray x = new FloatArray(rows * 64);
        for (int i = 0; i < rows * 64; i++) {
            boolean first = interleaved ? i % 2 == 0 : i % 64 < 32;
            x.set(i, first ? 1 : 0);
        }
        FloatArray cos = FloatArray.fromArray(cosines);
        FloatArray sin = FloatArray.fromArray(sines);

        Device.run(
                (graph, grids) -> RotaryEmbedding.append(graph, grids, "rope", counts, x, cos, sin, shape),
                counts,
                x,
                cos,
                sin);

        for (int i = 0; i < rows * 32; i++) {
            int from = i / 32 * 64;
            assertThat(x.get(interleaved ? 2 * i : from + i % 32)).isEqualTo(cosines[i]);
            assertThat(x.get(interleaved ? 2 * i + 1 : from + 32 + i % 32)).isEqualTo(sines[i]);
        }
    }

    private static float[] rounded() {
        byte[] codes = GOLDENS.bytes("w8a8_xq");
        float[] scales = GOLDENS.floats("w8a8_xs");
        float[] rounded = new float[codes.length];
        for (int i = 0; i < codes.length; i++) {
            rounded[i] = E4m3.decode(codes[i]) * scales[i / INPUTS];
        }
        return rounded;
    }

    private void requireProduct(float[] actual) {
        float[] expected = GOLDENS.floats("w8a8_y");
        float[] x = rounded();
        for (int at = 0; at < ROWS * OUTPUTS; at++) {
            double magnitude = 0;
            for (int i = 0; i < INPUTS; i++) {
                magnitude += Math.abs((double) matrix.value(at % OUTPUTS, i) * x[at / OUTPUTS * INPUTS + i]);
            }
            Sums.requireClose(actual[at], expected[at], magnitude, "row " + at / OUTPUTS + " output " + at % OUTPUTS);
        }
    }
}
