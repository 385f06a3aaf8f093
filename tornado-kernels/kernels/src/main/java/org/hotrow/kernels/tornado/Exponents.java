package org.hotrow.kernels.tornado;

import org.hotrow.kernels.Bf16;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.BFloat16;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/**
 * Floats taken apart and put together in kernels, which can't reach the bits of a computed float: by a table of the
 * powers of two.
 *
 * <pre>
 * table[e]      2^(e - 127), e the exponent bits of a float; [0] = [1] = 2^-126, [255] infinity
 * f32 scale     bits = e * 2^23                 value = table[e]           powers of two only
 * bf16          bits = sign, e, 7 of mantissa   value = (1 or 0 + mantissa / 128) * table[e]
 * f32           bits = sign, e, 23 of mantissa  value = (1 or 0 + mantissa / 2^23) * table[e]
 * </pre>
 */
public final class Exponents {
    private static final int INFINITE = 255;

    private Exponents() {}

    /** The table that kernels take. */
    public static FloatArray table() {
        FloatArray table = new FloatArray(256);
        for (int e = 0; e < INFINITE; e++) {
            table.set(e, Math.scalb(1f, Math.max(e, 1) - 127));
        }
        table.set(INFINITE, Float.POSITIVE_INFINITY);
        return table;
    }

    /** The exponent bits of a finite value of 0 or more. */
    static int of(FloatArray table, float value) {
        int e = 0;
        for (int step = 128; step > 0; step = step / 2) {
            if (e + step < INFINITE) {
                if (table.get(e + step) <= value) {
                    e = e + step;
                }
            }
        }
        return e;
    }

    /** The exponent bits of the least power of two that is not below a normal value. */
    static int atLeast(FloatArray table, float value) {
        int e = of(table, value);
        if (table.get(e) < value) {
            e = e + 1;
        }
        return e;
    }

    /** The bf16 code nearest to a value, as {@link Bf16#encode} has it; every NaN is 0x7FC0. */
    static int encodeBf16(FloatArray table, float value) {
        int code = 0x7FC0;
        if (Float.isNaN(value)) {
            code = 0x7FC0;
        } else {
            float magnitude = TornadoMath.abs(value);
            if (magnitude > Float.MAX_VALUE) {
                code = 0x7F80;
            } else {
                int e = of(table, magnitude);
                int steps = Rounding.halfEven(magnitude / table.get(e) * 128);
                code = steps;
                if (e > 0) {
                    code = (e - 1) * 128 + steps;
                }
            }
            float signed = value;
            if (value == 0) {
                signed = 1 / value;
            }
            if (signed < 0) {
                code = code + 0x8000;
            }
        }
        return code;
    }

    /** The float of these bits. */
    static float decode(FloatArray table, int bits) {
        int e = (bits >> 23) & 0xFF;
        int mantissa = bits & 0x7FFFFF;
        int significand = mantissa;
        if (e > 0) {
            significand = mantissa + 0x800000;
        }
        float value = significand * 0x1p-23f * table.get(e);
        if (e == INFINITE) {
            if (mantissa > 0) {
                value = table.get(INFINITE) * 0f;
            }
        }
        if (bits < 0) {
            value = -value;
        }
        return value;
    }

    /** The value of the bf16 code in the lower 16 bits. */
    static float decodeBf16(FloatArray table, int code) {
        int e = (code >> 7) & 0xFF;
        int mantissa = code & 0x7F;
        int significand = mantissa;
        if (e > 0) {
            significand = mantissa + 128;
        }
        float value = significand * 0.0078125f * table.get(e);
        if (e == INFINITE) {
            if (mantissa > 0) {
                value = value * 0;
            }
        }
        if ((code & 0x8000) != 0) {
            value = -value;
        }
        return value;
    }

    /** The value of the bf16 code in bits {@code shift} to {@code shift + 15} of a word; {@code cuda} is of {@link Variant}. */
    static float decodeBf16(FloatArray table, long word, int shift, int cuda) {
        float value;
        if (cuda == 1) {
            value = BFloat16.bf16ToFloat((short) (word >> shift));
        } else {
            value = decodeBf16(table, (int) (word >> shift) & 0xFFFF);
        }
        return value;
    }
}
