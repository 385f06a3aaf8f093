package uk.ac.manchester.tornado.api.types.vectors;

import uk.ac.manchester.tornado.api.types.HalfFloat;

/** Two halves that are loaded, stored and calculated with together. */
public final class Half2 {
    private HalfFloat x;
    private HalfFloat y;

    /** Two zeros. */
    public Half2() {
        this(new HalfFloat(0f), new HalfFloat(0f));
    }

    /** A pair. */
    public Half2(HalfFloat x, HalfFloat y) {
        this.x = x;
        this.y = y;
    }

    /** The pair of halves nearest to two values. */
    public static Half2 fromFloats(float x, float y) {
        return new Half2(new HalfFloat(x), new HalfFloat(y));
    }

    /** Rounded sums. */
    public static Half2 add(Half2 a, Half2 b) {
        return new Half2(HalfFloat.add(a.x, b.x), HalfFloat.add(a.y, b.y));
    }

    /** Rounded differences. */
    public static Half2 sub(Half2 a, Half2 b) {
        return new Half2(HalfFloat.sub(a.x, b.x), HalfFloat.sub(a.y, b.y));
    }

    /** Rounded products. */
    public static Half2 mult(Half2 a, Half2 b) {
        return new Half2(HalfFloat.mult(a.x, b.x), HalfFloat.mult(a.y, b.y));
    }

    /** The first value, exactly. */
    public static float lowFloat(Half2 pair) {
        return pair.x.getFloat32();
    }

    /** The second value, exactly. */
    public static float highFloat(Half2 pair) {
        return pair.y.getFloat32();
    }

    /** The first half. */
    public HalfFloat getX() {
        return x;
    }

    /** Replaces the first half. */
    public void setX(HalfFloat value) {
        x = value;
    }

    /** The second half. */
    public HalfFloat getY() {
        return y;
    }

    /** Replaces the second half. */
    public void setY(HalfFloat value) {
        y = value;
    }
}
