package org.hotrow.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both providers against double sums, and against the order of operations that {@link Lanes} promises, written as it is
 * said: so they agree in the bits with each other, and with what they were before.
 */
class LanesTest {
    private static final double EPS32 = Math.ulp(1f);
    private static final int[] SIZES = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 127, 128, 130, 576, 1000};

    private static Stream<Lanes> providers() {
        return Stream.of(Lanes.plain(), Lanes.vector());
    }

    private static Stream<Arguments> sizes() {
        return providers().flatMap(p -> IntStream.of(SIZES).mapToObj(n -> Arguments.of(p, n)));
    }

    /** Every 17th an outlier. */
    private static float[] random(int n, long seed) {
        Random random = new Random(seed);
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (float) (random.nextGaussian() * (i % 17 == 3 ? 1000 : 1));
        }
        return values;
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static float tree(float[] lane) {
        for (int apart : new int[] {4, 2, 1}) {
            for (int l = 0; l < apart; l++) {
                lane[l] = lane[l] + lane[l + apart];
            }
        }
        return lane[0];
    }

    private static float promisedDot(float[] a, int ai, float[] b, int bi, int n) {
        float[] lane = new float[8];
        for (int i = 0; i < n; i++) {
            lane[i % 8] = Math.fma(a[ai + i], b[bi + i], lane[i % 8]);
        }
        return tree(lane);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void dotIsCloseToTheDoubleSumAndInOrder(Lanes lanes, int n) {
        float[] a = random(n + 3, 1);
        float[] b = random(n + 5, 2);
        double sum = 0;
        double magnitude = 0;
        for (int i = 0; i < n; i++) {
            sum += (double) a[3 + i] * b[5 + i];
            magnitude += Math.abs((double) a[3 + i] * b[5 + i]);
        }
        float dot = lanes.dot(a, 3, b, 5, n);
        assertThat(Math.abs(dot - sum)).isLessThanOrEqualTo(8 * EPS32 * magnitude);
        assertThat(bits(dot)).isEqualTo(bits(promisedDot(a, 3, b, 5, n)));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void dotCarriesNaNFromEveryPlaceAndKeepsTheSignOfZero(Lanes lanes) {
        for (int n : new int[] {8, 11, 16, 19}) {
            for (int i = 0; i < n; i++) {
                float[] a = random(n, 5);
                a[i] = Float.NaN;
                assertThat(lanes.dot(a, 0, random(n, 6), 0, n)).isNaN();
            }
        }
        float[] minusZero = {-0f, -0f, -0f};
        float[] one = {1, 1, 1};
        assertThat(bits(lanes.dot(minusZero, 0, one, 0, 3))).isEqualTo(bits(promisedDot(minusZero, 0, one, 0, 3)));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void dotsAreTheDotsOfAllPairs(Lanes lanes) {
        for (int m : new int[] {1, 3, 4, 5, 8, 11}) {
            for (int n : new int[] {1, 2, 3, 4, 5, 64}) {
                for (int width : new int[] {1, 8, 24, 31, 128}) {
                    float[] a = random(2 + m * width, 7);
                    float[] b = random(1 + n * width, 8);
                    float[] out = new float[5 + m * 70];
                    Arrays.fill(out, -1);
                    lanes.dots(a, 2, m, b, 1, n, width, out, 5, 70, new float[Lanes.ROOM]);
                    for (int i = 0; i < out.length; i++) {
                        int row = (i - 5) / 70;
                        int col = (i - 5) % 70;
                        float expected =
                                i < 5 || col >= n ? -1 : promisedDot(a, 2 + row * width, b, 1 + col * width, width);
                        assertThat(bits(out[i]))
                                .as("%d x %d x %d [%d]", m, n, width, i)
                                .isEqualTo(bits(expected));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void elementwiseLoopsTouchTheirElementsOnly(Lanes lanes, int n) {
        float[] x = random(n + 4, 9);
        float[] w = random(n, 10);
        float[] y = random(n + 11, 11);
        float[] added = y.clone();
        lanes.add(x, 4, added, 9, n);
        float[] scaledIn = y.clone();
        lanes.addScaled(1.7f, x, 4, scaledIn, 9, n);
        float[] scaled = y.clone();
        lanes.scale(x, 4, 1.3f, scaled, 9, n);
        float[] weighted = y.clone();
        lanes.scale(x, 4, 1.3f, w, weighted, 9, n);
        for (int i = 0; i < y.length; i++) {
            boolean inside = i >= 9 && i < 9 + n;
            float v = inside ? x[i - 5] : 0;
            assertThat(bits(added[i])).isEqualTo(bits(inside ? y[i] + v : y[i]));
            assertThat(bits(scaledIn[i])).isEqualTo(bits(inside ? Math.fma(1.7f, v, y[i]) : y[i]));
            assertThat(bits(scaled[i])).isEqualTo(bits(inside ? v * 1.3f : y[i]));
            assertThat(bits(weighted[i])).isEqualTo(bits(inside ? v * 1.3f * w[i - 9] : y[i]));
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void sumAddsInTheOrderOfDot(Lanes lanes, int n) {
        float[] x = random(n + 2, 12);
        float[] ones = new float[n];
        Arrays.fill(ones, 1);
        assertThat(bits(lanes.sum(x, 2, n))).isEqualTo(bits(promisedDot(x, 2, ones, 0, n)));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void maxIsTheLargestAndNaNIfAnyIs(Lanes lanes, int n) {
        float[] x = random(n + 2, 13);
        float expected = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            expected = Math.max(expected, x[2 + i]);
        }
        assertThat(lanes.max(x, 2, n)).isEqualTo(expected);
        if (n > 0) {
            x[2 + n / 2] = Float.NaN;
            assertThat(lanes.max(x, 2, n)).isNaN();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void expIsWithinTwoUlpAndTheSameInBoth(Lanes lanes) {
        int n = 200_003;
        float[] x = new float[n];
        for (int i = 0; i < n; i++) {
            x[i] = -87f + 175f * i / n;
        }
        float[] y = x.clone();
        lanes.exp(y, 0, 0f, n);
        for (int i = 0; i < n; i++) {
            double expected = Math.exp(x[i]);
            assertThat(Math.abs(y[i] - expected) / expected).as("e^%s", x[i]).isLessThanOrEqualTo(2 * EPS32);
            assertThat(bits(y[i])).isEqualTo(bits(Exp.of(x[i])));
        }
        float[] special = {Float.NaN, Float.NEGATIVE_INFINITY, -1000, -0f, 0, 5, 1000, Float.POSITIVE_INFINITY, 1};
        float[] shifted = special.clone();
        lanes.exp(shifted, 0, 1f, 9);
        assertThat(shifted[0]).isNaN();
        assertThat(shifted[1]).isEqualTo(shifted[2]).isBetween(0f, 2e-38f);
        assertThat(shifted[3]).isEqualTo(shifted[4]).isEqualTo(Exp.of(-1));
        assertThat(shifted[6]).isEqualTo(shifted[7]).isBetween(1.6e38f, Float.MAX_VALUE);
        assertThat(shifted[8]).isEqualTo(1f);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void swigluIsSiluOfTheGateTimesUp(Lanes lanes) {
        float[] gate = {0, 1, -1, 90, -90, 0.5f, -0f, 3, -3, 1e10f, -1e10f};
        float[] up = {7, 2, 3, -2, 5, 1, 1, -1, 2, 3, 4};
        float[] out = new float[12];
        lanes.swiglu(gate, 0, up, 0, out, 1, gate.length);
        for (int i = 0; i < gate.length; i++) {
            double expected = gate[i] / (1 + Math.exp(-gate[i])) * up[i];
            assertThat(Math.abs(out[1 + i] - expected)).isLessThanOrEqualTo(4 * EPS32 * Math.abs(expected) + 1e-27);
            float steps = gate[i] / (1 + Exp.of(-gate[i])) * up[i];
            assertThat(bits(out[1 + i])).isEqualTo(bits(steps));
        }
        assertThat(out[0]).isZero();
        lanes.swiglu(new float[] {Float.NaN}, 0, up, 0, out, 0, 1);
        assertThat(out[0]).isNaN();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void weightedReluAddsHeadsInOrderAndKeepsNaN(Lanes lanes) {
        int heads = 5;
        float[] dots = random(heads * 70, 14);
        float[] w = random(heads + 1, 15);
        dots[2 * 70 + 9] = Float.NaN;
        for (int n : new int[] {0, 1, 7, 8, 64, 70}) {
            float[] out = new float[72];
            lanes.weightedRelu(dots, 70, heads, w, 1, out, 2, n);
            for (int j = 0; j < n; j++) {
                float expected = 0;
                for (int h = 0; h < heads; h++) {
                    expected = Math.fma(w[1 + h], Math.max(0f, dots[h * 70 + j]), expected);
                }
                assertThat(out[2 + j]).isEqualTo((Float) expected);
            }
            for (int j = n; j < 70; j++) {
                assertThat(out[2 + j]).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void tileSumsDownItsColumns(Lanes lanes) {
        for (int rows : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 13}) {
            for (int n : new int[] {0, 1, 2, 63, 128}) {
                float[] block = random(3 + n * 20 + 16, 16);
                float[] x = random(2 + rows * 130, 17);
                float[] out = random(1 + rows * 17, 19);
                float[] before = out.clone();
                lanes.tile(block, 3, 20, n, x, 2, 130, rows, out, 1, 17);
                for (int i = 0; i < out.length; i++) {
                    int t = (i - 1) / 17;
                    int l = (i - 1) % 17;
                    float expected = before[i];
                    if (i > 0 && l < 16) {
                        expected = 0;
                        for (int k = 0; k < n; k++) {
                            expected = Math.fma(block[3 + k * 20 + l], x[2 + t * 130 + k], expected);
                        }
                    }
                    assertThat(bits(out[i]))
                            .as("%d rows, n %d [%d]", rows, n, i)
                            .isEqualTo(bits(expected));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void addTilesScalesEachColumn(Lanes lanes) {
        float[] p = random(3 * 16, 20);
        float[] scale = random(18, 21);
        float[] sums = random(3 * 16 + 1, 22);
        float[] before = sums.clone();
        lanes.addTiles(p, 3, scale, 2, sums);
        for (int i = 0; i < p.length; i++) {
            assertThat(bits(sums[i])).isEqualTo(bits(Math.fma(p[i], scale[2 + i % 16], before[i])));
        }
        assertThat(sums[p.length]).isEqualTo(before[p.length]);
    }
}
