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
        int sign = Float.floatToRawIntBits(value) >>> 24 & 0x80;
        float magnitude = Math.abs(value);
        if (Float.isNaN(magnitude)) {
            return (byte) (sign | NAN_CODE);
        }
        if (magnitude >= MAX) {
            return (byte) (sign | NAN_CODE - 1);
        }
        // Below 2^-6 codes are 2^-9 apart; above, 1/8 of the value's power of two. Both scalings are exact, so rint
        // rounds the true value, and a carry into the next power of two lands on the right code by itself.
        int exponent = Math.max(Math.getExponent(magnitude), -6);
        int steps = (int) Math.rint(Math.scalb((double) magnitude, 3 - exponent));
        return (byte) (sign | (exponent + 6) * 8 + steps);
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
