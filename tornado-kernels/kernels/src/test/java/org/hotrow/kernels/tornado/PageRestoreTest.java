package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class PageRestoreTest {
    private static final int BLOCKS = WriteBackTest.BLOCKS;
    private static final int HOST_PAGES = WriteBackTest.HOST_PAGES;
    private static final int[] FROM = {4, 1, 2, 3};
    /** Both, rows only, keys only, and one that is not counted. */
    private static final int[] BLOCK = {3, 1, 0, 2};

    private static final int[] INDEX = {5 * 4 + 3, -1, 4 * 4 + 1, 5 * 4};

    private static final WriteBack.Shape FIRST = WriteBackTest.FIRST;
    private static final WriteBack.Shape SECOND = WriteBackTest.SECOND;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void bringsRowsAndKeysToTheirBlocks(int pages) {
        long[] host = hostPages();
        long[] first = slab(FIRST);
        long[] second = slab(SECOND);
        LongArray hostArray = LongArray.fromArray(host);
        LongArray firstSlab = LongArray.fromArray(first);
        LongArray secondSlab = LongArray.fromArray(second);
        IntArray count = IntArray.fromElements(pages);
        IntArray from = IntArray.fromArray(FROM);
        IntArray block = IntArray.fromArray(BLOCK);
        IntArray index = IntArray.fromArray(INDEX);

        Device.run(
                (graph, grids) -> {
                    PageRestore.append(graph, grids, "first", count, from, block, index, hostArray, firstSlab, FIRST);
                    PageRestore.append(
                            graph, grids, "second", count, from, block, index, hostArray, secondSlab, SECOND);
                },
                count,
                from,
                block,
                index,
                hostArray,
                firstSlab,
                secondSlab);

        PageRestore.reference(pages, FIRST, FROM, BLOCK, INDEX, host, first);
        PageRestore.reference(pages, SECOND, FROM, BLOCK, INDEX, host, second);
        assertThat(firstSlab.toHeapArray()).containsExactly(first);
        assertThat(secondSlab.toHeapArray()).containsExactly(second);
    }

    /** What went to the host comes back as it was, to other blocks. */
    @Test
    void undoesAWriteBack() {
        long[] slab = slab(SECOND);
        long[] host = new long[HOST_PAGES * SECOND.hostPageWords()];
        WriteBack.reference(1, SECOND, new int[] {2}, new int[] {4 * 4 + 1}, new int[] {3}, slab, host);
        long[] back = new long[slab.length];

        PageRestore.reference(1, SECOND, new int[] {3}, new int[] {1}, new int[] {5 * 4 + 2}, host, back);

        int block = SECOND.rowsWords();
        assertThat(Arrays.copyOfRange(back, block, 2 * block))
                .containsExactly(Arrays.copyOfRange(slab, 2 * block, 3 * block));
        assertThat(Arrays.copyOfRange(back, 5 * block + 2 * 60, 5 * block + 3 * 60))
                .containsExactly(Arrays.copyOfRange(slab, 4 * block + 60, 4 * block + 2 * 60));
    }

    private static long[] hostPages() {
        long[] host = new long[HOST_PAGES * FIRST.hostPageWords()];
        Arrays.setAll(host, i -> i);
        return host;
    }

    private static long[] slab(WriteBack.Shape shape) {
        long[] slab = new long[BLOCKS * shape.rowsWords()];
        Arrays.setAll(slab, i -> -1L - i);
        return slab;
    }
}
