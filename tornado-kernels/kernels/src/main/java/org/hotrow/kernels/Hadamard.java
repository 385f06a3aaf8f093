package org.hotrow.kernels;

/**
 * The Walsh-Hadamard transform in natural (Sylvester) order, scaled to be orthogonal:
 *
 * <pre>
 * y[i] = n^-0.5 * sum over j of (-1)^popcount(i &amp; j) * x[j]
 * </pre>
 *
 * Sums and scaling are in double precision, rounded once.
 */
public final class Hadamard {
    private Hadamard() {}

    /**
     * Transforms {@code x[from .. from + length - 1]} in place.
     *
     * @throws IllegalArgumentException if {@code length} is not a power of two
     */
    public static void transform(float[] x, int from, int length) {
        if (Integer.bitCount(length) != 1 || length < 0) {
            throw new IllegalArgumentException("Hadamard transform of " + length + " values: expected a power of two");
        }
        double[] sums = new double[length];
        for (int i = 0; i < length; i++) {
            sums[i] = x[from + i];
        }
        for (int half = 1; half < length; half *= 2) {
            for (int i = 0; i < length; i++) {
                if ((i & half) == 0) {
                    double a = sums[i];
                    double b = sums[i + half];
                    sums[i] = a + b;
                    sums[i + half] = a - b;
                }
            }
        }
        double scale = StrictMath.pow(length, -0.5);
        for (int i = 0; i < length; i++) {
            x[from + i] = (float) (sums[i] * scale);
        }
    }
}
