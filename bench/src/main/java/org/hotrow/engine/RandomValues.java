package org.hotrow.engine;

import java.util.SplittableRandom;

/** Values to compute with. */
final class RandomValues {
    private RandomValues() {}

    static float[] gaussian(int count, SplittableRandom random) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    /** Rows of such values. */
    static CpuActivation activation(int rows, int width, SplittableRandom random) {
        CpuActivation activation = CpuActivation.of(rows, width);
        System.arraycopy(gaussian(rows * width, random), 0, activation.data(), 0, rows * width);
        return activation;
    }
}
