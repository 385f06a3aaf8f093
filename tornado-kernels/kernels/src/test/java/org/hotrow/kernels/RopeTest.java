package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RopeTest {
    private static final double EPS = Math.ulp(1f);

    /** Pair i is the complex number a + ib times cos + i sin. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 31, 32, 33})
    void turnsEachPairAsAComplexNumber(int pairs) {
        Random random = new Random(pairs);
        float[] cos = new float[pairs];
        float[] sin = new float[pairs];
        for (int i = 0; i < pairs; i++) {
            double angle = random.nextDouble(-10, 10);
            cos[i] = (float) Math.cos(angle);
            sin[i] = (float) Math.sin(angle);
        }
        int from = 3;
        float[] x = new float[from + 2 * pairs + 2];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) random.nextGaussian();
        }
        float[] interleaved = x.clone();
        Rope.interleaved(interleaved, from, cos, sin);
        float[] halfSplit = x.clone();
        Rope.halfSplit(halfSplit, from, cos, sin);
        for (int i = 0; i < pairs; i++) {
            assertTurned(x, interleaved, from + 2 * i, from + 2 * i + 1, cos[i], sin[i]);
            assertTurned(x, halfSplit, from + i, from + i + pairs, cos[i], sin[i]);
        }
        for (int i : new int[] {0, 1, 2, x.length - 2, x.length - 1}) {
            assertThat(interleaved[i]).isEqualTo(x[i]);
            assertThat(halfSplit[i]).isEqualTo(x[i]);
        }
    }

    private static void assertTurned(float[] before, float[] after, int re, int im, double cos, double sin) {
        double a = before[re];
        double b = before[im];
        double real = a * cos - b * sin;
        double imaginary = a * sin + b * cos;
        assertThat((double) after[re]).isCloseTo(real, within(2 * EPS * (Math.abs(a * cos) + Math.abs(b * sin))));
        assertThat((double) after[im]).isCloseTo(imaginary, within(2 * EPS * (Math.abs(a * sin) + Math.abs(b * cos))));
    }

    @Test
    void pairsByHand() {
        float[] cos = {0f, 1f};
        float[] sin = {1f, 0f};
        float[] x = {1, 2, 3, 4};
        Rope.interleaved(x, 0, cos, sin);
        assertThat(x).containsExactly(-2f, 1f, 3f, 4f);
        x = new float[] {1, 2, 3, 4};
        Rope.halfSplit(x, 0, cos, sin);
        assertThat(x).containsExactly(-3f, 2f, 1f, 4f);
    }

    @Test
    void positionZeroChangesNothing() {
        float[] cos = new float[2];
        float[] sin = new float[2];
        new RopeTable(RopeTable.inverseFrequencies(1e4, 4), 1).at(0, cos, sin);
        float[] x = {Float.MAX_VALUE, -Float.MIN_VALUE, 0.3f, -7f};
        float[] turned = x.clone();
        Rope.interleaved(turned, 0, cos, sin);
        assertThat(turned).isEqualTo(x);
    }

    @Test
    void nanStaysInItsPair() {
        float[] x = {1, Float.NaN, 1, 1};
        Rope.interleaved(x, 0, new float[] {1, 1}, new float[] {0, 0});
        assertThat(x).containsExactly(Float.NaN, Float.NaN, 1f, 1f);
    }
}
