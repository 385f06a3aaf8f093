package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * How the indexer's keys of 64 tokens of one anchor layer lie in a slab: one page, all values first, then all scales.
 * Everything is little endian.
 *
 * <pre>
 * FP8   0 .. 64*width-1           64 keys of width e4m3 codes
 *       64*width .. 64*width+255  64 f32 scales, one per key: value = code * scale
 * BF16  64 keys, 2 bytes per value
 * FP32  64 keys, 4 bytes per value
 * </pre>
 *
 * FP8 scales are written as {@code 2^ceil(log2(max(amax, 1e-4) / 448))} with {@code amax} the largest finite magnitude
 * of the key; any f32 scale is read.
 */
public sealed interface IndexFormat permits Fp8IndexPage, PlainIndexPage {
    /** Tokens of a page. */
    int TOKENS = 64;

    /**
     * The format of keys of {@code width} values.
     *
     * @throws IllegalArgumentException if width is below 1, or a page would not fit an int
     */
    static IndexFormat of(KvDtype dtype, int width) {
        if (width < 1 || width > Integer.MAX_VALUE / TOKENS / Float.BYTES - 1) {
            throw new IllegalArgumentException(
                    "index keys of " + width + " values: expected 1 or more, a page below 2^31 bytes");
        }
        return switch (dtype) {
            case FP8 -> new Fp8IndexPage(width);
            case BF16 -> new PlainIndexPage(PlainValues.BF16, width);
            case FP32 -> new PlainIndexPage(PlainValues.FP32, width);
        };
    }

    /** Bytes of one page, a multiple of 64. */
    int pageBytes();

    /** Bytes of the values of one key. Behind those of all keys of a page are the scales, in equal parts. */
    int valueBytes();

    /** Copies the first {@code count} keys of a page to where {@code target} has them. */
    default void copy(MemorySegment page, MemorySegment target, int count) {
        Objects.checkIndex(count, TOKENS + 1);
        long scales = (long) TOKENS * valueBytes();
        MemorySegment.copy(page, 0, target, 0, (long) count * valueBytes());
        MemorySegment.copy(page, scales, target, scales, count * (pageBytes() - scales) / TOKENS);
    }

    /** Stores the key at {@code key[from]} on as token {@code slot} (0..63) of the page at {@code pageOffset}. */
    void write(float[] key, int from, MemorySegment slab, long pageOffset, int slot);

    /** Loads the key of token {@code slot} (0..63) of the page at {@code pageOffset} to {@code key[to]} on, decoded by {@code reader}. */
    void read(ValueReader reader, MemorySegment slab, long pageOffset, int slot, float[] key, int to);

    /** As the other, by the plain reader. */
    default void read(MemorySegment slab, long pageOffset, int slot, float[] key, int to) {
        read(ValueReader.PLAIN, slab, pageOffset, slot, key, to);
    }
}
