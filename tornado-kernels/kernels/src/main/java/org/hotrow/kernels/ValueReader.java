package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Decodes runs of little-endian values: what {@link RowFormat} and {@link IndexFormat} need to read. */
public interface ValueReader {
    /** The definition, value by value. */
    ValueReader PLAIN = new ValueReader() {};

    /** {@code out[to + i] = e4m3(code i) * scale}, one byte each from {@code offset} on; NaN codes give NaN. */
    default void e4m3(MemorySegment from, long offset, int count, float scale, float[] out, int to) {
        for (int i = 0; i < count; i++) {
            out[to + i] = E4m3.decode(from.get(ValueLayout.JAVA_BYTE, offset + i)) * scale;
        }
    }

    /** {@code out[to + i] = bf16(code i)}, two bytes each from {@code offset} on. */
    default void bf16(MemorySegment from, long offset, int count, float[] out, int to) {
        for (int i = 0; i < count; i++) {
            out[to + i] = Bf16.decode(from.get(PlainValues.SHORT, offset + (long) i * Short.BYTES));
        }
    }

    /** Bit for bit, four bytes each from {@code offset} on. */
    default void f32(MemorySegment from, long offset, int count, float[] out, int to) {
        MemorySegment.copy(from, PlainValues.FLOAT, offset, out, to, count);
    }
}
