package org.hotrow.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.Stream;
import org.hotrow.kernels.E4m3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Matrices of every packing and awkward shape: what is packed, decoded and multiplied, against the definition. */
class PackedMatrixTest {
    private static final double EPS32 = Math.ulp(1f);
    private static final int[][] SHAPES = {
        {1, 1, 0},
        {15, 127, 0},
        {16, 128, 0},
        {17, 129, 0},
        {64, 130, 0},
        {33, 257, 0},
        {40, 192, 64},
        {31, 200, 77},
        {16, 3, 126}
    };

    private static Stream<Arguments> cases() {
        return Stream.of(Packing.values()).flatMap(p -> Stream.of(SHAPES).map(s -> Arguments.of(p, s[0], s[1], s[2])));
    }

    /** The bytes of a matrix, its scales and the values that both mean, for tests of what is built on it. */
    private static final class Fixture {
        final Packing packing;
        final int phase;
        final byte[] bytes;
        final float[][] scales;
        final float[][] values;

        Fixture(Packing packing, int rows, int cols, int phase) {
            this.packing = packing;
            this.phase = phase;
            Random random = new Random(rows * 1000L + cols);
            bytes = new byte[rows * cols * packing.bytes()];
            random.nextBytes(bytes);
            values = new float[rows][cols];
            scales = new float[rows][(cols + phase + 127) / 128];
            for (int r = 0; r < rows; r++) {
                for (int s = 0; s < scales[r].length; s++) {
                    scales[r][s] = packing == Packing.E4M3 ? 0.01f + random.nextFloat() : 1;
                }
                for (int c = 0; c < cols; c++) {
                    int at = (r * cols + c) * packing.bytes();
                    values[r][c] = element(packing, bytes, at, random) * scales[r][(c + phase) / 128];
                }
            }
        }

