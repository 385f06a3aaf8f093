package org.hotrow.kernels;

/**
 * The 16-bit float that is the upper half of a 32-bit one.
 *
 * <pre>
 * bit    15     14 .. 7     6 .. 0
 *       sign   exponent   mantissa
 * </pre>
 */
public final class Bf16 {
    private static final int QUIET_NAN = 0x40;

    private Bf16() {}

    /** The value of a code. */
    public static float decode(short code) {
        return Float.intBitsToFloat(code << 16);
    }

    /**
     * The code nearest to {@code value}: ties to the even code, overflow to infinity. The sign is kept, also that of
     * zero; a NaN stays a (quiet) NaN.
     */
    public static short encode(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | QUIET_NAN);
        }
        // Half a step, less one bit when the code below is even; a carry into the exponent is the right rounding.
        int even = bits >>> 16 & 1;
        return (short) ((bits + 0x7FFF + even) >>> 16);
    }
}
