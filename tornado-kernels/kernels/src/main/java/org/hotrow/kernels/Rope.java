package org.hotrow.kernels;

/**
 * Rotary position embedding, in place: pair i of a vector is turned by the angle whose cosine and sine are given,
 *
 * <pre>
 * a' = a cos - b sin
 * b' = b cos + a sin
 * </pre>
 *
 * Which two values form pair i of the n = cos.length pairs depends on the model:
 *
 * <pre>
 * interleaved  (2i, 2i + 1)   main attention; the indexer of GLM-5.x
 * half split   (i, i + n)     the indexer of DeepSeek-V3.2
 * </pre>
 */
public final class Rope {
    private Rope() {}

    /** Turns {@code x[from .. from + 2n - 1]}, pairs (2i, 2i + 1). */
    public static void interleaved(float[] x, int from, float[] cos, float[] sin) {
        for (int i = 0; i < cos.length; i++) {
            turn(x, from + 2 * i, from + 2 * i + 1, cos[i], sin[i]);
        }
    }

    /** Turns {@code x[from .. from + 2n - 1]}, pairs (i, i + n). */
    public static void halfSplit(float[] x, int from, float[] cos, float[] sin) {
        for (int i = 0; i < cos.length; i++) {
            turn(x, from + i, from + cos.length + i, cos[i], sin[i]);
        }
    }

    private static void turn(float[] x, int first, int second, float cos, float sin) {
        float a = x[first];
        float b = x[second];
        x[first] = a * cos - b * sin;
        x[second] = b * cos + a * sin;
    }
}
