package org.hotrow.engine.lanes;

/**
 * e^x in f32, by operations that every provider has.
 *
 * <pre>
 * c = x within [-87, 88]                     so that the result is a normal float
 * n = c / ln 2, rounded                      by adding and taking away 1.5 * 2^23
 * r = c - n * ln 2                           in two steps, ln 2 in two parts
 * e^c = 2^n * (1 + r + r^2 * q(r))           q of degree 5: Cody and Waite's reduction, minimax on [-ln 2 / 2, ln 2 / 2]
 * </pre>
 *
 * Within 2 ulp of the true value on [-87, 88]; NaN stays.
 */
final class Exp {
    static final float LEAST = -87f;
    static final float MOST = 88f;
    static final float LOG2_E = 0x1.715476p0f;
    static final float ROUNDER = 0x1.8p23f;
    static final float LN2_HIGH = 0x1.63p-1f;
    static final float LN2_LOW = -0x1.bd0106p-13f;
    static final float Q5 = 0x1.a0d2cep-13f;
    static final float Q4 = 0x1.6e879cp-10f;
    static final float Q3 = 0x1.11121p-7f;
    static final float Q2 = 0x1.555382p-5f;
    static final float Q1 = 0x1.555554p-3f;
    static final float Q0 = 0x1.0p-1f;

    private Exp() {}

    static float of(float x) {
        float c = Math.min(Math.max(x, LEAST), MOST);
        float rounded = Math.fma(c, LOG2_E, ROUNDER);
        float n = rounded - ROUNDER;
        float r = Math.fma(n, -LN2_LOW, Math.fma(n, -LN2_HIGH, c));
        float q = Math.fma(Q5, r, Q4);
        q = Math.fma(q, r, Q3);
        q = Math.fma(q, r, Q2);
        q = Math.fma(q, r, Q1);
        q = Math.fma(q, r, Q0);
        float power = Float.intBitsToFloat((Float.floatToRawIntBits(rounded) << 23) + (127 << 23));
        return Math.fma(q, r * r, r + 1f) * power;
    }
}
