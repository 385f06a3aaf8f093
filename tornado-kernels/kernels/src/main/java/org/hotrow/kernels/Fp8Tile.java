package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A run of values that shares one scale: {@code value = e4m3(code) * scale}.
 *
 * <p>Written scales are powers of two, {@code 2^ceil(log2(max(amax / 448, minRatio)))}, so that dividing by them is
 * exact and a kernel can rebuild them from the exponent alone. A scale that is read may be any float.
 *
 * <p>{@code amax} is the largest finite magnitude of the tile. E4M3 has no infinity: what is not finite is stored as
 * NaN and leaves the scale alone, so one bad value spoils neither its neighbours nor passes for a large one.
 *
 * @param length values in the tile
 * @param minRatio lower bound of {@code amax / 448}, a normal float; keeps the scale of a tile of zeros above zero
 */
record Fp8Tile(int length, float minRatio) {
    /** Stores {@code length} values: codes from {@code codesAt} on, the scale at {@code scaleAt}. */
    void write(float[] values, int from, MemorySegment slab, long codesAt, long scaleAt) {
        float scale = scale(values, from);
        for (int i = 0; i < length; i++) {
            float value = values[from + i];
            float scaled = Float.isFinite(value) ? value / scale : Float.NaN;
            slab.set(ValueLayout.JAVA_BYTE, codesAt + i, E4m3.encode(scaled));
        }
        slab.set(PlainValues.FLOAT, scaleAt, scale);
    }

    /** Loads {@code length} values. */
    void read(ValueReader reader, MemorySegment slab, long codesAt, long scaleAt, float[] values, int to) {
        reader.e4m3(slab, codesAt, length, slab.get(PlainValues.FLOAT, scaleAt), values, to);
    }

    private float scale(float[] values, int from) {
        float largest = 0;
        for (int i = 0; i < length; i++) {
            float magnitude = Math.abs(values[from + i]);
            if (magnitude <= Float.MAX_VALUE) {
                largest = Math.max(largest, magnitude);
            }
        }
        return powerOfTwoAtLeast(Math.max(largest / E4m3.MAX, minRatio));
    }

    /** {@code 2^ceil(log2(ratio))} of a normal float, from its exponent: a rounded logarithm could miss by one. */
    static float powerOfTwoAtLeast(float ratio) {
        float below = Math.scalb(1f, Math.getExponent(ratio));
        return below == ratio ? below : 2 * below;
    }
}
