package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.hotrow.kernels.Goldens;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

class IndexKeyWriteTest {
    private static final int PAGES = 3;
    private static final int ANCHORS = 2;
    private static final int BLOCKS = 5;
    private static final int MAX_INDEX_BLOCKS = 2;
    private static final int[] INDEX_TABLE = {2, 4, 1, 0, 3, 0};

    /** Of three seats: a chunk over two pages, a lone odd position, a lone even one that is the last of its block. */
    private static final int[] REQUEST = {0, 0, 0, 0, 1, 2, 2, -1};

    private static final int[] POSITION = {62, 63, 64, 65, 7, 190, 191, 0};

    /** What a test's pages hold, and where. */
    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    private record Case(KvDtype dtype, int width, int anchor, int[] request, int[] position) {
        IndexFormat format() {
            return IndexFormat.of(dtype, width);
        }

        /** A block has room for more than its pages. */
        int blockBytes() {
            return PAGES * ANCHORS * format().pageBytes() + 64;
        }

        long pageAt(int t) {
            int page = position[t] / 64;
            int block = INDEX_TABLE[request[t] * MAX_INDEX_BLOCKS + page / PAGES];
            return (long) block * blockBytes() + (page % PAGES * ANCHORS + anchor) * (long) format().pageBytes();
        }
    }

    @Test
    void writesTheGoldenPage() {
        float[] keys = Goldens.load("golden_kernels").floats("index_page_in");
        int[] position = new int[64];
        Arrays.setAll(position, t -> t);
        Case golden = new Case(KvDtype.FP8, 128, 0, new int[64], position);

        byte[] slab = run(golden, 64, keys);

        int page = (int) golden.pageAt(0);
        assertThat(Arrays.copyOfRange(slab, page, page + 8448))
                .isEqualTo(Goldens.load("golden_kernels").bytes("index_page_bytes"));
    }

    @ParameterizedTest
    @CsvSource({
        "FP8, 128, 0, 7",
        "FP8, 8, 1, 7",
        "FP8, 264, 1, 3",
        "FP8, 128, 1, 1",
        "FP8, 128, 0, 0",
        "BF16, 128, 1, 7",
        "BF16, 8, 0, 6",
        "FP32, 128, 1, 7",
        "FP32, 24, 0, 2"
    })
    void writesTheKeysOfTheStep(KvDtype dtype, int width, int anchor, int rows) {
        Case write = new Case(dtype, width, anchor, REQUEST, POSITION);
        float[] keys = Values.of(REQUEST.length * width, 1);
        keys[3] = -0f;
        keys[width + 2] = Float.NaN;
        keys[2 * width + 1] = Float.NEGATIVE_INFINITY;
        Arrays.fill(keys, 3 * width, 4 * width, 1e-9f);

        assertThat(run(write, rows, keys)).isEqualTo(expected(write, rows, keys));
    }

    @Test
    void consecutivePositionsOfTwoRequestsAreNoNeighbours() {
        Case write = new Case(KvDtype.FP8, 128, 0, new int[] {0, 1, 2}, new int[] {8, 9, 10});
        float[] keys = Values.of(3 * 128, 1);

        assertThat(run(write, 3, keys)).isEqualTo(expected(write, 3, keys));
    }

    @ParameterizedTest
    @EnumSource
    void rowsWithoutARequestWriteNothing(KvDtype dtype) {
        Case write = new Case(dtype, 128, 0, new int[] {-1, 0, -1, -1, 1, -1}, new int[] {0, 8, 9, 10, 7, 8});
        float[] keys = Values.of(6 * 128, 1);

        assertThat(run(write, 6, keys)).isEqualTo(expected(write, 6, keys));
    }

    @Test
    void theSameKeysInTwoStepsAreTheSameBytes() {
        float[] keys = Values.of(4 * 128, 1);
        Case whole = new Case(KvDtype.FP8, 128, 0, new int[4], new int[] {8, 9, 10, 11});
        LongArray slab = slab(whole);
        for (int t = 0; t < 4; t++) {
            Case one = new Case(KvDtype.FP8, 128, 0, new int[1], new int[] {8 + t});
            run(one, 1, Arrays.copyOfRange(keys, t * 128, (t + 1) * 128), slab);
        }

        assertThat(Fp8Matrix.bytes(slab)).isEqualTo(run(whole, 4, keys));
    }

