package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowFormatTest {
    private static final int WIDTH = 576;
    private static final int BYTES = 656;
    private static final RowFormat FP8 = RowFormat.of(KvDtype.FP8, 512, 64);
    private static final Goldens GOLDENS = Goldens.load("golden_kernels");

    @Test
    void writesGoldenFp8Rows() {
        float[] rows = GOLDENS.floats("ds_mla_in");
        byte[] slab = new byte[8 * BYTES];
        for (int i = 0; i < 8; i++) {
            FP8.write(rows, i * WIDTH, MemorySegment.ofArray(slab), (long) i * BYTES);
        }
        assertThat(slab).isEqualTo(GOLDENS.bytes("ds_mla_bytes_pow2scale"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pow2scale", "f32scale"})
    void readsGoldenFp8RowsOfAnyScale(String scales) {
        MemorySegment slab = MemorySegment.ofArray(GOLDENS.bytes("ds_mla_bytes_" + scales));
        float[] rows = new float[8 * WIDTH];
        for (int i = 0; i < 8; i++) {
            FP8.read(slab, (long) i * BYTES, rows, i * WIDTH);
        }
        assertThat(rows).isEqualTo(GOLDENS.floats("ds_mla_deq_" + scales));
    }

    /** Tiles whose largest magnitude is at, just below and just above 448 times a power of two, zeros and extremes. */
    @Test
    void fp8TilesTakeTheLeastScaleAndTheNearestCodes() {
        float floor = 1e-4f;
        float[] edges = {
            0f,
            -0f,
            Float.MIN_VALUE,
            Float.MIN_NORMAL,
            448 * floor,
            Math.nextUp(448 * floor),
            448f / 8192,
            Math.nextUp(448f / 8192),
            Math.nextDown(448f),
            448f,
            Math.nextUp(448f),
            -896f,
            Math.nextUp(896f),
            1e30f,
            Float.MAX_VALUE,
            Math.scalb(448f, 110),
            Math.nextUp(Math.scalb(448f, 110))
        };
        Random random = new Random(1);
        float[] row = new float[WIDTH];
        byte[] slab = new byte[BYTES];
        for (float edge : edges) {
            for (int i = 0; i < 512; i++) {
                row[i] = edge * (1 - 2 * random.nextFloat()) * Math.scalb(1f, -random.nextInt(20));
            }
            row[5] = -0f;
            row[128 + 7] = edge;
            row[256 + 127] = -edge;
            FP8.write(row, 0, MemorySegment.ofArray(slab), 0);
            assertTiles(row, slab, floor);
        }
    }

    @Test
    void fp8StoresWhatIsNotFiniteAsNaNAndSparesItsNeighbours() {
        float[] row = new float[WIDTH];
        Arrays.fill(row, 3f);
        row[0] = Float.NaN;
        row[130] = Float.POSITIVE_INFINITY;
        row[260] = Float.NEGATIVE_INFINITY;
        Arrays.fill(row, 384, 512, Float.NaN);
        row[512] = Float.NaN;
        row[513] = Float.NEGATIVE_INFINITY;
        byte[] slab = new byte[BYTES];
        FP8.write(row, 0, MemorySegment.ofArray(slab), 0);
        assertTiles(row, slab, 1e-4f);
        float[] back = new float[WIDTH];
        FP8.read(MemorySegment.ofArray(slab), 0, back, 0);
        for (int i = 0; i < 512; i++) {
            Float expected = Float.isFinite(row[i]) ? 3f : Float.NaN;
            assertThat(back[i]).as("value %d", i).isEqualTo(expected);
        }
        assertThat(back[512]).isNaN();
        assertThat(back[513]).isEqualTo(Float.NEGATIVE_INFINITY);
    }

    private static void assertTiles(float[] row, byte[] slab, float floor) {
        ByteBuffer scales = ByteBuffer.wrap(slab).order(ByteOrder.LITTLE_ENDIAN);
        for (int tile = 0; tile < 4; tile++) {
            double scale = Fp8Reference.scale(row, tile * 128, 128, floor);
            assertThat((double) scales.getFloat(512 + 4 * tile))
                    .as("scale %d", tile)
                    .isEqualTo(scale);
            for (int i = tile * 128; i < tile * 128 + 128; i++) {
                assertThat(slab[i]).as("value %s / %s", row[i], scale).isEqualTo(Fp8Reference.code(row[i], scale));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "512, 64, 1152, 2304",
        "1, 3, 8, 16",
        "4, 0, 8, 16",
        "63, 1, 128, 256",
        "64, 64, 256, 512",
        "65, 63, 256, 512"
    })
    void plainRowsAreTheValuesOneAfterAnother(int latent, int rope, int bf16Bytes, int fp32Bytes) {
        float[] row = awkward(latent + rope);
        RowFormat bf16 = RowFormat.of(KvDtype.BF16, latent, rope);
        RowFormat fp32 = RowFormat.of(KvDtype.FP32, latent, rope);
        assertThat(bf16.rowBytes()).isEqualTo(bf16Bytes);
        assertThat(fp32.rowBytes()).isEqualTo(fp32Bytes);
        ByteBuffer expectedBf16 = ByteBuffer.allocate(bf16Bytes).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer expectedFp32 = ByteBuffer.allocate(fp32Bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : row) {
            expectedBf16.putShort(Bf16.encode(value));
            expectedFp32.putInt(Float.floatToRawIntBits(value));
        }
        assertThat(written(bf16, row)).isEqualTo(expectedBf16.array());
        assertThat(written(fp32, row)).isEqualTo(expectedFp32.array());
    }

    private static byte[] written(RowFormat format, float[] row) {
        byte[] slab = new byte[format.rowBytes()];
        format.write(row, 0, MemorySegment.ofArray(slab), 0);
        return slab;
    }

    /** Rows at an odd offset, from and to the middle of arrays, in a slab and arrays full of other bytes. */
    @ParameterizedTest
    @CsvSource({"FP8, 512, 64", "BF16, 512, 64", "FP32, 512, 64", "BF16, 3, 1", "FP32, 1, 1"})
    void touchesItsOwnBytesAndValuesOnly(KvDtype dtype, int latent, int rope) {
        RowFormat format = RowFormat.of(dtype, latent, rope);
        int width = latent + rope;
        float[] source = awkward(width + 7);
        byte[] alone = written(format, Arrays.copyOfRange(source, 5, 5 + width));
        byte[] slab = new byte[format.rowBytes() + 10];
        Arrays.fill(slab, (byte) 0xFF);
        format.write(source, 5, MemorySegment.ofArray(slab), 3);
        assertThat(Arrays.copyOfRange(slab, 3, 3 + alone.length)).isEqualTo(alone);
        assertThat(Arrays.copyOfRange(slab, 0, 3)).containsOnly(0xFF);
        assertThat(Arrays.copyOfRange(slab, 3 + alone.length, slab.length)).containsOnly(0xFF);

        float[] expected = new float[width];
        format.read(MemorySegment.ofArray(alone), 0, expected, 0);
        float[] target = new float[width + 4];
        Arrays.fill(target, -77f);
        format.read(MemorySegment.ofArray(slab), 3, target, 2);
        assertThat(Arrays.copyOfRange(target, 2, 2 + width)).isEqualTo(expected);
        assertThat(new float[] {target[0], target[1], target[width + 2], target[width + 3]})
                .containsOnly(-77f);
    }

    @Test
    void fp32ReadsBackTheSameBits() {
        float[] row = awkward(WIDTH);
        float[] back = new float[WIDTH];
        RowFormat format = RowFormat.of(KvDtype.FP32, 512, 64);
        format.read(MemorySegment.ofArray(written(format, row)), 0, back, 0);
        for (int i = 0; i < WIDTH; i++) {
            assertThat(Float.floatToRawIntBits(back[i])).isEqualTo(Float.floatToRawIntBits(row[i]));
        }
    }

    @Test
    void refusesOtherFp8WidthsNamingBoth() {
        for (int[] widths : new int[][] {{512, 0}, {448, 64}, {64, 512}, {512, 128}, {513, 63}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RowFormat.of(KvDtype.FP8, widths[0], widths[1]))
                    .withMessageContaining("latent 512 and rope 64")
                    .withMessageContaining("latent " + widths[0] + " and rope " + widths[1]);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BF16, 3, 0",
        "BF16, 512, 65",
        "FP32, 512, 65",
        "FP32, 0, 64",
        "BF16, 8, -4",
        "FP32, 2147483647, 1",
        "FP32, 2147483647, 2147483647"
    })
    void refusesRowsThatAreNotWholeLongs(KvDtype dtype, int latent, int rope) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowFormat.of(dtype, latent, rope))
                .withMessageContaining("latent " + latent + " and rope " + rope);
    }

    @ParameterizedTest
    @CsvSource({"FP8", "BF16", "FP32"})
    void refusesToLeaveTheSlab(KvDtype dtype) {
        RowFormat format = RowFormat.of(dtype, 512, 64);
        MemorySegment slab = MemorySegment.ofArray(new byte[format.rowBytes()]);
        float[] row = new float[WIDTH];
        assertThatThrownBy(() -> format.write(row, 0, slab, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> format.read(slab, 8, row, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> format.read(slab, -1, row, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static float[] awkward(int count) {
        float[] special = {
            0f,
            -0f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE,
            -Float.MIN_VALUE,
            Float.MIN_NORMAL,
            Float.MAX_VALUE,
            1f,
            Math.nextUp(1f)
        };
        Random random = new Random(count);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = i % 3 == 0 ? special[i / 3 % special.length] : (float) random.nextGaussian();
        }
        return values;
    }
}
