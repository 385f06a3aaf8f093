package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A page of unscaled keys; {@link IndexFormat} draws it. */
record PlainIndexPage(PlainValues values, int width) implements IndexFormat {
    @Override
    public int pageBytes() {
        return TOKENS * valueBytes();
    }

    @Override
    public int valueBytes() {
        return width * values.bytes();
    }

    @Override
    public void write(float[] key, int from, MemorySegment slab, long pageOffset, int slot) {
        values.write(key, from, width, slab, keyAt(pageOffset, slot));
    }

    @Override
    public void read(ValueReader reader, MemorySegment slab, long pageOffset, int slot, float[] key, int to) {
        values.read(reader, slab, keyAt(pageOffset, slot), width, key, to);
    }

    private long keyAt(long pageOffset, int slot) {
        return pageOffset + (long) Objects.checkIndex(slot, TOKENS) * valueBytes();
    }
}
