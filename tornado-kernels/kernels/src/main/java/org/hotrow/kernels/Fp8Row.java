package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;

/** The 656-byte row; {@link RowFormat} draws it. */
enum Fp8Row implements RowFormat {
    INSTANCE;

    private static final int LATENT = 512;
    private static final int ROPE = 64;
    private static final Fp8Tile TILE = new Fp8Tile(128, 1e-4f);
    private static final int SCALES_AT = LATENT;
    private static final int ROPE_AT = SCALES_AT + LATENT / TILE.length() * Float.BYTES;
    private static final int ROW_BYTES = ROPE_AT + ROPE * Short.BYTES;

    static Fp8Row of(int latent, int rope) {
        if (latent != LATENT || rope != ROPE) {
            throw new IllegalArgumentException("fp8 rows hold latent " + LATENT + " and rope " + ROPE
                    + " values, this model has latent " + latent + " and rope " + rope);
        }
        return INSTANCE;
    }

    @Override
    public int rowBytes() {
        return ROW_BYTES;
    }

    @Override
    public int exponentByte() {
        return SCALES_AT + Float.BYTES - 1;
    }

    @Override
    public void write(float[] row, int from, MemorySegment slab, long byteOffset) {
        for (int i = 0; i < LATENT; i += TILE.length()) {
            TILE.write(row, from + i, slab, byteOffset + i, scaleAt(byteOffset, i));
        }
        PlainValues.BF16.write(row, from + LATENT, ROPE, slab, byteOffset + ROPE_AT);
    }

    @Override
    public void read(ValueReader reader, MemorySegment slab, long byteOffset, float[] row, int to) {
        for (int i = 0; i < LATENT; i += TILE.length()) {
            TILE.read(reader, slab, byteOffset + i, scaleAt(byteOffset, i), row, to + i);
        }
        PlainValues.BF16.read(reader, slab, byteOffset + ROPE_AT, ROPE, row, to + LATENT);
    }

    private static long scaleAt(long rowOffset, int latentIndex) {
        return rowOffset + SCALES_AT + (long) latentIndex / TILE.length() * Float.BYTES;
    }
}
