package org.hotrow.kernels.tornado;

import org.hotrow.kernels.KvDtype;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The lightning indexer's score of every position that a token may see.
 *
 * <pre>
 * score(t,s)   = sum_h scale * w(t,h) * relu(q(t,h) . key(s)),   s = 0 to position[t]
 *
 * query        [tokens][heads][width]
 * weights      [tokens][heads]
 * request      [tokens]                   seat; padding -1
 * position     [tokens]
 * indexTable   [seats][index blocks]
 * slab         index block = [pages of a block][anchors in slab][index page], see {@link org.hotrow.kernels.IndexFormat}
 * anchor       {anchor in slab, anchors in slab, longs of a slab block}
 * scores       [tokens][most tokens]      the bits of f32: RadixTopK sorts them as ints
 *
 * floor        bytes                      multiply-adds           per token
 * keys         positions * key bytes      positions * heads * width
 * query        4 * heads * (width + 1)
 * scores       4 * positions
 * </pre>
 *
 * A token with no more than k positions needs no scores and gets none.
 *
 * <p>Groups share a token's pages of 64 keys evenly. A group keeps the query in local memory and brings 16 longs of each
 * key of a page there at a time; a work-item has one key and a quarter of the heads. Heads are summed in each quarter,
 * ascending, then the quarters.
 */
public final class IndexScores {
    static final int KEYS = 64;
    private static final int QUARTERS = 4;
    private static final int ITEMS = KEYS * QUARTERS;
    private static final int CODES = 256;
    /** Two on each multiprocessor of an H200. */
    private static final int FULL_GRID = 264;

    private static final int STAGED = 16;
    private static final int MOST_HEADS = 64;
    private static final int MOST_WIDTH = 128;

    private IndexScores() {}

    /**
     * Sizes that don't change.
     *
     * @param width values of a key
     * @param k positions that need no scores
     * @param mostTokens positions that a token's scores have room for
     * @param indexBlocks of a request
     * @param pagesPerBlock pages of an anchor in an index block
     */
    public record Shape(
            int tokens,
            int heads,
            int width,
            int k,
            int mostTokens,
            int indexBlocks,
            int pagesPerBlock,
            KvDtype dtype) {
        /** Refuses what the kernel can't do. */
        public Shape {
            if (heads < 1 || heads > MOST_HEADS || width < 8 || width > MOST_WIDTH || width % 8 != 0) {
                throw new IllegalArgumentException("index scores of " + heads + " heads of " + width
                        + " values: expected 1 to 64 heads of 8 to 128 values, a multiple of 8");
            }
            if (tokens < 1 || mostTokens < 1 || mostTokens > (long) indexBlocks * pagesPerBlock * KEYS) {
                throw new IllegalArgumentException("index scores of " + mostTokens + " positions: " + indexBlocks
                        + " index blocks of " + pagesPerBlock + " pages hold "
                        + (long) indexBlocks * pagesPerBlock * KEYS);
            }
            Elements.count("scores", tokens, mostTokens);
            Elements.count("queries", tokens, heads, width);
        }

        int bits() {
            return SlabRow.bits(dtype);
        }

        /** Groups that share a token's pages. */
        int groups() {
            return Math.clamp(FULL_GRID / tokens, 1, Math.ceilDiv(mostTokens, KEYS));
        }

        /** Bytes that memory must move for one token at a position. */
        public long floorBytes(int position) {
            long key = (long) width * bits() / 8 + (dtype == KvDtype.FP8 ? 4 : 0);
            return position < k ? 0 : (position + 1L) * (key + 4) + 4L * heads * (width + 1);
        }

        /** Multiply-adds for one token at a position. */
        public long multiplyAdds(int position) {
            return position < k ? 0 : (position + 1L) * heads * width;
        }
    }

    /**
     * One token with double sums.
     *
     * @param keys decoded, {@code [n][width]}
     * @return the scores of positions 0 to n - 1
     */
    public static double[] reference(float[] query, float[] weights, float[] keys, int n, int width, float scale) {
        double[] scores = new double[n];
        for (int s = 0; s < n; s++) {
            for (int h = 0; h < weights.length; h++) {
                double dot = 0;
                for (int i = 0; i < width; i++) {
                    dot += (double) query[h * width + i] * keys[s * width + i];
                }
                scores[s] += (double) scale * weights[h] * Math.max(dot, 0);
            }
        }
        return scores;
    }

