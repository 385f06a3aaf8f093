package org.hotrow.kernels.tornado;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class SwiGluTest {
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 3, 63", "3, 3, 257", "0, 2, 64"})
    void gatesTheValuesOfEachRow(int rows, int maxRows, int width) {
        float[] gates = Values.of(maxRows * width, 1);
        gates[0] = Float.NEGATIVE_INFINITY;
        gates[width / 2] = -200;
        gates[width - 1] = 200;
        float[] ups = Values.of(maxRows * width, 2);
        FloatArray gate = FloatArray.fromArray(gates);
        FloatArray up = FloatArray.fromArray(ups);
        IntArray counts = Values.counts(rows);
        SwiGlu.Shape shape = new SwiGlu.Shape(maxRows, width);

        Device.run((graph, grids) -> SwiGlu.append(graph, grids, "gate", counts, gate, up, shape), counts, gate, up);

        float[] expected = gates.clone();
        SwiGlu.reference(rows, width, expected, ups);
        for (int i = 0; i < expected.length; i++) {
            // Where exp(-g) is beyond 2^128 the kernel has 0, and the definition g / exp(-g).
            double lost = 0x1p-128 * Math.abs((double) gates[i] * ups[i]) / (8 * 0x1p-24);
            double magnitude = i < rows * width ? Math.abs(expected[i]) + lost : 0;
            Sums.requireClose(gate.get(i), expected[i], magnitude, "value " + i);
        }
    }
}
