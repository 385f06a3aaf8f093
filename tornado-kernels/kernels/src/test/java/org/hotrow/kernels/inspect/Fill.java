package org.hotrow.kernels.inspect;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.hotrow.kernels.ValueReader;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Random contents of large arrays: a few different rows and pages again and again, as encoding them takes its time. */
final class Fill {
    static final RowFormat ROWS = RowFormat.of(KvDtype.FP8, 512, 64);
    static final IndexFormat KEYS = IndexFormat.of(KvDtype.FP8, Sizes.INDEX_WIDTH);
    private static final int VARIETY = 61;

    private Fill() {}

    static void gaussian(FloatArray array, double size, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < array.getSize(); i++) {
            array.set(i, (float) (size * random.nextGaussian()));
        }
    }

    private static float[] gaussian(int count, SplittableRandom random) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    /** E4M3 codes of small numbers, none of them NaN. */
    static void codes(LongArray array, long seed) {
        byte[] some = new byte[1 << 16];
        new SplittableRandom(seed).nextBytes(some);
        for (int i = 0; i < some.length; i++) {
            some[i] = (byte) (some[i] & 0xBF);
        }
        MemorySegment pattern = MemorySegment.ofArray(some);
        MemorySegment segment = array.getSegment();
        // A prime of longs, so that rows of a matrix differ.
        int length = 8 * 8_191;
        for (long at = 0; at < segment.byteSize(); at += length) {
            MemorySegment.copy(pattern, 0, segment, at, Math.min(length, segment.byteSize() - at));
        }
    }

    /** Rows at these bytes of {@code memory}. */
    static void rows(MemorySegment memory, long[] offsets, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MemorySegment different = MemorySegment.ofArray(new long[VARIETY * Production.ROW_LONGS]);
        for (int i = 0; i < VARIETY; i++) {
            ROWS.write(gaussian(576, random), 0, different, (long) i * Sizes.ROW_BYTES);
        }
        for (int i = 0; i < offsets.length; i++) {
            long from = (long) (i % VARIETY) * Sizes.ROW_BYTES;
            MemorySegment.copy(different, from, memory, offsets[i], Sizes.ROW_BYTES);
        }
    }

    /** Pages of 64 index keys at these bytes of {@code memory}. */
    static void indexPages(MemorySegment memory, long[] offsets, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int bytes = KEYS.pageBytes();
        MemorySegment different = MemorySegment.ofArray(new long[VARIETY * bytes / Long.BYTES]);
        for (int i = 0; i < VARIETY * IndexFormat.TOKENS; i++) {
            float[] key = gaussian(Sizes.INDEX_WIDTH, random);
            KEYS.write(key, 0, different, (long) (i / IndexFormat.TOKENS) * bytes, i % IndexFormat.TOKENS);
        }
        for (int i = 0; i < offsets.length; i++) {
            MemorySegment.copy(different, (long) (i % VARIETY) * bytes, memory, offsets[i], bytes);
        }
    }

    static float[] key(MemorySegment slab, long page, int slot) {
        float[] key = new float[Sizes.INDEX_WIDTH];
        KEYS.read(ValueReader.PLAIN, slab, page, slot, key, 0);
        return key;
    }

    static float[] floats(FloatArray array, int from, int count) {
        return array.getSegment()
                .asSlice((long) from * Float.BYTES, (long) count * Float.BYTES)
                .toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    static float[] magnitudes(float[] values) {
        float[] result = values.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] = Math.abs(result[i]);
        }
        return result;
    }
}
