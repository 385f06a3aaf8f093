package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class EmbeddingTest {
    private static final float UNTOUCHED = 77;

    @ParameterizedTest
    @CsvSource({"1, 1, 4", "3, 4, 260", "0, 2, 64", "2, 2, 128", "2, 3, 1024", "3, 3, 2572"})
    void takesTheRowOfEachToken(int rows, int maxRows, int width) {
        Embedding.Shape shape = new Embedding.Shape(maxRows, width, 7);
        short[] codes = Bf16LinearTest.matrix(7 * width);
        int[] tokens = {6, 0, 3, 6};
        IntArray counts = Values.counts(rows);
        IntArray token = IntArray.fromArray(Arrays.copyOf(tokens, maxRows));
        LongArray table = Bf16LinearTest.words(codes);
        FloatArray exponents = Exponents.table();
        FloatArray out = new FloatArray(maxRows * width);
        out.init(UNTOUCHED);

        Device.run(
                (graph, grids) -> Embedding.append(graph, grids, "embed", counts, token, table, exponents, out, shape),
                counts,
                token,
                table,
                exponents,
                out);

        float[] expected = new float[maxRows * width];
        Arrays.fill(expected, UNTOUCHED);
        Embedding.reference(rows, shape, tokens, codes, expected);
        assertThat(out.toHeapArray()).containsExactly(expected);
    }

    @Test
    void refusesRowsThatAreNotWholeLongs() {
        assertThatThrownBy(() -> new Embedding.Shape(1, 6, 4)).hasMessageContaining("6 values");
    }
}
