package uk.ac.manchester.tornado.api.types;

/**
 * Rounds to the 8-bit floats.
 *
 * <pre>
 *        sign   exponent   mantissa   bias   largest
 * E4M3    1        4          3         7      448    no infinity, one NaN
 * E5M2    1        5          2        15    57344
 * </pre>
 *
 * As the hardware's conversion with saturation: to the nearest, ties to the even code, beyond the largest the largest,
 * infinity too, and every NaN the same positive one.
 */
final class SmallFloat {
    private static final int NAN = 0x7F;
    private static final int FLOAT_BIAS = 127;
    private static final int FLOAT_MANTISSA = 23;

    private SmallFloat() {}

    /**
     * The code nearest to a value.
     *
     * @param mantissa bits of the format's mantissa
     * @param bias the format's exponent bias
     * @param largest code of the largest finite value
     */
    static byte encode(float value, int mantissa, int bias, int largest) {
        if (Float.isNaN(value)) {
            return NAN;
        }
        int sign = Float.floatToRawIntBits(value) >>> 24 & 0x80;
        float magnitude = Math.abs(value);
        int code;
        if (magnitude < Math.scalb(1f, 1 - bias)) {
            // The steps below the smallest normal number are equally far apart.
            code = (int) Math.rint(magnitude * Math.scalb(1f, bias - 1 + mantissa));
        } else {
            int dropped = FLOAT_MANTISSA - mantissa;
            int bits = Float.floatToRawIntBits(magnitude);
            int even = bits >>> dropped & 1;
            int rounded = (bits + (1 << (dropped - 1)) - 1 + even) >>> dropped;
            code = rounded - ((FLOAT_BIAS - bias) << mantissa);
        }
        return (byte) (sign | Math.min(code, largest));
    }

    /** Values of the 128 positive codes and, from 128, of the negative ones; NaN from {@code firstNan} on. */
    static float[] values(int mantissa, int bias, int firstNan) {
        float[] values = new float[256];
        for (int code = 0; code < 128; code++) {
            int exponent = code >> mantissa;
            int fraction = code & ((1 << mantissa) - 1);
            int steps = exponent == 0 ? fraction : fraction + (1 << mantissa);
            float value =
                    code >= firstNan ? Float.NaN : Math.scalb((float) steps, Math.max(exponent, 1) - bias - mantissa);
            values[code] = value;
            values[code + 128] = -value;
        }
        return values;
    }
}
