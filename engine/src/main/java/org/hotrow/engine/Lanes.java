package org.hotrow.engine;

/**
 * The order in which the CPU sums: 16 lanes, whatever the machine.
 *
 * <pre>
 * lane[l] = fma over i = l, l + 16, l + 32, ...      each lane ascending
 * sum     = lanes added as a tree: 8 apart, then 4, 2, 1
 * </pre>
 *
 * A vector unit of 4, 8 or 16 floats can follow it exactly, so it is the order of every path.
 */
final class Lanes {
    private static final int LANES = 16;

    private Lanes() {}

    /** {@code sum a[ai + i] * b[bi + i]} for i below n. */
    static float dot(float[] a, int ai, float[] b, int bi, int n) {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
        float s8 = 0, s9 = 0, sA = 0, sB = 0, sC = 0, sD = 0, sE = 0, sF = 0;
        int whole = n - n % LANES;
        for (int i = 0; i < whole; i += LANES) {
            int p = ai + i;
            int q = bi + i;
            s0 = Math.fma(a[p], b[q], s0);
            s1 = Math.fma(a[p + 1], b[q + 1], s1);
            s2 = Math.fma(a[p + 2], b[q + 2], s2);
            s3 = Math.fma(a[p + 3], b[q + 3], s3);
            s4 = Math.fma(a[p + 4], b[q + 4], s4);
            s5 = Math.fma(a[p + 5], b[q + 5], s5);
            s6 = Math.fma(a[p + 6], b[q + 6], s6);
            s7 = Math.fma(a[p + 7], b[q + 7], s7);
            s8 = Math.fma(a[p + 8], b[q + 8], s8);
            s9 = Math.fma(a[p + 9], b[q + 9], s9);
            sA = Math.fma(a[p + 10], b[q + 10], sA);
            sB = Math.fma(a[p + 11], b[q + 11], sB);
            sC = Math.fma(a[p + 12], b[q + 12], sC);
            sD = Math.fma(a[p + 13], b[q + 13], sD);
            sE = Math.fma(a[p + 14], b[q + 14], sE);
            sF = Math.fma(a[p + 15], b[q + 15], sF);
        }
        if (whole < n) {
            float[] lanes = {s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sA, sB, sC, sD, sE, sF};
            for (int i = whole; i < n; i++) {
                lanes[i - whole] = Math.fma(a[ai + i], b[bi + i], lanes[i - whole]);
            }
            return tree(lanes);
        }
        float t0 = (s0 + s8) + (s4 + sC);
        float t1 = (s1 + s9) + (s5 + sD);
        float t2 = (s2 + sA) + (s6 + sE);
        float t3 = (s3 + sB) + (s7 + sF);
        return (t0 + t2) + (t1 + t3);
    }

    /** {@code y[yi + i] += a * x[xi + i]} for i below n; each element by itself. */
    static void addScaled(float a, float[] x, int xi, float[] y, int yi, int n) {
        for (int i = 0; i < n; i++) {
            y[yi + i] = Math.fma(a, x[xi + i], y[yi + i]);
        }
    }

    private static float tree(float[] lanes) {
        for (int half = LANES / 2; half > 0; half /= 2) {
            for (int l = 0; l < half; l++) {
                lanes[l] += lanes[l + half];
            }
        }
        return lanes[0];
    }
}
