package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;

/**
 * A row of unscaled values; {@link RowFormat} draws it.
 *
 * @param width latent and rope values together
 */
record PlainRow(PlainValues values, int width) implements RowFormat {
    static PlainRow of(PlainValues values, int latent, int rope) {
        long bytes = ((long) latent + rope) * values.bytes();
        if (bytes % Long.BYTES != 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(values + " rows of latent " + latent + " and rope " + rope
                    + " values take " + bytes + " bytes, expected a multiple of 8 below 2^31");
        }
        return new PlainRow(values, latent + rope);
    }

    @Override
    public int rowBytes() {
        return width * values.bytes();
    }

    @Override
    public int exponentByte() {
        return values.bytes() - 1;
    }

    @Override
    public void write(float[] row, int from, MemorySegment slab, long byteOffset) {
        values.write(row, from, width, slab, byteOffset);
    }

    @Override
    public void read(ValueReader reader, MemorySegment slab, long byteOffset, float[] row, int to) {
        values.read(reader, slab, byteOffset, width, row, to);
    }
}
