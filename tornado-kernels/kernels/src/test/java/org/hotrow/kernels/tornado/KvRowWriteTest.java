package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hotrow.kernels.Goldens;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class KvRowWriteTest {
    private static final int WIDTH = 576;
    private static final int ROW_LONGS = 82;
    private static final int LAYERS = 3;
    private static final int BLOCKS = 4;
    private static final int[] WRITE_ROW = {64, 65, 3 * 64 + 63, -1, 2 * 64 + 17, 2 * 64};

    @Test
    void writesGoldenFp8Rows() {
        FloatArray row = FloatArray.fromArray(Goldens.load("golden_kernels").floats("ds_mla_in"));
        LongArray slab = new LongArray(64 * ROW_LONGS);

        writeFp8(8, IntArray.fromElements(0, 1, 2, 3, 4, 5, 6, 7), row, 0, slab, new KvRowWrite.Shape(8, WIDTH, 1));

        byte[] rows = Arrays.copyOf(Fp8Matrix.bytes(slab), 8 * 656);
        assertThat(rows).isEqualTo(Goldens.load("golden_kernels").bytes("ds_mla_bytes_pow2scale"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6})
    void writesFp8RowsOfTheStepIntoTheirLayer(int rows) {
        float[] values = awkward(WRITE_ROW.length * WIDTH);
        LongArray slab = new LongArray(BLOCKS * LAYERS * 64 * ROW_LONGS);
        slab.init(-1);

        KvRowWrite.Shape shape = new KvRowWrite.Shape(WRITE_ROW.length, WIDTH, LAYERS);
        writeFp8(rows, IntArray.fromElements(WRITE_ROW), FloatArray.fromArray(values), 1, slab, shape);

        RowFormat format = RowFormat.of(KvDtype.FP8, 512, 64);
        assertThat(Fp8Matrix.bytes(slab)).isEqualTo(expected(format, values, WIDTH, rows, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 24, 576})
    void writesBf16Rows(int width) {
        float[] values = awkward(WRITE_ROW.length * width);
        LongArray slab = new LongArray(BLOCKS * LAYERS * 64 * width / 4);
        slab.init(-1);
        IntArray counts = Values.counts(5);
        IntArray writeRow = IntArray.fromElements(WRITE_ROW);
        FloatArray row = FloatArray.fromArray(values);
        FloatArray exponents = Exponents.table();
        IntArray layer = IntArray.fromElements(2);
        KvRowWrite.Shape shape = new KvRowWrite.Shape(WRITE_ROW.length, width, LAYERS);

        Device.run(
                (graph, grids) -> KvRowWrite.appendBf16(
                        graph, grids, "write", counts, writeRow, row, exponents, layer, slab, shape),
                counts,
                writeRow,
                row,
                exponents,
                layer,
                slab);

        RowFormat format = RowFormat.of(KvDtype.BF16, width - 1, 1);
        assertThat(Fp8Matrix.bytes(slab)).isEqualTo(expected(format, values, width, 5, 2));
    }

    @Test
    void writesFp32Rows() {
        int width = 20;
        float[] values = awkward(WRITE_ROW.length * width);
        FloatArray slab = new FloatArray(BLOCKS * LAYERS * 64 * width);
        slab.init(Float.intBitsToFloat(-1));
        IntArray counts = Values.counts(6);
        IntArray writeRow = IntArray.fromElements(WRITE_ROW);
        FloatArray row = FloatArray.fromArray(values);
        IntArray layer = IntArray.fromElements(0);
        KvRowWrite.Shape shape = new KvRowWrite.Shape(WRITE_ROW.length, width, LAYERS);

        Device.run(
                (graph, grids) ->
                        KvRowWrite.appendFp32(graph, grids, "write", counts, writeRow, row, layer, slab, shape),
                counts,
                writeRow,
                row,
                layer,
                slab);

        byte[] bytes = new byte[4 * slab.getSize()];
        MemorySegment.ofArray(bytes).copyFrom(slab.getSegment());
        RowFormat format = RowFormat.of(KvDtype.FP32, width - 1, 1);
        assertThat(bytes).isEqualTo(expected(format, values, width, 6, 0));
    }

    @Test
    void refusesOtherFp8Rows() {
        KvRowWrite.Shape shape = new KvRowWrite.Shape(1, 128, 1);
        assertThatThrownBy(() -> writeFp8(
                        1, IntArray.fromElements(64), new FloatArray(128), 0, new LongArray(64 * ROW_LONGS), shape))
                .hasMessageContaining("576 values, not 128");
    }

    private static void writeFp8(
            int rows, IntArray writeRow, FloatArray row, int layerInSlab, LongArray slab, KvRowWrite.Shape shape) {
        IntArray counts = Values.counts(rows);
        FloatArray exponents = Exponents.table();
        IntArray layer = IntArray.fromElements(layerInSlab);
        Device.run(
                (graph, grids) -> KvRowWrite.appendFp8(
                        graph, grids, "write", counts, writeRow, row, exponents, layer, slab, shape),
                counts,
                writeRow,
                row,
                exponents,
                layer,
                slab);
    }

    /** Values of all magnitudes, with zeros, infinities, NaN, and a tile at the edge between two scales. */
    private static float[] awkward(int count) {
        float[] values = Values.of(count, 1);
        for (int i = 0; i < count; i++) {
            values[i] *= Math.scalb(1f, i / 128 % 40 - 20);
        }
        float[] special = {0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, 448, Math.nextUp(448f), -1e-42f, 1e-6f};
        for (int i = 0; i < special.length && i * 97 + 3 < count; i++) {
            values[i * 97 + 3] = special[i];
        }
        return values;
    }

    private static byte[] expected(RowFormat format, float[] values, int width, int rows, int layer) {
        byte[] bytes = new byte[BLOCKS * LAYERS * 64 * format.rowBytes()];
        Arrays.fill(bytes, (byte) -1);
        for (int t = 0; t < rows; t++) {
            int id = WRITE_ROW[t];
            if (id >= 0) {
                long at = ((long) (id / 64 * LAYERS + layer) * 64 + id % 64) * format.rowBytes();
                format.write(values, t * width, MemorySegment.ofArray(bytes), at);
            }
        }
        return bytes;
    }
}
