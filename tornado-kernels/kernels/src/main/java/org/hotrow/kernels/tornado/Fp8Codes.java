package org.hotrow.kernels.tornado;

import org.hotrow.kernels.E4m3;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.FP8;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/**
 * E4M3 codes in kernels: decoded by a table or by the conversion instruction, encoded by arithmetic, since the bits of a
 * computed float are out of reach.
 *
 * <pre>
 * encode   steps of 2^-9:    0 .. 16     16 .. 32    32 .. 64   ...   2^17 .. 448 x 2^9
 *          a code every      1           2           4                2^14
 *          first code        0           16          24               120
 * </pre>
 */
public final class Fp8Codes {
    private static final int BINADES = 14;

    private Fp8Codes() {}

    /** The values of all 256 codes, for {@link #decode}. */
    public static FloatArray table() {
        FloatArray table = new FloatArray(256);
        for (int code = 0; code < 256; code++) {
            table.set(code, E4m3.decode((byte) code));
        }
        return table;
    }

    /** The value of the code in bits {@code shift} to {@code shift + 7} of a word. */
    static float decode(FloatArray table, long word, int shift, int cuda) {
        float value;
        if (cuda == 1) {
            value = FP8.e4m3ToFloat((byte) (word >> shift));
        } else {
            value = table.get((int) (word >> shift) & 0xFF);
        }
        return value;
    }

    /** The code nearest to a value, as {@link E4m3#encode} has it, but for the sign of NaN. */
    static int encode(float value) {
        int code = 0x7F;
        // First, since compilation forgets that comparisons with NaN are false.
        if (Float.isNaN(value)) {
            code = 0x7F;
        } else {
            float magnitude = TornadoMath.abs(value);
            if (magnitude >= E4m3.MAX) {
                code = 0x7E;
            } else {
                code = nearest(magnitude * 512);
            }
            float signed = value;
            if (value == 0) {
                signed = 1 / value;
            }
            if (signed < 0) {
                code = code + 128;
            }
        }
        return code;
    }

    /** The code nearest to {@code value / scale}; NaN if the value is not finite. */
    static int encode(float value, float scale) {
        int code = 0x7F;
        if (isFinite(value) == 1) {
            code = encode(value / scale);
        }
        return code;
    }

    /** The magnitude of a finite value, else 0. */
    static float finiteMagnitude(float value) {
        float magnitude = 0;
        if (isFinite(value) == 1) {
            magnitude = TornadoMath.abs(value);
        }
        return magnitude;
    }

    private static int isFinite(float value) {
        int finite = 0;
        if (!Float.isNaN(value)) {
            if (TornadoMath.abs(value) <= Float.MAX_VALUE) {
                finite = 1;
            }
        }
        return finite;
    }

    private static int nearest(float steps) {
        float unit = 1;
        int first = 0;
        for (int binade = 0; binade < BINADES; binade++) {
            if (steps >= 16 * unit) {
                unit = unit * 2;
                first = first + 8;
            }
        }
        return first + Rounding.halfEven(steps / unit);
    }
}
