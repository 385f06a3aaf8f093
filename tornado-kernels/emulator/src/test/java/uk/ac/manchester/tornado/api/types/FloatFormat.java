package uk.ac.manchester.tornado.api.types;

import java.util.ArrayList;
import java.util.List;

/**
 * The reference of the small floats: the value of a code from the format's definition in doubles, and the code of a
 * value by search among all codes.
 *
 * <pre>
 * exponent 0:  mantissa x 2^(1 - bias - mantissaBits)
 * otherwise:   (1 + mantissa / 2^mantissaBits) x 2^(exponent - bias)
 * </pre>
 *
 * @param largest code of the largest finite value
 * @param overflow code of what lies beyond it, once rounded
 * @param nan code of NaN
 */
record FloatFormat(int bits, int mantissaBits, int bias, int largest, int overflow, int nan) {
    static final FloatFormat E4M3 = new FloatFormat(8, 3, 7, 0x7E, 0x7E, 0x7F);
    static final FloatFormat E5M2 = new FloatFormat(8, 2, 15, 0x7B, 0x7B, 0x7F);
    static final FloatFormat HALF = new FloatFormat(16, 10, 15, 0x7BFF, 0x7C00, 0x7FFF);
    static final FloatFormat BF16 = new FloatFormat(16, 7, 127, 0x7F7F, 0x7F80, 0x7FFF);

    int codes() {
        return 1 << bits;
    }

    int sign() {
        return 1 << (bits - 1);
    }

    /** The value of a finite code. */
    double value(int code) {
        int magnitude = code & (sign() - 1);
        double fraction = (magnitude % (1 << mantissaBits)) / (double) (1 << mantissaBits);
        int exponent = magnitude >> mantissaBits;
        double value = exponent == 0
                ? fraction * Math.pow(2, 1.0 - bias)
                : (1 + fraction) * Math.pow(2, exponent - (double) bias);
        return code < sign() ? value : -value;
    }

    /** The code nearest to a value, the even one of two. */
    int nearest(double value) {
        if (Double.isNaN(value)) {
            return nan;
        }
        int sign = Double.doubleToRawLongBits(value) < 0 ? sign() : 0;
        double magnitude = Math.abs(value);
        int below = 0;
        int above = largest + 1;
        while (above - below > 1) {
            int middle = (below + above) / 2;
            if (value(middle) <= magnitude) {
                below = middle;
            } else {
                above = middle;
            }
        }
        // Beyond the largest value the next step decides, though its code means something else.
        double step = value(below + 1) - value(below);
        double over = magnitude - value(below);
        int code = over > step / 2 || (over == step / 2 && below % 2 == 1) ? below + 1 : below;
        return sign | (code > largest ? overflow : code);
    }

    /** All finite values, the middles between neighbours, and the floats next to each of them. */
    List<Float> critical() {
        List<Float> values = new ArrayList<>(List.of(
                Float.NaN,
                Float.intBitsToFloat(0xFFC00001),
                Float.POSITIVE_INFINITY,
                Float.NEGATIVE_INFINITY,
                Float.MAX_VALUE,
                -Float.MAX_VALUE,
                Float.MIN_VALUE,
                -Float.MIN_VALUE,
                Float.MIN_NORMAL));
        for (int code = 0; code <= largest; code++) {
            double middle = (value(code) + value(code + 1)) / 2;
            for (double exact : new double[] {value(code), middle}) {
                float value = (float) exact;
                for (float near : new float[] {value, Math.nextUp(value), Math.nextDown(value)}) {
                    values.add(near);
                    values.add(-near);
                }
            }
        }
        return values;
    }
}
