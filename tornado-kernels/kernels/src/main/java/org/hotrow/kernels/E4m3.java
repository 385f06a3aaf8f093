package org.hotrow.kernels;

/**
 * The 8-bit float of FP8 checkpoints: OCP FP8 E4M3FN.
 *
 * <pre>
 * bit   7     6 5 4 3    2 1 0
 *      sign   exponent   mantissa
 * exponent 0:     mantissa / 8 * 2^-6                smallest 2^-9
 * exponent 1..15: (1 + mantissa / 8) * 2^(exponent - 7)   largest 448
 * 0x7F and 0xFF are NaN; there is no infinity.
 * </pre>
 */
public final class E4m3 {
    /** Largest finite value. */
    public static final float MAX = 448f;

    private static final int NAN_CODE = 0x7F;

    private static final int LARGEST = Float.floatToRawIntBits(MAX);
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final int SMALLEST_NORMAL = Float.floatToRawIntBits(0x1p-6f);

    /** Biases of the exponents, 127 and 7, apart, in steps of a code. */
    private static final int EXPONENT_SHIFT = (127 - 7) << 3;

    private static final float[] VALUES = values();

    private E4m3() {}

    /** The value of a code; the upper bits of {@code code} are ignored. */
    public static float decode(byte code) {
        return VALUES[code & 0xFF];
    }

    /**
     * The code nearest to {@code value}: ties to the even code, beyond {@code +-448} the largest, NaN to NaN. The sign
     * is kept, also that of zero and NaN.
     */
    public static byte encode(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 24 & 0x80;
        int magnitude = bits & 0x7FFFFFFF;
        if (magnitude >= LARGEST) {
            return (byte) (sign | (magnitude > INFINITY ? NAN_CODE : NAN_CODE - 1));
        }
        if (magnitude >= SMALLEST_NORMAL) {
            // Half a step, less one bit when the code below is even; a carry into the exponent is the right rounding.
            int even = magnitude >>> 20 & 1;
            return (byte) (sign | (((magnitude + 0x7FFFF + even) >>> 20) - EXPONENT_SHIFT));
        }
        // Floats from 2^14 on are 2^-9 apart, as the codes below 2^-6 are: the addition rounds.
        int steps = Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + 0x1p14f) & 15;
        return (byte) (sign | steps);
    }

    private static float[] values() {
        float[] table = new float[256];
        for (int code = 0; code < 256; code++) {
            int exponent = code >> 3 & 15;
            int mantissa = code & 7;
            double magnitude =
                    exponent == 0 ? Math.scalb((double) mantissa, -9) : Math.scalb(1 + mantissa / 8.0, exponent - 7);
            boolean nan = (code & NAN_CODE) == NAN_CODE;
            table[code] = nan ? Float.NaN : (float) (code < 128 ? magnitude : -magnitude);
        }
        return table;
    }
}
