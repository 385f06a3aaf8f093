package org.hotrow.engine;

import java.util.stream.IntStream;

/** What a cache keeps of a value, by search among all codes in double: nothing here is shared with the kernels. */
final class ReferenceRounding {
    private static final double[] MAGNITUDES = IntStream.range(0, 127)
            .mapToDouble(code -> code < 8 ? code * 0x1p-9 : (8 + code % 8) * Math.pow(2, code / 8 - 10))
            .toArray();

    private ReferenceRounding() {}

    /** The nearer of the two bf16 values around a finite {@code x}, the one with the even mantissa among equals. */
    static float bf16(float x) {
        int below = Float.floatToRawIntBits(x) & 0xFFFF0000;
        float towardsZero = Float.intBitsToFloat(below);
        float away = Float.intBitsToFloat(below + 0x10000);
        double near = Math.abs((double) x - towardsZero);
        double far = Math.abs((double) away - x);
        boolean even = (below >> 16 & 1) == 0;
        return near < far || (near == far && even) ? towardsZero : away;
    }

    /** {@code values[from .. from + count - 1]} as codes of one power-of-two scale of at least {@code least}. */
    static void fp8(float[] values, int from, int count, double least, float[] out) {
        double largest = 0;
        for (int i = from; i < from + count; i++) {
            largest = Math.max(largest, Math.abs((double) values[i]));
        }
        double scale = 0x1p-40;
        while (scale < Math.max(largest / 448, least)) {
            scale *= 2;
        }
        for (int i = from; i < from + count; i++) {
            out[i] = (float) (Math.signum(values[i]) * nearestE4m3(Math.abs(values[i] / scale)) * scale);
        }
    }

    /** The nearest of the 127 magnitudes, the even code among equals. */
    private static double nearestE4m3(double magnitude) {
        int best = 0;
        for (int code = 1; code < MAGNITUDES.length; code++) {
            double closer = Math.abs(MAGNITUDES[best] - magnitude) - Math.abs(MAGNITUDES[code] - magnitude);
            if (closer > 0 || (closer == 0 && code % 2 == 0)) {
                best = code;
            }
        }
        return MAGNITUDES[best];
    }
}
