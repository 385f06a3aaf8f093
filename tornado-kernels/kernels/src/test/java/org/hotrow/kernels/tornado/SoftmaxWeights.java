package org.hotrow.kernels.tornado;

/**
 * What roundings are relative to.
 *
 * @param of softmax weights of a head
 * @param terms the largest sum of the terms' magnitudes among its scores
 */
@SuppressWarnings("ArrayRecordComponent") // Not compared.
public record SoftmaxWeights(double[] of, double terms) {
    /** Of a head. */
    public static SoftmaxWeights of(float[] q, int from, float[] keys, int n, int width, float scale) {
        double[] scores = new double[n];
        double terms = 0;
        double largest = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < n; j++) {
            double size = 0;
            for (int i = 0; i < width; i++) {
                double term = (double) q[from + i] * keys[j * width + i] * scale;
                scores[j] += term;
                size += Math.abs(term);
            }
            terms = Math.max(terms, size);
            largest = Math.max(largest, scores[j]);
        }
        double sum = 0;
        for (int j = 0; j < n; j++) {
            scores[j] = Math.exp(scores[j] - largest);
            sum += scores[j];
        }
        for (int j = 0; j < n; j++) {
            scores[j] /= sum;
        }
        return new SoftmaxWeights(scores, terms);
    }

    /** Magnitudes of value {@code d}, weighted. */
    public double size(float[] keys, int width, int d) {
        double size = 0;
        for (int j = 0; j < of.length; j++) {
            size += of[j] * Math.abs(keys[j * width + d]);
        }
        return size;
    }
}
