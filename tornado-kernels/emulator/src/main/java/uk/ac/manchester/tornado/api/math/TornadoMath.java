package uk.ac.manchester.tornado.api.math;

/**
 * Mathematics of kernels. On a GPU {@code exp}, {@code log}, {@code pow}, {@code sin}, {@code cos} and {@code tanh} differ
 * by a few units in the last place, and {@code min} and {@code max} of a NaN are the other operand; here they are Java's.
 */
public class TornadoMath {
    private TornadoMath() {}

    /** The smaller one. */
    public static int min(int a, int b) {
        return Math.min(a, b);
    }

    /** The smaller one. */
    public static long min(long a, long b) {
        return Math.min(a, b);
    }

    /** The smaller one. */
    public static float min(float a, float b) {
        return Math.min(a, b);
    }

    /** The larger one. */
    public static int max(int a, int b) {
        return Math.max(a, b);
    }

    /** The larger one. */
    public static long max(long a, long b) {
        return Math.max(a, b);
    }

    /** The larger one. */
    public static float max(float a, float b) {
        return Math.max(a, b);
    }

    /** The absolute value. */
    public static int abs(int a) {
        return Math.abs(a);
    }

    /** The absolute value. */
    public static long abs(long a) {
        return Math.abs(a);
    }

    /** The absolute value. */
    public static float abs(float a) {
        return Math.abs(a);
    }

    /** The value between the bounds that is nearest to {@code a}. */
    public static int clamp(int a, int lowest, int highest) {
        return Math.min(Math.max(a, lowest), highest);
    }

    /** The value between the bounds that is nearest to {@code a}. */
    public static float clamp(float a, float lowest, float highest) {
        return Math.min(Math.max(a, lowest), highest);
    }

    /** The square root, correctly rounded. */
    public static float sqrt(float a) {
        return (float) Math.sqrt(a);
    }

    /** The largest whole number that is not above. */
    public static float floor(float a) {
        return (float) Math.floor(a);
    }

    /** The smallest whole number that is not below. */
    public static float ceil(float a) {
        return (float) Math.ceil(a);
    }

    /** e to the power. */
    public static float exp(float a) {
        return (float) Math.exp(a);
    }

    /** The natural logarithm. */
    public static float log(float a) {
        return (float) Math.log(a);
    }

    /** The sine. */
    public static float sin(float a) {
        return (float) Math.sin(a);
    }

    /** The cosine. */
    public static float cos(float a) {
        return (float) Math.cos(a);
    }

    /** The hyperbolic tangent. */
    public static float tanh(float a) {
        return (float) Math.tanh(a);
    }

    /** The logarithm to base 2. */
    public static float log2(float a) {
        return (float) (Math.log(a) / Math.log(2));
    }

    /** {@code a} to the power {@code b}. */
    public static float pow(float a, float b) {
        return (float) Math.pow(a, b);
    }
}
