package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class ResidualTest {
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 4, 63", "3, 3, 64", "2, 5, 65", "0, 2, 128", "5, 5, 257"})
    void addsTheUpdateOfEachRowOfTheStep(int rows, int maxRows, int width) {
        float[] update = Values.of(maxRows * width, 1);
        float[] before = Values.of(maxRows * width, 2);
        FloatArray into = FloatArray.fromArray(before);

        Residual.Shape shape = new Residual.Shape(maxRows, width);
        IntArray counts = Values.counts(rows);
        FloatArray updates = FloatArray.fromArray(update);
        Device.run(
                (graph, grids) -> Residual.append(graph, grids, "add", counts, updates, into, shape),
                counts,
                updates,
                into);

        float[] expected = before.clone();
        Residual.reference(rows, width, update, expected);
        assertThat(into.toHeapArray()).containsExactly(expected);
    }
}
