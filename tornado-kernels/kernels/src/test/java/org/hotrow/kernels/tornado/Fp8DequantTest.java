package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

class Fp8DequantTest {
    @ParameterizedTest
    @CsvSource({"1, 8, PORTABLE", "130, 264, PORTABLE", "448, 128, PORTABLE", "129, 136, CUDA"})
    void decodesEveryCodeWithTheScaleOfItsBlock(int rows, int columns, Variant variant) {
        if (variant == Variant.CUDA) {
            Device.assumeWarps();
        }
        Fp8Dequant.Shape shape = new Fp8Dequant.Shape(rows, columns);
        Fp8Matrix matrix = Fp8Matrix.of(rows, columns, 1);
        matrix.codes()[3] = (byte) 0xFF;
        LongArray weight = matrix.words();
        FloatArray scale = matrix.scales();
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(rows * columns);

        Device.run(
                (graph, grids) -> Fp8Dequant.append(graph, grids, "decode", weight, scale, codes, out, shape, variant),
                weight,
                scale,
                codes,
                out);

        float[] expected = new float[rows * columns];
        Fp8Dequant.reference(shape, matrix.codes(), matrix.scale(), expected);
        assertThat(out.toHeapArray()).isEqualTo(expected);
        assertThat(expected[8 * (rows - 1)])
                .isEqualTo(matrix.value(8 * (rows - 1) / columns, 8 * (rows - 1) % columns));
    }
}
