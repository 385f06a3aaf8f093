package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A page of e4m3 keys with a scale each; {@link IndexFormat} draws it. */
final class Fp8IndexPage implements IndexFormat {
    private final Fp8Tile key;

    Fp8IndexPage(int width) {
        key = new Fp8Tile(width, 1e-4f / E4m3.MAX);
    }

    @Override
    public int pageBytes() {
        return TOKENS * (key.length() + Float.BYTES);
    }

    @Override
    public int valueBytes() {
        return key.length();
    }

    @Override
    public void write(float[] values, int from, MemorySegment slab, long pageOffset, int slot) {
        key.write(values, from, slab, codesAt(pageOffset, slot), scaleAt(pageOffset, slot));
    }

    @Override
    public void read(ValueReader reader, MemorySegment slab, long pageOffset, int slot, float[] values, int to) {
        key.read(reader, slab, codesAt(pageOffset, slot), scaleAt(pageOffset, slot), values, to);
    }

    private long codesAt(long pageOffset, int slot) {
        return pageOffset + (long) Objects.checkIndex(slot, TOKENS) * key.length();
    }

    private long scaleAt(long pageOffset, int slot) {
        return pageOffset + (long) TOKENS * key.length() + (long) slot * Float.BYTES;
    }
}
