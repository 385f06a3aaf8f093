package uk.ac.manchester.tornado.api.types;

/** The 8-bit floats E4M3 (without infinity) and E5M2, rounded as the hardware does with saturation. */
public final class FP8 {
    /** Largest finite E4M3 number. */
    public static final float E4M3_MAX = 448f;

    /** Largest finite E5M2 number. */
    public static final float E5M2_MAX = 57344f;

    private static final float[] E4M3 = SmallFloat.values(3, 7, 0x7F);
    private static final float[] E5M2 = SmallFloat.values(2, 15, 0x7D);

    static {
        E5M2[0x7C] = Float.POSITIVE_INFINITY;
        E5M2[0xFC] = Float.NEGATIVE_INFINITY;
    }

    private FP8() {}

    /** The value of an E4M3 code; 0x7F and 0xFF are NaN. */
    public static float e4m3ToFloat(byte code) {
        return E4M3[code & 0xFF];
    }

    /** The E4M3 code nearest to a value; ties to the even code, beyond 448 the largest, NaN to 0x7F. */
    public static byte e4m3FromFloat(float value) {
        return SmallFloat.encode(value, 3, 7, 0x7E);
    }

    /** The value of an E5M2 code; 0x7C is infinity, above it is NaN. */
    public static float e5m2ToFloat(byte code) {
        return E5M2[code & 0xFF];
    }

    /** The E5M2 code nearest to a value; ties to the even code, beyond 57344 the largest, NaN to 0x7F. */
    public static byte e5m2FromFloat(float value) {
        return SmallFloat.encode(value, 2, 15, 0x7B);
    }
}
