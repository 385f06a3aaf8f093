package org.hotrow.kernels;

/** Scaled e4m3 by its definition: the scale by doubling, the code by trying all of them, in double precision. */
final class Fp8Reference {
    private Fp8Reference() {}

    /** The least power of two that is at least {@code floor} and brings every finite value within 448. */
    static double scale(float[] values, int from, int count, double floor) {
        double scale = Math.scalb(1.0, -40);
        for (int i = from; i < from + count; i++) {
            while (scale < floor || (Float.isFinite(values[i]) && Math.abs(values[i]) > 448 * scale)) {
                scale *= 2;
            }
        }
        return scale;
    }

    /** The code whose value is nearest to {@code value / scale}; of two the even one; sign of zero kept. */
    static byte code(float value, double scale) {
        if (!Float.isFinite(value)) {
            return 0x7F;
        }
        double target = Math.abs(value / scale);
        int best = 0;
        for (int code = 1; code < 127; code++) {
            double distance = Math.abs(E4m3.decode((byte) code) - target);
            double bestDistance = Math.abs(E4m3.decode((byte) best) - target);
            if (distance < bestDistance || (distance == bestDistance && code % 2 == 0)) {
                best = code;
            }
        }
        boolean negative = Float.floatToRawIntBits(value) < 0;
        return (byte) (negative ? best | 0x80 : best);
    }
}
