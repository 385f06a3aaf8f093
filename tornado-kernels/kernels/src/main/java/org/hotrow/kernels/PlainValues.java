package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Runs of unscaled values in a slab: little endian, one after another, at any byte offset. */
enum PlainValues {
    /** Two bytes each, rounded to nearest even. */
    BF16(Short.BYTES) {
        @Override
        void write(float[] values, int from, int count, MemorySegment slab, long byteOffset) {
            for (int i = 0; i < count; i++) {
                slab.set(SHORT, byteOffset + (long) i * Short.BYTES, Bf16.encode(values[from + i]));
            }
        }

        @Override
        void read(ValueReader reader, MemorySegment slab, long byteOffset, int count, float[] values, int to) {
            reader.bf16(slab, byteOffset, count, values, to);
        }
    },
    /** Four bytes each, bit for bit. */
    FP32(Float.BYTES) {
        @Override
        void write(float[] values, int from, int count, MemorySegment slab, long byteOffset) {
            MemorySegment.copy(values, from, slab, FLOAT, byteOffset, count);
        }

        @Override
        void read(ValueReader reader, MemorySegment slab, long byteOffset, int count, float[] values, int to) {
            reader.f32(slab, byteOffset, count, values, to);
        }
    };

    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int bytes;

    PlainValues(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one value. */
    int bytes() {
        return bytes;
    }

    /** Stores {@code count} values from index {@code from} on. */
    abstract void write(float[] values, int from, int count, MemorySegment slab, long byteOffset);

    /** Loads {@code count} values to index {@code to} on. */
    abstract void read(ValueReader reader, MemorySegment slab, long byteOffset, int count, float[] values, int to);
}