    @Test
    void refusesKeysThatAreNotWholeLongs() {
        assertThatThrownBy(() -> new IndexKeyWrite.Shape(1, 12, 1, 1, 1, 4096)).hasMessageContaining("12 values");
    }

    private static byte[] expected(Case write, int rows, float[] keys) {
        byte[] bytes = new byte[BLOCKS * write.blockBytes()];
        Arrays.fill(bytes, (byte) -1);
        MemorySegment slab = MemorySegment.ofArray(bytes);
        for (int t = 0; t < rows; t++) {
            if (write.request()[t] < 0) {
                continue;
            }
            int slot = write.position()[t] % 64;
            if (write.dtype() == KvDtype.FP8 && slot % 2 == 0) {
                // The scale of the neighbour that is yet to come, if it isn't in the step.
                slab.set(ValueLayout.JAVA_INT_UNALIGNED, write.pageAt(t) + 64L * write.width() + (slot + 1) * 4L, 0);
            }
            write.format().write(keys, t * write.width(), slab, write.pageAt(t), slot);
        }
        return bytes;
    }

    private static LongArray slab(Case write) {
        LongArray slab = new LongArray(BLOCKS * write.blockBytes() / 8);
        slab.init(-1);
        return slab;
    }

    private static byte[] run(Case write, int rows, float[] keys) {
        if (write.dtype() != KvDtype.FP32) {
            LongArray slab = slab(write);
            run(write, rows, keys, slab);
            return Fp8Matrix.bytes(slab);
        }
        FloatArray slab = new FloatArray(BLOCKS * write.blockBytes() / 4);
        slab.init(Float.intBitsToFloat(-1));
        run(write, rows, keys, slab);
        byte[] bytes = new byte[BLOCKS * write.blockBytes()];
        MemorySegment.ofArray(bytes).copyFrom(slab.getSegment());
        return bytes;
    }

    private static void run(Case write, int rows, float[] keys, TornadoNativeArray slab) {
        IntArray counts = Values.counts(rows);
        IntArray request = IntArray.fromElements(write.request());
        IntArray position = IntArray.fromElements(write.position());
        IntArray indexTable = IntArray.fromElements(INDEX_TABLE);
        FloatArray key = FloatArray.fromArray(keys);
        FloatArray exponents = Exponents.table();
        IntArray anchor = IntArray.fromElements(write.anchor());
        IndexKeyWrite.Shape shape = new IndexKeyWrite.Shape(
                write.request().length,
                write.width(),
                MAX_INDEX_BLOCKS,
                PAGES,
                ANCHORS,
                write.blockBytes() / slab.getElementSize());
        Device.Piece piece = (graph, grids) -> {
            switch (write.dtype()) {
                case FP8 ->
                    IndexKeyWrite.appendFp8(
                            graph,
                            grids,
                            "write",
                            counts,
                            request,
                            position,
                            indexTable,
                            key,
                            exponents,
                            anchor,
                            (LongArray) slab,
                            shape);
                case BF16 ->
                    IndexKeyWrite.appendBf16(
                            graph,
                            grids,
                            "write",
                            counts,
                            request,
                            position,
                            indexTable,
                            key,
                            exponents,
                            anchor,
                            (LongArray) slab,
                            shape);
                case FP32 ->
                    IndexKeyWrite.appendFp32(
                            graph,
                            grids,
                            "write",
                            counts,
                            request,
                            position,
                            indexTable,
                            key,
                            anchor,
                            (FloatArray) slab,
                            shape);
            }
        };
        if (write.dtype() == KvDtype.FP32) {
            Device.run(piece, counts, request, position, indexTable, key, anchor, slab);
        } else {
            Device.run(piece, counts, request, position, indexTable, key, exponents, anchor, slab);
        }
    }
}
