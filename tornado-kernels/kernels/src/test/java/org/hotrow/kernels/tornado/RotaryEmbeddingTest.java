package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hotrow.kernels.RopeTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class RotaryEmbeddingTest {
    private static final int[] POSITIONS = {0, 1, 63, 64, 131_071, 1_048_575};

    @ParameterizedTest
    @CsvSource({
        "1, 1, 2, 0, 1, 2, 1, true", "3, 4, 576, 512, 1, 64, 32, true", "2, 2, 512, 192, 2, 256, 32, true",
        "6, 6, 256, 0, 2, 128, 32, false", "0, 2, 128, 0, 1, 128, 32, false", "2, 3, 21, 1, 4, 5, 2, false"
    })
    void turnsThePairsOfEachHead(
            int rows, int maxRows, int stride, int at, int heads, int headWidth, int pairs, boolean interleaved) {
        RotaryEmbedding.Shape shape =
                new RotaryEmbedding.Shape(maxRows, stride, at, heads, headWidth, pairs, interleaved);
        float[] before = Values.of(maxRows * stride, 1);
        float[] cosines = new float[maxRows * pairs];
        float[] sines = new float[maxRows * pairs];
        RopeTable table = new RopeTable(RopeTable.inverseFrequencies(8e6, 2 * pairs), 1);
        for (int t = 0; t < maxRows; t++) {
            float[] c = new float[pairs];
            float[] s = new float[pairs];
            table.at(POSITIONS[t], c, s);
            System.arraycopy(c, 0, cosines, t * pairs, pairs);
            System.arraycopy(s, 0, sines, t * pairs, pairs);
        }
        FloatArray x = FloatArray.fromArray(before);
        IntArray counts = Values.counts(rows);
        FloatArray cos = FloatArray.fromArray(cosines);
        FloatArray sin = FloatArray.fromArray(sines);

        Device.run(
                (graph, grids) -> RotaryEmbedding.append(graph, grids, "rope", counts, x, cos, sin, shape),
                counts,
                x,
                cos,
                sin);

        float[] expected = before.clone();
        RotaryEmbedding.reference(rows, shape, expected, cosines, sines);
        for (int i = 0; i < expected.length; i++) {
            boolean turned = expected[i] != before[i];
            double magnitude = turned ? Math.abs(before[i]) + Math.abs(before[partner(shape, i)]) : 0;
            Sums.requireClose(x.get(i), expected[i], magnitude, "value " + i);
        }
    }

    @Test
    void refusesHeadsBeyondTheRow() {
        assertThatThrownBy(() -> new RotaryEmbedding.Shape(1, 127, 64, 1, 64, 32, true))
                .hasMessageContaining("do not fit a row of 127");
    }

    private static int partner(RotaryEmbedding.Shape shape, int index) {
        int inHead = (index % shape.stride() - shape.at()) % shape.headWidth();
        if (shape.interleaved()) {
            return index + (inHead % 2 == 0 ? 1 : -1);
        }
        return index + (inHead < shape.pairs() ? shape.pairs() : -shape.pairs());
    }
}
