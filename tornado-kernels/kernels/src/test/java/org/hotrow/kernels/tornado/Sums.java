package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares sums of products with their definition. */
final class Sums {
    private static final int C = 8;
    private static final double EPS = Math.scalb(1.0, -24);

    private Sums() {}

    /** Requires {@code |actual - expected| <= c eps magnitude}, magnitude being the sum of the terms' magnitudes. */
    static void requireClose(float actual, float expected, double magnitude, String where) {
        if (Float.isNaN(expected) || Float.isInfinite(expected)) {
            assertThat(actual).as(where).isEqualTo(Float.valueOf(expected));
        } else {
            assertThat((double) Math.abs(actual - expected))
                    .as("%s: %s, expected %s", where, actual, expected)
                    .isLessThanOrEqualTo(C * EPS * magnitude);
        }
    }
}
