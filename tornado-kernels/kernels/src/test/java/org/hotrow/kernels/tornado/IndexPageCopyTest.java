package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class IndexPageCopyTest {
    private static final int[] FROM = {3 * 4 + 3, 4 * 4, 3 * 4};
    private static final int[] TO = {5 * 4 + 3, 2 * 4, 5 * 4};

    /** Two anchors of three, keys of more than a group. */
    private static final WriteBack.Shape SHAPE = new WriteBack.Shape(3, 11, 140, 5, 0, 3, 3, 0, 2, 4);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void copiesTheKeysOfAllAnchors(int pages) {
        long[] expected = new long[6 * SHAPE.rowsWords()];
        Arrays.setAll(expected, i -> i);
        LongArray slab = LongArray.fromArray(expected);
        IntArray count = IntArray.fromElements(pages);
        IntArray from = IntArray.fromArray(FROM);
        IntArray to = IntArray.fromArray(TO);

        Device.run(
                (graph, grids) -> IndexPageCopy.append(graph, grids, "copy", count, from, to, slab, SHAPE),
                count,
                from,
                to,
                slab);

        IndexPageCopy.reference(pages, SHAPE, FROM, TO, expected);
        assertThat(slab.toHeapArray()).containsExactly(expected);
        if (pages > 0) {
            int block = SHAPE.rowsWords();
            assertThat(slab.get(5 * block + 3 * 280 + 279)).isEqualTo(3L * block + 3 * 280 + 279);
        }
    }
}
