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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexFormatTest {
    private static final int WIDTH = 128;
    private static final Goldens GOLDENS = Goldens.load("golden_kernels");

    @Test
    void writesTheGoldenPageInAnyOrder() {
        IndexFormat format = IndexFormat.of(KvDtype.FP8, WIDTH);
        float[] keys = GOLDENS.floats("index_page_in");
        byte[] page = new byte[format.pageBytes()];
        for (int i = 0; i < 64; i++) {
            int slot = i * 37 % 64;
            format.write(keys, slot * WIDTH, MemorySegment.ofArray(page), 0, slot);
        }
        assertThat(page).isEqualTo(GOLDENS.bytes("index_page_bytes"));
    }

    @Test
    void readsTheGoldenPage() {
        IndexFormat format = IndexFormat.of(KvDtype.FP8, WIDTH);
        byte[] page = GOLDENS.bytes("index_page_bytes");
        float[] scales = GOLDENS.floats("index_k_scale");
        float[] key = new float[WIDTH];
        for (int slot = 0; slot < 64; slot++) {
            format.read(MemorySegment.ofArray(page), 0, slot, key, 0);
            for (int i = 0; i < WIDTH; i++) {
                assertThat(key[i]).isEqualTo(E4m3.decode(page[slot * WIDTH + i]) * scales[slot]);
            }
        }
    }

    @Test
    void readsScalesThatAreNoPowersOfTwo() {
        byte[] page = new byte[IndexFormat.of(KvDtype.FP8, 2).pageBytes()];
        page[6] = 0x38;
        page[7] = (byte) 0xC1;
        ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN).putFloat(128 + 3 * 4, 0.3f);
        float[] key = new float[2];
        IndexFormat.of(KvDtype.FP8, 2).read(MemorySegment.ofArray(page), 0, 3, key, 0);
        assertThat(key).containsExactly(0.3f, -2.25f * 0.3f);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 128})
    void fp8KeysTakeTheLeastScaleAndTheNearestCodes(int width) {
        IndexFormat format = IndexFormat.of(KvDtype.FP8, width);
        Random random = new Random(width);
        float[] edges = {
            0f,
            Float.MIN_VALUE,
            1e-4f,
            Math.nextUp(1e-4f),
            448f / (1 << 22),
            Math.nextUp(448f / (1 << 22)),
            1f,
            448f,
            Math.nextUp(448f),
            Float.MAX_VALUE,
            Float.NaN,
            Float.NEGATIVE_INFINITY
        };
        byte[] page = new byte[format.pageBytes()];
        float[] key = new float[width];
        for (int slot = 0; slot < edges.length; slot++) {
            for (int i = 0; i < width; i++) {
                float finite = Float.isFinite(edges[slot]) ? edges[slot] : 2f;
                key[i] = finite * (1 - 2 * random.nextFloat());
            }
            key[width - 1] = edges[slot];
            format.write(key, 0, MemorySegment.ofArray(page), 0, slot);
            double scale = Fp8Reference.scale(key, 0, width, 1e-4 / 448);
            float stored = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN).getFloat(64 * width + 4 * slot);
            assertThat((double) stored).as("scale for %s", edges[slot]).isEqualTo(scale);
            for (int i = 0; i < width; i++) {
                assertThat(page[slot * width + i]).isEqualTo(Fp8Reference.code(key[i], scale));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FP8, 128, 8448",
        "BF16, 128, 16384",
        "FP32, 128, 32768",
        "FP8, 1, 320",
        "BF16, 1, 128",
        "FP32, 65, 16640"
    })
    void pagesHaveThePublishedSizes(KvDtype dtype, int width, int bytes) {
        assertThat(IndexFormat.of(dtype, width).pageBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP32"})
    void plainKeysLieOneAfterAnother(KvDtype dtype) {
        int width = 5;
        int valueBytes = dtype == KvDtype.BF16 ? 2 : 4;
        IndexFormat format = IndexFormat.of(dtype, width);
        byte[] page = new byte[format.pageBytes()];
        ByteBuffer view = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
        float[] key = {1.5f, -0f, Float.NaN, Float.MIN_VALUE, -3e38f};
        for (int slot = 0; slot < 64; slot += 9) {
            format.write(key, 0, MemorySegment.ofArray(page), 0, slot);
            for (int i = 0; i < width; i++) {
                int at = (slot * width + i) * valueBytes;
                float stored = dtype == KvDtype.BF16 ? Bf16.decode(view.getShort(at)) : view.getFloat(at);
                float expected = dtype == KvDtype.BF16 ? Bf16.decode(Bf16.encode(key[i])) : key[i];
                assertThat(stored).isEqualTo(Float.valueOf(expected));
            }
        }
    }

    /** One slot at an odd page offset, from and to the middle of arrays: only its bytes change, it reads back. */
    @ParameterizedTest
    @EnumSource
    void touchesItsOwnSlotOnly(KvDtype dtype) {
        int width = 3;
        IndexFormat format = IndexFormat.of(dtype, width);
        int valueBytes = (format.pageBytes() / 64 - (dtype == KvDtype.FP8 ? 4 : 0)) / width;
        float[] key = {9f, 0.5f, -1f, 2f, 9f};
        for (int slot : new int[] {0, 1, 62, 63}) {
            byte[] slab = new byte[format.pageBytes() + 5];
            Arrays.fill(slab, (byte) 0x55);
            format.write(key, 1, MemorySegment.ofArray(slab), 5, slot);
            for (int i = 0; i < slab.length; i++) {
                int inPage = i - 5;
                boolean isValue =
                        inPage >= 0 && inPage < 64 * width * valueBytes && inPage / (width * valueBytes) == slot;
                boolean isScale = inPage >= 64 * width * valueBytes && (inPage - 64 * width * valueBytes) / 4 == slot;
                if (!isValue && !isScale) {
                    assertThat(slab[i]).as("byte %d", i).isEqualTo((byte) 0x55);
                }
            }
            float[] back = {7f, 7f, 7f, 7f, 7f};
            format.read(MemorySegment.ofArray(slab), 5, slot, back, 2);
            assertThat(back).containsExactly(7f, 7f, 0.5f, -1f, 2f);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesSlotsOutsideThePage(KvDtype dtype) {
        IndexFormat format = IndexFormat.of(dtype, 4);
        MemorySegment slab = MemorySegment.ofArray(new byte[3 * format.pageBytes()]);
        for (int slot : new int[] {-1, 64, 1000}) {
            assertThatThrownBy(() -> format.write(new float[4], 0, slab, format.pageBytes(), slot))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> format.read(slab, format.pageBytes(), slot, new float[4], 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE, 1 << 23})
    void refusesWidthsWhosePageIsNoInt(int width) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IndexFormat.of(KvDtype.FP8, width))
                .withMessageContaining(String.valueOf(width));
    }

    @ParameterizedTest
    @EnumSource(KvDtype.class)
    void copiesTheFirstKeysAndNothingElse(KvDtype dtype) {
        IndexFormat format = IndexFormat.of(dtype, 10);
        float[] keys = new float[64 * 10];
        byte[] page = new byte[format.pageBytes()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (i % 7 - 3) * (1 << i / 10 % 20);
        }
        for (int slot = 0; slot < 64; slot++) {
            format.write(keys, slot * 10, MemorySegment.ofArray(page), 0, slot);
        }
        for (int count : new int[] {0, 1, 31, 63, 64}) {
            byte[] target = new byte[format.pageBytes()];
            format.copy(MemorySegment.ofArray(page), MemorySegment.ofArray(target), count);
            byte[] expected = new byte[format.pageBytes()];
            for (int slot = 0; slot < count; slot++) {
                format.write(keys, slot * 10, MemorySegment.ofArray(expected), 0, slot);
            }
            assertThat(target).isEqualTo(expected);
        }
    }
}
