package uk.ac.manchester.tornado.api.types;

/** The 16-bit float that is the upper half of a 32-bit one. */
public final class BFloat16 {
    private static final short NAN = 0x7FFF;

    private BFloat16() {}

    /** The value of a code. */
    public static float bf16ToFloat(short code) {
        return Float.intBitsToFloat(code << 16);
    }

    /** The code nearest to a value; ties to the even code, overflow to infinity, every NaN to 0x7FFF. */
    public static short bf16FromFloat(float value) {
        if (Float.isNaN(value)) {
            return NAN;
        }
        int bits = Float.floatToRawIntBits(value);
        int even = bits >>> 16 & 1;
        return (short) ((bits + 0x7FFF + even) >>> 16);
    }
}
