package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class WriteBackTest {
    static final int BLOCKS = 6;
    static final int HOST_PAGES = 5;
    private static final int[] BLOCK = {3, 1, 2, 0};
    private static final int[] INDEX = {5 * 4 + 3, 5 * 4, 4 * 4 + 1, 0};
    private static final int[] TO = {4, 1, 2, 0};

    /** The first of two slabs: three of five layers, two of three anchors, more longs of a page than a group copies. */
    static final WriteBack.Shape FIRST = new WriteBack.Shape(4, 11, 60, 5, 0, 3, 3, 0, 2, 4);

    static final WriteBack.Shape SECOND = new WriteBack.Shape(4, 11, 60, 5, 3, 2, 3, 2, 1, 4);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void copiesRowsAndKeysOfSealedPagesToTheirHostPages(int pages) {
        long[] first = slab(FIRST, 1L << 40);
        long[] second = slab(SECOND, 1L << 41);
        long[] expected = new long[HOST_PAGES * FIRST.hostPageWords()];
        Arrays.fill(expected, -1);
        LongArray host = LongArray.fromArray(expected);
        IntArray count = IntArray.fromElements(pages);
        IntArray block = IntArray.fromArray(BLOCK);
        IntArray index = IntArray.fromArray(INDEX);
        IntArray to = IntArray.fromArray(TO);
        LongArray firstSlab = LongArray.fromArray(first);
        LongArray secondSlab = LongArray.fromArray(second);

        Device.run(
                (graph, grids) -> {
                    WriteBack.append(graph, grids, "first", count, block, index, to, firstSlab, host, FIRST);
                    WriteBack.append(graph, grids, "second", count, block, index, to, secondSlab, host, SECOND);
                },
                count,
                block,
                index,
                to,
                firstSlab,
                secondSlab,
                host);

        WriteBack.reference(pages, FIRST, BLOCK, INDEX, TO, first, expected);
        WriteBack.reference(pages, SECOND, BLOCK, INDEX, TO, second, expected);
        assertThat(host.toHeapArray()).containsExactly(expected);
    }

    @Test
    void aHostPageHasLayersThenAnchors() {
        long[] host = new long[FIRST.hostPageWords()];
        long[] slab = slab(SECOND, 0);

        WriteBack.reference(1, SECOND, new int[] {2}, new int[] {4 * 4 + 1}, new int[] {0}, slab, host);

        assertThat(host[3 * 64 * 11]).isEqualTo(2 * 2 * 64 * 11);
        assertThat(host[5 * 64 * 11 + 2 * 60]).isEqualTo(4 * 2 * 64 * 11 + 60);
    }

    @Test
    void refusesLayersOutsideOfTheHostPage() {
        assertThatThrownBy(() -> new WriteBack.Shape(1, 3, 60, 5, 3, 3, 3, 0, 1, 4))
                .hasMessageContaining("layers 3 + 3 of 5");
    }

    /** Each long holds its own index, and which slab it is of. */
    private static long[] slab(WriteBack.Shape shape, long of) {
        long[] slab = new long[BLOCKS * shape.rowsWords()];
        Arrays.setAll(slab, i -> of + i);
        return slab;
    }
}