    /** A group of 256 for a token and its share of the pages. */
    public static void score(
            KernelContext context,
            FloatArray query,
            FloatArray weights,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            LongArray slab,
            IntArray anchor,
            FloatArray codes,
            FloatArray exponents,
            IntArray scores,
            int heads,
            int width,
            int k,
            int mostTokens,
            int indexBlocks,
            int pagesPerBlock,
            int bits,
            float scale,
            int groups) {
        int each = (heads + QUARTERS - 1) / QUARTERS;
        int[] facts = context.allocateIntLocalArray(2);
        float[] values = context.allocateFloatLocalArray(CODES);
        float[] powers = context.allocateFloatLocalArray(CODES);
        float[] q = context.allocateFloatLocalArray(QUARTERS * each * width);
        float[] factors = context.allocateFloatLocalArray(QUARTERS * each);
        float[] sums = context.allocateFloatLocalArray(ITEMS);
        long[] staged = context.allocateLongLocalArray(KEYS * (STAGED + 1));
        float[] dots = new float[MOST_HEADS / QUARTERS];
        int item = context.localIdx;
        int token = context.groupIdx / groups;
        if (item == 0) {
            facts[0] = request.get(token);
            facts[1] = position.get(token);
        }
        context.localBarrier();
        int seat = facts[0];
        int last = facts[1];
        int pages = seat < 0 || last < k ? 0 : last / KEYS + 1;
        int first = context.groupIdx % groups * ((pages + groups - 1) / groups);
        int end = Math.min(pages, first + (pages + groups - 1) / groups);
        if (first < end) {
            values[item] = codes.get(item);
            powers[item] = exponents.get(item);
            for (int i = item; i < heads * width; i += ITEMS) {
                q[i] = query.get(token * heads * width + i);
            }
            for (int i = heads * width + item; i < QUARTERS * each * width; i += ITEMS) {
                q[i] = 0f;
            }
            if (item < heads) {
                factors[item] = scale * weights.get(token * heads + item);
            }
        }
        int key = item % KEYS;
        int from = item / KEYS * each;
        int keyLongs = width * bits / 64;
        int stages = (keyLongs + STAGED - 1) / STAGED;
        for (int page = first; page < end; page++) {
            int at = pageAt(indexTable, seat * indexBlocks, page, pagesPerBlock, anchor, keyLongs, bits);
            for (int h = 0; h < each; h++) {
                dots[h] = 0f;
            }
            for (int stage = 0; stage < stages; stage++) {
                int longs = Math.min(STAGED, keyLongs - stage * STAGED);
                context.localBarrier();
                for (int i = item; i < KEYS * longs; i += ITEMS) {
                    staged[i / longs * (STAGED + 1) + i % longs] =
                            slab.get(at + i / longs * keyLongs + stage * STAGED + i % longs);
                }
                context.localBarrier();
                for (int i = 0; i < longs * 64 / bits; i++) {
                    int code = (int) (staged[key * (STAGED + 1) + i * bits / 64] >> (i * bits % 64));
                    float value = 0f;
                    if (bits == 8) {
                        value = values[code & 0xFF];
                    } else {
                        value = SlabRow.significand(code, bits) * powers[SlabRow.exponent(code, bits)];
                    }
                    for (int h = 0; h < each; h++) {
                        dots[h] += q[(from + h) * width + stage * STAGED * 64 / bits + i] * value;
                    }
                }
            }
            float keyScale = 1f;
            if (bits == 8) {
                keyScale = SlabRow.f32(slab.get(at + KEYS * keyLongs + key / 2), key, exponents);
            }
            float sum = 0f;
            for (int h = 0; h < each; h++) {
                float dot = dots[h] * keyScale;
                // As it stands a NaN stays one; as a maximum or a negated comparison it would be lost.
                if (dot < 0f) {
                    dot = 0f;
                }
                if (from + h < heads) {
                    sum += factors[from + h] * dot;
                }
            }
            sums[item] = sum;
            context.localBarrier();
            int s = page * KEYS + item;
            if (item < KEYS && s <= last) {
                float score = sums[item] + sums[item + KEYS] + sums[item + 2 * KEYS] + sums[item + 3 * KEYS];
                scores.set(token * mostTokens + s, Float.floatToRawIntBits(score));
            }
        }
    }

    /** Where the page of an anchor begins. */
    private static int pageAt(
            IntArray indexTable, int table, int page, int pagesPerBlock, IntArray anchor, int keyLongs, int bits) {
        int pageLongs = KEYS * keyLongs;
        if (bits == 8) {
            pageLongs += KEYS / 2;
        }
        int block = indexTable.get(table + page / pagesPerBlock);
        return block * anchor.get(2) + (page % pagesPerBlock * anchor.get(1) + anchor.get(0)) * pageLongs;
    }

    /**
     * What the kernel reads and writes.
     *
     * @param codes {@link Fp8Codes#table}
     * @param exponents {@link Exponents#table}
     */
    public record Arrays(
            FloatArray query,
            FloatArray weights,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            LongArray slab,
            IntArray anchor,
            FloatArray codes,
            FloatArray exponents,
            IntArray scores) {}

    /** Adds {@link #score} to the graph. */
    public static TaskGraph append(
            TaskGraph graph, GridScheduler grids, String task, Shape shape, float scale, Arrays arrays) {
        Grids.groups(graph, grids, task, Elements.count("groups", shape.tokens, shape.groups()), 1, ITEMS);
        return graph.task(
                task,
                IndexScores::score,
                Grids.CONTEXT,
                arrays.query,
                arrays.weights,
                arrays.request,
                arrays.position,
                arrays.indexTable,
                arrays.slab,
                arrays.anchor,
                arrays.codes,
                arrays.exponents,
                arrays.scores,
                shape.heads,
                shape.width,
                shape.k,
                shape.mostTokens,
                shape.indexBlocks,
                shape.pagesPerBlock,
                shape.bits(),
                scale,
                shape.groups());
    }
}
