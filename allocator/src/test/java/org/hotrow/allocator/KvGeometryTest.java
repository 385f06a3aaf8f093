package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KvGeometryTest {
    private static final long MAX_SLAB_LONGS = 2_147_483_616L;
    private static final int FP8_ROW = 656;
    private static final int FP8_PAGE = 8448;

    /** 0, 1, 2, 6, 10, ..., 74: the layers of GLM-5.2 and 5.3 that run the indexer. */
    private static List<Integer> glm53Anchors() {
        List<Integer> anchors = new ArrayList<>(List.of(0, 1));
        for (int layer = 2; layer < 78; layer += 4) {
            anchors.add(layer);
        }
        return anchors;
    }

    private static List<Integer> all(int layers) {
        return IntStream.range(0, layers).boxed().toList();
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(";", -1)).map(Integer::valueOf).toList();
    }

    private static int[] layersPerSlab(KvGeometry geometry) {
        return IntStream.range(0, geometry.slabs()).map(geometry::layersIn).toArray();
    }

    /**
     * One slab holds 78 layers up to 5,246 blocks. Two slabs of 58 + 20 layers still hold 18 pages; from 7,056 blocks
     * on no slab holds 58 layers. The even cut 39 + 39 has 12 anchors in its first slab and 16 pages only.
     */
    @ParameterizedTest
    @CsvSource({
        "2, 18, 78",
        "5246, 18, 78",
        "5247, 18, 58;20",
        "7055, 18, 58;20",
        "7056, 17, 38;40",
        "10230, 17, 38;40",
        "10231, 16, 39;39",
        "10492, 16, 39;39",
        "10493, 17, 38;20;20"
    })
    void glm53HoldsThePublishedIndexTokens(int blocks, int pages, String layersPerSlab) {
        KvGeometry geometry = KvGeometry.of(78, glm53Anchors(), FP8_ROW, FP8_PAGE, blocks);
        assertThat(geometry.pagesPerIndexBlock()).isEqualTo(pages);
        assertThat(geometry.indexTokensPerBlock()).isEqualTo(64 * pages);
        assertThat(layersPerSlab(geometry))
                .isEqualTo(numbers(layersPerSlab).stream()
                        .mapToInt(Integer::intValue)
                        .toArray());
    }

    @Test
    void mtpLayerIsOneMoreAnchor() {
        List<Integer> anchors = new ArrayList<>(glm53Anchors());
        anchors.add(78);
        KvGeometry geometry = KvGeometry.of(79, anchors, FP8_ROW, FP8_PAGE, 100);
        assertThat(geometry.pagesPerIndexBlock()).isEqualTo(79 * 64 * 656 / (22 * 8448));
        assertThat(geometry.bytes()).isEqualTo(100L * 79 * 64 * 656);
    }

    @ParameterizedTest
    @CsvSource({"78, 100", "61, 100", "61, 8000", "79, 6000", "78, 409200"})
    void modelsThatIndexEveryLayerHold256TokensHoweverTheyAreCut(int layers, int blocks) {
        KvGeometry geometry = KvGeometry.of(layers, all(layers), FP8_ROW, FP8_PAGE, blocks);
        assertThat(geometry.pagesPerIndexBlock()).isEqualTo(4);
        assertThat(geometry.indexTokensPerBlock()).isEqualTo(256);
    }

    /** The last four have rows so long that two blocks take several slabs. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 16, 64, 2, 1",
        "3, 0;1;2, 8, 64, 5, 1",
        "4, 0;3, 24, 128, 3, 1",
        "5, 0;1;4, 656, 8448, 2, 1",
        "5, 2, 8, 192, 4, 1",
        "61, 0;1;7;60, 8, 64, 3, 1",
        "78, 0;40, 8, 320, 2, 1",
        "79, 0;1;2;78, 16, 1600, 2, 1",
        "5, 0;1;4, 33554432, 134217728, 3, 3",
        "4, 1;2;3, 33554432, 67108864, 3, 2",
        "4, 0;1;2;3, 16777216, 16777224, 5, 2",
        "79, 0;1;2;30;31;78, 33554432, 268435456, 2, 27"
    })
    void everyRowAndPageHasBytesOfItsOwn(
            int layers, String anchorList, int rowBytes, int pageBytes, int blocks, int slabs) {
        List<Integer> anchors = numbers(anchorList);
        KvGeometry geometry = KvGeometry.of(layers, anchors, rowBytes, pageBytes, blocks);
        assertThat(geometry.slabs()).isEqualTo(slabs);
        assertRowsFillTheSlabs(geometry, layers, rowBytes, blocks);
        for (int block = 0; block < blocks; block++) {
            assertPagesStayInBlock(geometry, anchors, pageBytes, block);
        }
    }

    private static void assertRowsFillTheSlabs(KvGeometry geometry, int layers, int rowBytes, int blocks) {
        BitSet[] taken = nothingTaken(geometry);
        for (int layer = 0; layer < layers; layer++) {
            int slab = geometry.slabOf(layer);
            for (int row = 0; row < blocks * 64; row++) {
                long blockStart = row / 64 * geometry.blockBytes(slab);
                long expected = blockStart + (geometry.layerInSlab(layer) * 64L + row % 64) * rowBytes;
                assertThat(geometry.rowOffset(layer, row)).isEqualTo(expected);
                take(taken[slab], expected, rowBytes, geometry.slabBytes(slab));
            }
        }
        for (int slab = 0; slab < geometry.slabs(); slab++) {
            assertThat((long) taken[slab].cardinality() * rowBytes).isEqualTo(geometry.slabBytes(slab));
        }
    }

    private static void assertPagesStayInBlock(KvGeometry geometry, List<Integer> anchors, int pageBytes, int block) {
        BitSet[] taken = nothingTaken(geometry);
        for (int anchor : anchors) {
            int slab = geometry.slabOf(anchor);
            for (int page = 0; page < geometry.pagesPerIndexBlock(); page++) {
                long inBlock = geometry.indexPageOffset(anchor, block, page) - block * geometry.blockBytes(slab);
                take(taken[slab], inBlock, pageBytes, geometry.blockBytes(slab));
            }
        }
    }

    private static BitSet[] nothingTaken(KvGeometry geometry) {
        return IntStream.range(0, geometry.slabs())
                .mapToObj(slab -> new BitSet())
                .toArray(BitSet[]::new);
    }

    /** Takes one cell of {@code bytes} of those that start at 0 and lie side by side up to {@code end}. */
    private static void take(BitSet taken, long from, int bytes, long end) {
        assertThat(from).isNotNegative();
        assertThat(from % bytes).isZero();
        assertThat(from + bytes).isLessThanOrEqualTo(end);
        int cell = Math.toIntExact(from / bytes);
        assertThat(taken.get(cell)).as("cell %d is taken", cell).isFalse();
        taken.set(cell);
    }

    /** Page by page, the anchors of a slab side by side, counted from 0 in every slab. */
    @Test
    void pagesLieAnchorByAnchor() {
        // Two slabs of layers 0..1 and 2..3; a block of each is 2 x 64 x 8 bytes.
        int blocks = (int) (MAX_SLAB_LONGS / 64 / 2);
        KvGeometry geometry = KvGeometry.of(4, List.of(0, 1, 2), 8, 64, blocks);
        assertThat(layersPerSlab(geometry)).containsExactly(2, 2);
        assertThat(geometry.pagesPerIndexBlock()).isEqualTo(8);
        assertThat(geometry.indexPageOffset(0, 3, 5)).isEqualTo(3 * 1024 + (5 * 2 + 0) * 64);
        assertThat(geometry.indexPageOffset(1, 3, 5)).isEqualTo(3 * 1024 + (5 * 2 + 1) * 64);
        assertThat(geometry.indexPageOffset(2, 3, 5)).isEqualTo(3 * 1024 + 5 * 64);
    }

    @ParameterizedTest
    @CsvSource({"78, 5244", "78, 5246", "61, 6708", "1, 409200", "4, 102300", "5, 409200", "79, 30000"})
    void largestPoolsStayBelowTheSlabLimitInLongArithmetic(int layers, int blocks) {
        KvGeometry geometry = KvGeometry.of(layers, all(layers), FP8_ROW, FP8_PAGE, blocks);
        long bytes = 0;
        for (int slab = 0; slab < geometry.slabs(); slab++) {
            long end = geometry.slabBytes(slab);
            assertThat(end).isEqualTo(geometry.layersIn(slab) * 64L * 656 * blocks);
            assertThat(end / 8).isLessThanOrEqualTo(MAX_SLAB_LONGS);
            bytes += end;
        }
        assertThat(geometry.bytes()).isEqualTo(bytes).isEqualTo(layers * 64L * 656 * blocks);
        int last = layers - 1;
        int slab = geometry.slabOf(last);
        assertThat(geometry.rowOffset(last, blocks * 64 - 1)).isEqualTo(geometry.slabBytes(slab) - 656);
        assertThat(geometry.indexPageOffset(last, blocks - 1, 3))
                .isGreaterThanOrEqualTo((blocks - 1) * geometry.blockBytes(slab))
                .isLessThanOrEqualTo(geometry.slabBytes(slab) - FP8_PAGE);
    }

    @Test
    void opensASlabWhenOneMoreBlockWouldNotFit() {
        assertThat(KvGeometry.of(2, all(2), 8, 64, 16_777_215).slabs()).isEqualTo(1);
        assertThat(KvGeometry.of(2, all(2), 8, 64, 16_777_216).slabs()).isEqualTo(2);
    }

    @Test
    void refusesAPoolBeyondOneLayerPerSlabWithTheNumbers() {
        assertThat(KvGeometry.of(78, glm53Anchors(), FP8_ROW, FP8_PAGE, 409_200).slabs())
                .isEqualTo(78);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KvGeometry.of(78, glm53Anchors(), FP8_ROW, FP8_PAGE, 409_201))
                .withMessageContaining("409201 blocks")
                .withMessageContaining("656-byte rows")
                .withMessageContaining("2147483616 longs")
                .withMessageContaining("409200 blocks");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KvGeometry.of(1, all(1), 2_147_483_640, 8, Integer.MAX_VALUE))
                .withMessageContaining("2147483647 blocks");
    }

    @Test
    void refusesBlocksTooSmallForAnIndexPageOfEachAnchor() {
        assertThat(KvGeometry.of(1, all(1), FP8_ROW, 64 * FP8_ROW, 2).pagesPerIndexBlock())
                .isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KvGeometry.of(1, all(1), FP8_ROW, 64 * FP8_ROW + 8, 2))
                .withMessageContaining("1 layers x 64 rows x 656 bytes")
                .withMessageContaining("41992 bytes")
                .withMessageContaining("1 anchors");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, -1})
    void refusesAPoolOfTheNullBlockAlone(int blocks) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KvGeometry.of(3, all(3), FP8_ROW, FP8_PAGE, blocks))
                .withMessageContaining("blocks")
                .withMessageContaining("" + blocks);
    }

    @Test
    void refusesBadLayersAndSizes() {
        assertThatIllegalArgumentException().isThrownBy(() -> KvGeometry.of(0, List.of(), 8, 64, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> KvGeometry.of(100_000, List.of(0), 8, 64, 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KvGeometry.of(3, List.of(), 8, 64, 2))
                .withMessageContaining("no anchor");
        for (List<Integer> anchors : List.of(List.of(3), List.of(-1), List.of(1, 0), List.of(0, 0))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KvGeometry.of(3, anchors, 8, 64, 2))
                    .withMessageContaining(anchors.toString());
        }
        for (int bytes : new int[] {0, -8, 4, 660}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KvGeometry.of(3, List.of(0), bytes, 64, 2))
                    .withMessageContaining("row of " + bytes);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KvGeometry.of(3, List.of(0), 8, bytes, 2))
                    .withMessageContaining("index page of " + bytes);
        }
    }

    @Test
    void refusesRowsAndPagesThatDoNotExist() {
        KvGeometry geometry = KvGeometry.of(4, List.of(0, 2), 8, 64, 3);
        for (int row : new int[] {-1, 3 * 64}) {
            assertThatThrownBy(() -> geometry.rowOffset(0, row)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        for (int layer : new int[] {-1, 4}) {
            assertThatThrownBy(() -> geometry.rowOffset(layer, 64)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        int pages = geometry.pagesPerIndexBlock();
        assertThatThrownBy(() -> geometry.indexPageOffset(0, 3, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> geometry.indexPageOffset(0, -1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> geometry.indexPageOffset(0, 1, pages)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> geometry.indexPageOffset(1, 1, 0))
                .withMessageContaining("layer 1");
    }
}
