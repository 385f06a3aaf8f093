package org.hotrow.kernels.tornado;

import org.hotrow.kernels.KvDtype;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Attention of each token over the rows that were selected for it; all heads share the rows.
 *
 * <pre>
 * s(h,j)   = scale * q(h) . row(j)                     width = latent + rope values
 * out(h)   = sum_j e^s(h,j) latent(j) / sum_j e^s(h,j)
 *
 * query    [tokens][heads][latent + rope]
 * rows     [tokens][k]      row ids; -1 masks, a list without rows gives 0
 * slab     [blocks][layers in slab][64][row], see SlabRow
 * layer    {layer in slab, layers in slab}
 * span     {first, end}     the tokens that attend; the others' out stays as it is
 * out      [tokens][heads][latent]
 *
 * floor    bytes            multiply-adds          per token
 * rows     k * row bytes    heads * k * width      scores
 * ids      4 * k            heads * k * latent     weighted sum
 * query    4 * heads * width
 * out      4 * heads * latent
 * </pre>
 *
 * {@link #plain} is one group per token and head, which reads every row once per head. {@link SparseMlaSplit} reads it
 * once per 8 heads and has groups enough for a lone token, {@link SparseMlaTensor} once for all heads; what they move
 * between kernels beside the floor, {@link SparseMlaCombine} says.
 */
public final class SparseMla {
    /** The lowest score: below any of a row, and finite because OpenCL's fast arithmetic may not know infinity. */
    static final float NO_SCORE = -Float.MAX_VALUE;

    private static final int KEYS = 64;
    private static final int MOST_LATENT = 512;

    private SparseMla() {}

    /**
     * Sizes that don't change.
     *
     * @param tokens rows of the step
     * @param k entries of a list
     */
    public record Shape(int tokens, int heads, int latent, int rope, int k, KvDtype dtype) {
        /** Refuses what the kernels can't do. */
        public Shape {
            if (tokens < 1 || k < 1 || heads < 1 || heads > 64 || latent < 8 || latent > MOST_LATENT || rope < 0) {
                throw new IllegalArgumentException("sparse MLA of " + tokens + " tokens, " + heads + " heads, latent "
                        + latent + ", rope " + rope + ", top " + k + ": expected 1 to 64 heads, latent 8 to 512");
            }
            if (latent % 8 != 0 || rope % 8 != 0 || rope > 64) {
                throw new IllegalArgumentException("sparse MLA rows of latent " + latent + " and rope " + rope
                        + " values: expected multiples of 8, rope at most 64");
            }
            if (dtype == KvDtype.FP8 && (latent != 512 || rope != 64)) {
                throw new IllegalArgumentException(
                        "fp8 rows hold latent 512 and rope 64 values, not " + latent + " and " + rope);
            }
            Elements.count("queries", tokens, heads, latent + rope);
            Elements.count("row lists", tokens, k);
        }

        /** Values of a row and of a head's query. */
        public int width() {
            return latent + rope;
        }

        /** Bits of a stored latent value. */
        int bits() {
            return SlabRow.bits(dtype);
        }

        /** Bytes that memory must move if no two tokens share a row. */
        public long floorBytes() {
            long row = (long) Long.BYTES * SlabRow.longs(bits(), width());
            return tokens * ((long) k * (row + Integer.BYTES) + 4L * heads * (width() + latent));
        }

        /** Multiply-adds of scores and sums. */
        public long multiplyAdds() {
            return (long) tokens * heads * k * (width() + latent);
        }
    }

    /**
     * What the kernels read and write.
     *
     * @param codes {@link Fp8Codes#table}
     * @param exponents {@link Exponents#table}
     */
    public record Arrays(
            FloatArray query,
            IntArray rows,
            LongArray slab,
            IntArray layer,
            IntArray span,
            FloatArray codes,
            FloatArray exponents,
            FloatArray out) {}

    /**
     * One token with double sums.
     *
     * @param query {@code [heads][latent + rope]}
     * @param keys the decoded rows of the list, {@code [n][latent + rope]}
     * @param n rows of the list
     */
    public static double[] reference(float[] query, float[] keys, int n, int heads, int latent, int rope, float scale) {
        int width = latent + rope;
        double[] out = new double[heads * latent];
        double[] scores = new double[n];
        for (int h = 0; h < heads; h++) {
            double largest = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < n; j++) {
                double dot = 0;
                for (int i = 0; i < width; i++) {
                    dot += (double) query[h * width + i] * keys[j * width + i];
                }
                scores[j] = dot * scale;
                largest = Math.max(largest, scores[j]);
            }
            double sum = 0;
            for (int j = 0; j < n; j++) {
                scores[j] = Math.exp(scores[j] - largest);
                sum += scores[j];
            }
            for (int j = 0; j < n; j++) {
                for (int d = 0; d < latent; d++) {
                    out[h * latent + d] += scores[j] / sum * keys[j * width + d];
                }
            }
        }
        return out;
    }

    /** A group of 64 for one token and head: each work-item scores one of 64 keys, then sums every 64th value. */
    public static void plain(
            KernelContext context,
            FloatArray query,
            IntArray rows,
            LongArray slab,
            IntArray layer,
            IntArray span,
            FloatArray codes,
            FloatArray exponents,
            FloatArray out,
            int heads,
            int latent,
            int rope,
            int k,
            int bits,
            float scale) {
        float[] scores = context.allocateFloatLocalArray(KEYS);
        float[] sums = new float[MOST_LATENT / KEYS];
        int item = context.localIdx;
        int token = context.groupIdx / heads;
        int width = latent + rope;
        int rowLongs = SlabRow.longs(bits, width);
        int layerInSlab = layer.get(SlabRow.LAYER_IN_SLAB);
        int layersInSlab = layer.get(SlabRow.LAYERS_IN_SLAB);
        int end = attends(token, span) * k;
        for (int i = 0; i < MOST_LATENT / KEYS; i++) {
            sums[i] = 0f;
        }
        float largest = NO_SCORE;
        float sum = 0f;
        for (int from = 0; from < end; from += KEYS) {
            float score = NO_SCORE;
            int row = entry(rows, token, from + item, k);
            if (row >= 0) {
                int at = SlabRow.at(row, layerInSlab, layersInSlab, rowLongs);
                score = scale * dot(query, context.groupIdx * width, slab, at, width, bits, codes, exponents);
            }
            scores[item] = score;
            context.localBarrier();
            float before = largest;
            for (int j = 0; j < KEYS; j++) {
                largest = Math.max(largest, scores[j]);
            }
            float kept = TornadoMath.exp(before - largest);
            sum *= kept;
            for (int i = 0; i < MOST_LATENT / KEYS; i++) {
                sums[i] *= kept;
            }
            for (int j = 0; j < KEYS; j++) {
                int key = entry(rows, token, from + j, k);
                if (key >= 0) {
                    float weight = TornadoMath.exp(scores[j] - largest);
                    int at = SlabRow.at(key, layerInSlab, layersInSlab, rowLongs);
                    sum += weight;
                    for (int i = 0; i < MOST_LATENT / KEYS; i++) {
                        int d = item + KEYS * i;
                        if (d < latent) {
                            sums[i] += weight * SlabRow.latent(slab, at, d, bits, codes, exponents);
                        }
                    }
                }
            }
            context.localBarrier();
        }
        for (int i = 0; i < MOST_LATENT / KEYS; i++) {
            int d = item + KEYS * i;
            if (d < latent && end > 0) {
                out.set(context.groupIdx * latent + d, sum == 0f ? 0f : sums[i] / sum);
            }
        }
    }

    /** 1 if the token is one of the span. */
    static int attends(int token, IntArray span) {
        int attends = 0;
        if (token >= span.get(0) && token < span.get(1)) {
            attends = 1;
        }
        return attends;
    }

    /** Entry i of a token's list; -1 behind its end. */
    static int entry(IntArray rows, int token, int i, int k) {
        int row = -1;
        if (i < k) {
            row = rows.get(token * k + i);
        }
        return row;
    }

    private static float dot(
            FloatArray query,
            int from,
            LongArray slab,
            int at,
            int width,
            int bits,
            FloatArray codes,
            FloatArray exponents) {
        float sum = 0f;
        for (int i = 0; i < width; i++) {
            sum += query.get(from + i) * SlabRow.value(slab, at, i, bits, codes, exponents);
        }
        return sum;
    }

    /** Adds {@link #plain} to the graph. */
    public static TaskGraph append(
            TaskGraph graph, GridScheduler grids, String task, Shape shape, float scale, Arrays arrays) {
        Grids.groups(graph, grids, task, shape.tokens() * shape.heads(), 1, KEYS);
        return graph.task(
                task,
                SparseMla::plain,
                Grids.CONTEXT,
                arrays.query,
                arrays.rows,
                arrays.slab,
                arrays.layer,
                arrays.span,
                arrays.codes,
                arrays.exponents,
                arrays.out,
                shape.heads(),
                shape.latent(),
                shape.rope(),
                shape.k(),
                shape.bits(),
                scale);
    }
}
