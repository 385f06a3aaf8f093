package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;

/**
 * How the sparse-MLA row of one token in one layer lies in a slab. A row is the normalised latent, then the rotated
 * rotary key in its interleaved order. Everything is little endian; the bytes on the host are the same.
 *
 * <pre>
 * FP8   0..511     latent: 512 e4m3 codes, four tiles of 128
 *       512..527   four f32 scales, one per tile: value = code * scale
 *       528..655   rope: 64 bf16, not scaled
 * BF16  latent, then rope, 2 bytes per value
 * FP32  latent, then rope, 4 bytes per value
 * </pre>
 *
 * FP8 scales are written as {@code 2^ceil(log2(max(amax / 448, 1e-4)))} with {@code amax} the largest finite
 * magnitude of the tile; any f32 scale is read.
 */
public sealed interface RowFormat permits Fp8Row, PlainRow {
    /**
     * The format of rows of {@code latent} and {@code rope} values.
     *
     * @throws IllegalArgumentException for FP8 other than 512 + 64, and for widths whose rows are not whole longs
     */
    static RowFormat of(KvDtype dtype, int latent, int rope) {
        if (latent < 1 || rope < 0) {
            throw new IllegalArgumentException("row of latent " + latent + " and rope " + rope
                    + " values: expected at least 1 latent and 0 rope values");
        }
        return switch (dtype) {
            case FP8 -> Fp8Row.of(latent, rope);
            case BF16 -> PlainRow.of(PlainValues.BF16, latent, rope);
            case FP32 -> PlainRow.of(PlainValues.FP32, latent, rope);
        };
    }

    /** Bytes of one row, a multiple of 8. */
    int rowBytes();

    /** The byte of a row that holds the upper exponent bits of its first number, in FP8 of that number's scale. */
    int exponentByte();

    /** Stores the row that starts at {@code row[from]} at {@code byteOffset}, which need not be aligned. */
    void write(float[] row, int from, MemorySegment slab, long byteOffset);

    /** Loads the row at {@code byteOffset} to {@code row[to]} on, decoded by {@code reader}. */
    void read(ValueReader reader, MemorySegment slab, long byteOffset, float[] row, int to);

    /** As the other, by the plain reader. */
    default void read(MemorySegment slab, long byteOffset, float[] row, int to) {
        read(ValueReader.PLAIN, slab, byteOffset, row, to);
    }
}
