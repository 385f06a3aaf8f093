package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class RowJoinTest {
    private static final float UNTOUCHED = 77;

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 4, 63", "5, 5, 256", "0, 2, 64", "2, 3, 257"})
    void putsTheRightRowBehindTheLeftOne(int rows, int maxRows, int width) {
        float[] left = Values.of(maxRows * width, 1);
        float[] right = Values.of(maxRows * width, 2);
        RowJoin.Shape shape = new RowJoin.Shape(maxRows, width);
        IntArray counts = Values.counts(rows);
        FloatArray lefts = FloatArray.fromArray(left);
        FloatArray rights = FloatArray.fromArray(right);
        FloatArray out = new FloatArray(2 * maxRows * width);
        out.init(UNTOUCHED);

        Device.run(
                (graph, grids) -> RowJoin.append(graph, grids, "join", counts, lefts, rights, out, shape),
                counts,
                lefts,
                rights,
                out);

        float[] expected = new float[2 * maxRows * width];
        Arrays.fill(expected, UNTOUCHED);
        RowJoin.reference(rows, width, left, right, expected);
        assertThat(out.toHeapArray()).containsExactly(expected);
    }
}
