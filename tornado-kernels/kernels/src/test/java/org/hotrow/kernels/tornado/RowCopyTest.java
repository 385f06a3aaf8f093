package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Parts of a step leave rows behind each other, and rows are taken from anywhere among them. */
class RowCopyTest {
    private static final int UNTOUCHED = 77;
    private static final int[] ROWS = {8, 0, 3, 8, 5};

    private static int[] ints(int count, int seed) {
        return IntStream.range(0, count).map(i -> seed + i * 0x9E3779B9).toArray();
    }

    private static IntArray counts(int rows, int first) {
        return IntArray.fromElements(rows, 0, 0, 0, 0, first, 0, 0);
    }

    private static RowCopy.Shape shape(int maxRows, int width) {
        return new RowCopy.Shape(maxRows, 9, width);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 4, 63", "5, 5, 256", "0, 2, 64", "2, 3, 257", "4, 5, 1030"})
    void takesRows(int rows, int maxRows, int width) {
        float[] values = Values.of(9 * width, 1);
        IntArray counts = counts(rows, 1);
        IntArray row = IntArray.fromArray(Arrays.copyOf(ROWS, maxRows));
        FloatArray all = FloatArray.fromArray(values);
        FloatArray out = new FloatArray(maxRows * width);
        out.init(UNTOUCHED);
        IntArray allInts = IntArray.fromArray(ints(9 * width, 5));
        IntArray outInts = new IntArray(maxRows * width);
        outInts.init(UNTOUCHED);

        Device.run(
                (graph, grids) -> {
                    RowCopy.appendTake(graph, grids, "floats", counts, row, all, out, shape(maxRows, width));
                    RowCopy.appendTake(graph, grids, "ints", counts, row, allInts, outInts, shape(maxRows, width));
                },
                counts,
                row,
                all,
                out,
                allInts,
                outInts);

        float[] expected = new float[maxRows * width];
        Arrays.fill(expected, UNTOUCHED);
        RowCopy.referenceTake(rows, width, ROWS, values, expected);
        assertThat(out.toHeapArray()).containsExactly(expected);
        int[] expectedInts = new int[maxRows * width];
        Arrays.fill(expectedInts, UNTOUCHED);
        RowCopy.referenceTake(rows, width, ROWS, ints(9 * width, 5), expectedInts);
        assertThat(outInts.toHeapArray()).containsExactly(expectedInts);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0, 1", "3, 4, 2, 63", "5, 5, 4, 256", "0, 2, 3, 64", "2, 3, 7, 257", "4, 5, 1, 1030"})
    void keepsRowsBehindThoseOfThePartsBefore(int rows, int maxRows, int first, int width) {
        float[] values = Values.of(maxRows * width, 1);
        IntArray counts = counts(rows, first);
        FloatArray x = FloatArray.fromArray(values);
        FloatArray all = new FloatArray(9 * width);
        all.init(UNTOUCHED);
        IntArray xInts = IntArray.fromArray(ints(maxRows * width, 6));
        IntArray allInts = new IntArray(9 * width);
        allInts.init(UNTOUCHED);

        Device.run(
                (graph, grids) -> {
                    RowCopy.appendKeep(graph, grids, "floats", counts, x, all, shape(maxRows, width));
                    RowCopy.appendKeep(graph, grids, "ints", counts, xInts, allInts, shape(maxRows, width));
                },
                counts,
                x,
                all,
                xInts,
                allInts);

        float[] expected = new float[9 * width];
        Arrays.fill(expected, UNTOUCHED);
        RowCopy.referenceKeep(rows, width, first, values, expected);
        assertThat(all.toHeapArray()).containsExactly(expected);
        int[] expectedInts = new int[9 * width];
        Arrays.fill(expectedInts, UNTOUCHED);
        RowCopy.referenceKeep(rows, width, first, ints(maxRows * width, 6), expectedInts);
        assertThat(allInts.toHeapArray()).containsExactly(expectedInts);
    }

    @Test
    void refusesAPartThatIsLargerThanTheStep() {
        assertThatThrownBy(() -> new RowCopy.Shape(3, 2, 4)).hasMessageContaining("copy of 3 of 2 rows");
        assertThatThrownBy(() -> new RowCopy.Shape(1, 1, 0)).hasMessageContaining("of 0 values");
    }
}
