package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LanesTest {
    private static final double EPS32 = Math.ulp(1f);

    private static float[] random(int n, long seed) {
        Random random = new Random(seed);
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            // Every 17th an outlier.
            values[i] = (float) (random.nextGaussian() * (i % 17 == 3 ? 1000 : 1));
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 130, 576, 1000, 6144})
    void dotIsCloseToTheDoubleSum(int n) {
        float[] a = random(n + 3, 1);
        float[] b = random(n + 5, 2);
        double sum = 0;
        double magnitude = 0;
        for (int i = 0; i < n; i++) {
            sum += (double) a[3 + i] * b[5 + i];
            magnitude += Math.abs((double) a[3 + i] * b[5 + i]);
        }
        assertThat(Math.abs(Lanes.dot(a, 3, b, 5, n) - sum)).isLessThanOrEqualTo(8 * EPS32 * magnitude);
    }

    /** The order that the class promises, written as it is said: another order differs in the last bits. */
    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 40, 64, 65, 576, 1000})
    void dotSumsInThePromisedOrder(int n) {
        float[] a = random(n, 3);
        float[] b = random(n, 4);
        float[] lane = new float[16];
        for (int i = 0; i < n; i++) {
            lane[i % 16] = Math.fma(a[i], b[i], lane[i % 16]);
        }
        for (int apart : new int[] {8, 4, 2, 1}) {
            for (int l = 0; l < apart; l++) {
                lane[l] = lane[l] + lane[l + apart];
            }
        }
        assertThat(Float.floatToRawIntBits(Lanes.dot(a, 0, b, 0, n))).isEqualTo(Float.floatToRawIntBits(lane[0]));
    }

    @Test
    void dotCarriesNaNFromEveryPlace() {
        for (int n : new int[] {16, 19}) {
            for (int i = 0; i < n; i++) {
                float[] a = random(n, 5);
                a[i] = Float.NaN;
                assertThat(Lanes.dot(a, 0, random(n, 6), 0, n)).isNaN();
            }
        }
    }

    @Test
    void addScaledTouchesItsElementsOnly() {
        float[] x = random(40, 7);
        float[] y = random(40, 8);
        float[] before = y.clone();
        Lanes.addScaled(1.5f, x, 4, y, 9, 17);
        for (int i = 0; i < 40; i++) {
            float expected = i < 9 || i >= 26 ? before[i] : Math.fma(1.5f, x[i - 5], before[i]);
            assertThat(y[i]).isEqualTo(expected);
        }
    }
}
