package uk.ac.manchester.tornado.api.types;

/**
 * A 16-bit float (binary16). Results are rounded to the nearest, ties to even, overflow to infinity, and every NaN that
 * arises is 0x7FFF.
 */
public class HalfFloat {
    private static final short NAN = 0x7FFF;

    private final short bits;

    /** The half nearest to a value. */
    public HalfFloat(float value) {
        this.bits = Float.isNaN(value) ? NAN : Float.floatToFloat16(value);
    }

    /** The half of these bits. In a kernel, TornadoVM 5.2.0 converts the number instead: don't use it there. */
    public HalfFloat(short bits) {
        this.bits = bits;
    }

    /** The rounded sum. */
    public static HalfFloat add(HalfFloat a, HalfFloat b) {
        return new HalfFloat(a.getFloat32() + b.getFloat32());
    }

    /** The rounded difference. */
    public static HalfFloat sub(HalfFloat a, HalfFloat b) {
        return new HalfFloat(a.getFloat32() - b.getFloat32());
    }

    /** The rounded product. */
    public static HalfFloat mult(HalfFloat a, HalfFloat b) {
        return new HalfFloat(a.getFloat32() * b.getFloat32());
    }

    /** The rounded quotient. */
    public static HalfFloat div(HalfFloat a, HalfFloat b) {
        return new HalfFloat(a.getFloat32() / b.getFloat32());
    }

    /** The bits. */
    public short getHalfFloatValue() {
        return bits;
    }

    /** The value, exactly. */
    public float getFloat32() {
        return Float.float16ToFloat(bits);
    }

    @Override
    public String toString() {
        return Float.toString(getFloat32());
    }
}
