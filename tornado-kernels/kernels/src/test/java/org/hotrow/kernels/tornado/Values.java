package org.hotrow.kernels.tornado;

import java.util.SplittableRandom;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Numbers that tests feed to kernels. */
final class Values {
    private Values() {}

    /** Normally distributed values, each thirtieth a hundred times as large. */
    static float[] of(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            float value = (float) random.nextGaussian();
            values[i] = random.nextInt(30) == 0 ? 100 * value : value;
        }
        return values;
    }

    /** The counts of a step of so many rows. */
    static IntArray counts(int rows) {
        return IntArray.fromElements(rows, 0, 0, 0, 0, 0, 0, 0);
    }
}
