package org.hotrow.kernels;

/**
 * Cosines and sines of rotary position embedding: of the angle {@code position * inverseFrequency[i]} for pair i.
 *
 * <p>The angle is a product of two floats, rounded to a float, because the models are trained and served that way: at
 * position 1,048,575 the cosine of a double angle differs by up to 0.016. Cosine and sine of that float are computed
 * in double precision and rounded once, so that one of another double library is the same but for a double that lies
 * on the edge between two floats.
 */
public final class RopeTable {
    private final float[] inverseFrequencies;
    private final float cosSinFactor;

    /** A table over the frequencies of all pairs; {@code cosSinFactor} scales cosines and sines (1 for plain RoPE). */
    public RopeTable(float[] inverseFrequencies, float cosSinFactor) {
        this.inverseFrequencies = inverseFrequencies.clone();
        this.cosSinFactor = cosSinFactor;
    }

    /** Fills {@code cos} and {@code sin}, one value per pair, for a position of 0 or more. */
    public void at(int position, float[] cos, float[] sin) {
        if (position < 0) {
            throw new IllegalArgumentException("position " + position + " is negative");
        }
        for (int i = 0; i < inverseFrequencies.length; i++) {
            float angle = position * inverseFrequencies[i];
            // StrictMath would allocate for every angle beyond pi / 4.
            cos[i] = (float) Math.cos(angle) * cosSinFactor;
            sin[i] = (float) Math.sin(angle) * cosSinFactor;
        }
    }

    /** The plain inverse frequencies {@code theta^(-2i/dim)} of {@code dim / 2} pairs. */
    public static float[] inverseFrequencies(double theta, int dim) {
        float[] frequencies = new float[pairs(theta, dim)];
        for (int i = 0; i < frequencies.length; i++) {
            frequencies[i] = 1 / period(i, theta, dim);
        }
        return frequencies;
    }

    /**
     * The YaRN inverse frequencies of {@code dim / 2} pairs: plain for fast pairs, divided by {@code factor} for slow
     * ones, and blended along a linear ramp in between. Fast pairs turn at least {@code betaFast} times within the
     * original context, slow ones at most {@code betaSlow} times.
     *
     * <p>Every step is rounded to float in the order of the published code: the models are served with these bits.
     *
     * @param originalContext positions that the model was trained on before its context was extended
     * @param truncate whether the ends of the ramp are moved out to whole pairs
     */
    public static float[] yarnInverseFrequencies(
            double theta,
            int dim,
            double factor,
            int originalContext,
            double betaFast,
            double betaSlow,
            boolean truncate) {
        float[] frequencies = new float[pairs(theta, dim)];
        if (!(factor > 0 && originalContext > 0 && betaFast > 0 && betaSlow > 0)) {
            throw new IllegalArgumentException("yarn factor " + factor + ", original context " + originalContext
                    + ", beta_fast " + betaFast + ", beta_slow " + betaSlow + ": expected all above 0");
        }
        double first = pairThatTurns(betaFast, theta, dim, originalContext);
        double last = pairThatTurns(betaSlow, theta, dim, originalContext);
        if (truncate) {
            first = Math.floor(first);
            last = Math.ceil(last);
        }
        first = Math.max(first, 0);
        last = Math.min(last, dim - 1);
        if (first == last) {
            last += 0.001;
        }
        for (int i = 0; i < frequencies.length; i++) {
            float period = period(i, theta, dim);
            float extrapolated = 1 / period;
            float interpolated = 1 / ((float) factor * period);
            float ramp = Math.clamp((i - (float) first) / (float) (last - first), 0f, 1f);
            float fast = 1 - ramp;
            frequencies[i] = interpolated * (1 - fast) + extrapolated * fast;
        }
        return frequencies;
    }

    private static int pairs(double theta, int dim) {
        if (!(theta > 1 && theta <= Float.MAX_VALUE) || dim < 2 || dim % 2 != 0) {
            throw new IllegalArgumentException("rope theta " + theta + " over " + dim
                    + " dimensions: expected theta above 1, an even number of dimensions");
        }
        return dim / 2;
    }

    /** Positions per radian of pair i. The double power rounds to the float that a correctly rounded one would give. */
    private static float period(int pair, double theta, int dim) {
        float exponent = 2f * pair / dim;
        return (float) StrictMath.pow((float) theta, exponent);
    }

    /** The (fractional) pair that makes this many turns within the context. */
    private static double pairThatTurns(double turns, double theta, int dim, int context) {
        return dim * StrictMath.log(context / (turns * 2 * Math.PI)) / (2 * StrictMath.log(theta));
    }
}