        private static float element(Packing packing, byte[] bytes, int at, Random random) {
            MemorySegment segment = MemorySegment.ofArray(bytes);
            float normal = (float) random.nextGaussian();
            if (packing == Packing.E4M3) {
                if ((bytes[at] & 0x7F) == 0x7F) {
                    bytes[at] = (byte) 0x80;
                }
                return E4m3.decode(bytes[at]);
            }
            if (packing == Packing.BF16) {
                int upper = Float.floatToRawIntBits(normal) >>> 16;
                segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) upper);
                return Float.intBitsToFloat(upper << 16);
            }
            segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, normal);
            return normal;
        }

        PackedMatrix pack(Arena arena) {
            MatrixPacker packer = new MatrixPacker(arena);
            int rows = values.length;
            int cols = values[0].length;
            int rowBytes = cols * packing.bytes();
            MatrixPacker.Source source = (first, count, to) ->
                    MemorySegment.copy(MemorySegment.ofArray(bytes), (long) first * rowBytes, to, 0, to.byteSize());
            return packing == Packing.E4M3
                    ? packer.packE4m3(rows, cols, phase, (r, s) -> scales[r][s], source)
                    : packer.pack(packing, rows, cols, source);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rowsAreWhatWasPacked(Packing packing, int rows, int cols, int phase) {
        Fixture f = new Fixture(packing, rows, cols, phase);
        try (Arena arena = Arena.ofConfined()) {
            PackedMatrix matrix = f.pack(arena);
            float[] row = new float[cols + 2];
            for (int r = 0; r < rows; r++) {
                matrix.row(r, row, 1);
                for (int c = 0; c < cols; c++) {
                    assertThat(row[1 + c]).as("[%d, %d]", r, c).isEqualTo((Float) f.values[r][c]);
                }
            }
            assertThat(row[0]).isZero();
            assertThat(row[cols + 1]).isZero();
        }
    }

    /** A lone row of x takes another way than several; both providers have to give one result in the bits. */
    @ParameterizedTest
    @MethodSource("cases")
    void productsAreCloseToDoubleSumsAndTheSameByEveryWay(Packing packing, int rows, int cols, int phase) {
        Fixture f = new Fixture(packing, rows, cols, phase);
        Random random = new Random(5);
        float[] x = new float[3 * cols];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (random.nextGaussian() * (i % 13 == 0 ? 100 : 1));
        }
        try (Arena arena = Arena.ofConfined()) {
            PackedMatrix matrix = f.pack(arena);
            float[] alone = multiply(Lanes.plain(), matrix, x, 3, false);
            for (int t = 0; t < 3; t++) {
                for (int r = 0; r < rows; r++) {
                    double sum = 0;
                    double magnitude = 0;
                    for (int c = 0; c < cols; c++) {
                        sum += (double) f.values[r][c] * x[t * cols + c];
                        magnitude += Math.abs((double) f.values[r][c] * x[t * cols + c]);
                    }
                    double error = Math.abs(alone[t * matrix.panels() * 16 + r] - sum);
                    assertThat(error).as("[%d] of row %d", r, t).isLessThanOrEqualTo(8 * EPS32 * magnitude);
                }
            }
            assertThat(bits(multiply(Lanes.plain(), matrix, x, 3, true))).isEqualTo(bits(alone));
            assertThat(bits(multiply(Lanes.vector(), matrix, x, 3, true))).isEqualTo(bits(alone));
            assertThat(bits(multiply(Lanes.vector(), matrix, x, 3, false))).isEqualTo(bits(alone));
        }
    }

    private static float[] multiply(Lanes lanes, PackedMatrix matrix, float[] x, int rows, boolean together) {
        float[] scaled = new float[x.length];
        lanes.scale(x, 0, matrix.inputFactor(together ? 3 : 1), scaled, 0, x.length);
        int stride = matrix.panels() * 16;
        float[] out = new float[rows * stride];
        float[] block = new float[PackedMatrix.SEGMENT * 16];
        float[] partial = new float[rows * 16];
        for (int p = 0; p < matrix.panels(); p++) {
            float[] sums = new float[rows * 16];
            for (int s = 0; s < matrix.segments(); s++) {
                int at = matrix.column(s);
                int n = matrix.column(s + 1) - at;
                if (together) {
                    lanes.decode(matrix, p, s, block);
                    lanes.tile(block, 0, 16, n, scaled, at, matrix.cols(), rows, partial, 0, 16);
                    lanes.addTiles(partial, rows, matrix.scales(), matrix.scaleAt(p, s), sums);
                } else {
                    for (int t = 0; t < rows; t += Lanes.FEW_ROWS) {
                        int few = Math.min(Lanes.FEW_ROWS, rows - t);
                        int from = t * matrix.cols() + at;
                        lanes.decodeTile(matrix, p, s, scaled, from, matrix.cols(), few, sums, t * 16);
                    }
                }
            }
            for (int t = 0; t < rows; t++) {
                System.arraycopy(sums, t * 16, out, t * stride + p * 16, 16);
            }
        }
        return out;
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }

    @Test
    void refusesNaNCodesByPlace() {
        for (int col : new int[] {0, 1, 2, 3, 4, 129}) {
            for (byte code : new byte[] {0x7F, (byte) 0xFF}) {
                byte[] bytes = new byte[20 * 130];
                bytes[17 * 130 + col] = code;
                MatrixPacker.Source source = (first, count, to) ->
                        MemorySegment.copy(MemorySegment.ofArray(bytes), first * 130L, to, 0, to.byteSize());
                try (Arena arena = Arena.ofConfined()) {
                    MatrixPacker packer = new MatrixPacker(arena);
                    assertThatThrownBy(() -> packer.packE4m3(20, 130, 0, (r, s) -> 1, source))
                            .isInstanceOf(MatrixPacker.NanException.class)
                            .hasMessage("NaN at [17, " + col + "]");
                }
            }
        }
    }

    @Test
    void codesNextToNaNPass() {
        byte[] bytes = {0x7E, (byte) 0xFE, (byte) 0x80, 0, (byte) 0xFE, 0x7E, 0x7E, 0x7E};
        MatrixPacker.Source source =
                (first, count, to) -> MemorySegment.copy(MemorySegment.ofArray(bytes), 0, to, 0, to.byteSize());
        try (Arena arena = Arena.ofConfined()) {
            float[] row = new float[8];
            new MatrixPacker(arena).packE4m3(1, 8, 0, (r, s) -> 1, source).row(0, row, 0);
            assertThat(row).containsExactly(448, -448, -0f, 0, -448, 448, 448, 448);
        }
    }
}
