package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CpuOpsTest {
    /** Keys of a variance of about 1e-6, where the eps of the index norm decides; the goldens' are too large for that. */
    @Test
    void layerNormAddsOneMillionthToTheVariance() {
        float[] weight = {1, 2, -1, 0.5f};
        float[] bias = {0, 1, 0, -1};
        CpuActivation x = CpuActivation.of(2, 4);
        float[] values = {0.001f, -0.001f, 0.001f, -0.001f, 3.002f, 2.998f, 3.002f, 2.998f};
        System.arraycopy(values, 0, x.data(), 0, 8);
        CpuActivation out = CpuActivation.of(2, 4);
        CpuOps.layerNorm(x, weight, bias, out, 2);
        double[] expected = new double[8];
        for (int t = 0; t < 2; t++) {
            double mean = (values[4 * t] + (double) values[4 * t + 1]) / 2;
            double d = values[4 * t] - mean;
            for (int i = 0; i < 4; i++) {
                double unit = (i % 2 == 0 ? d : -d) / Math.sqrt(d * d + 1e-6);
                expected[4 * t + i] = unit * weight[i] + bias[i];
            }
        }
        for (int i = 0; i < 8; i++) {
            assertThat((double) out.data()[i]).isCloseTo(expected[i], within(1e-6));
        }
    }
}
