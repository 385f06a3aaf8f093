package org.hotrow.kernels.tornado;

import org.hotrow.kernels.tornado.SparseMla.Arrays;
import org.hotrow.kernels.tornado.SparseMla.Shape;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * {@link SparseMla} in splits of 64 entries of the list, which only the index in the list decides.
 *
 * <pre>
 * split c     m(h,c) = max s(h,j)    l(h,c) = sum e^(s(h,j) - m(h,c))    o(h,c) = sum e^(s(h,j) - m(h,c)) latent(j)
 * combined    m = max m(h,c)         share(c) = e^(m(h,c) - m)
 *             out(h) = sum share(c) o(h,c) / sum share(c) l(h,c),        c ascending
 *
 * most, sum   [tokens][splits][heads]      m and l; a split without rows has l = 0, and its o isn't written
 * partial     [tokens][splits][heads][latent]
 * </pre>
 *
 * A group of {@link #partials} takes a split for 8 heads: 4 work-items share the dot products of a key, each every 4th
 * run of 8 values; then each sums two values of the latent for all 8 heads.
 *
 * <p>Partial results: {@code heads * (latent + 2)} floats a split, written and read once.
 */
public final class SparseMlaSplit {
    static final int KEYS = 64;
    private static final int HEADS = 8;
    private static final int LANES = 4;
    private static final int RUN = 8;
    private static final int ITEMS = KEYS * LANES;
    private static final int WARP = 32;
    private static final int COMBINE_ITEMS = 128;

    private SparseMlaSplit() {}

    /** Splits of a list of k entries. */
    static int splits(int k) {
        return (k + KEYS - 1) / KEYS;
    }

    /** Scratch between the two kernels. */
    public record Partials(FloatArray most, FloatArray sum, FloatArray partial) {
        /** Scratch for a shape. */
        public static Partials of(Shape shape) {
            int heads = Math.multiplyExact(shape.tokens() * splits(shape.k()), shape.heads());
            return new Partials(
                    new FloatArray(heads),
                    new FloatArray(heads),
                    new FloatArray(Math.multiplyExact(heads, shape.latent())));
        }
    }

    /** A group of 256 for one token, split and 8 heads. */
    public static void partials(
            KernelContext context,
            FloatArray query,
            IntArray rows,
            LongArray slab,
            IntArray layer,
            IntArray span,
            FloatArray codes,
            FloatArray exponents,
            FloatArray most,
            FloatArray sum,
            FloatArray partial,
            int heads,
            int latent,
            int rope,
            int k,
            int bits,
            float scale) {
        float[] dots = context.allocateFloatLocalArray(HEADS * ITEMS);
        float[] weights = context.allocateFloatLocalArray(HEADS * KEYS);
        float[] tree = context.allocateFloatLocalArray(ITEMS);
        float[] sums = new float[HEADS];
        int item = context.localIdx;
        int blocks = (heads + HEADS - 1) / HEADS;
        int head = context.groupIdx % blocks * HEADS;
        int split = context.groupIdx / blocks % splits(k);
        int token = context.groupIdx / blocks / splits(k);
        int width = latent + rope;
        int rowLongs = SlabRow.longs(bits, width);
        int layerInSlab = layer.get(SlabRow.LAYER_IN_SLAB);
        int layersInSlab = layer.get(SlabRow.LAYERS_IN_SLAB);
        int attends = SparseMla.attends(token, span);
        for (int h = 0; h < HEADS; h++) {
            sums[h] = 0f;
        }
        int row = SparseMla.entry(rows, token, split * KEYS + item / LANES, k);
        if (row >= 0 && attends == 1) {
            int at = SlabRow.at(row, layerInSlab, layersInSlab, rowLongs);
            for (int run = item % LANES * RUN; run < width; run += LANES * RUN) {
                for (int i = run; i < run + RUN; i++) {
                    float value = SlabRow.value(slab, at, i, bits, codes, exponents);
                    for (int h = 0; h < HEADS; h++) {
                        int q = token * heads + Math.min(head + h, heads - 1);
                        sums[h] += query.get(q * width + i) * value;
                    }
                }
            }
        }
        for (int h = 0; h < HEADS; h++) {
            dots[h * ITEMS + item] = sums[h];
        }
        context.localBarrier();
        // From here each warp has one of the heads, a lane of it two of the keys.
        int warp = item / WARP;
        int lane = item % WARP;
        float largest = SparseMla.NO_SCORE;
        for (int j = lane; j < KEYS; j += WARP) {
            int from = warp * ITEMS + j * LANES;
            float score = scale * (dots[from] + dots[from + 1] + dots[from + 2] + dots[from + 3]);
            if (SparseMla.entry(rows, token, split * KEYS + j, k) < 0) {
                score = SparseMla.NO_SCORE;
            }
            weights[warp * KEYS + j] = score;
            largest = Math.max(largest, score);
        }
        tree[item] = largest;
        for (int half = WARP / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (lane < half) {
                tree[item] = Math.max(tree[item], tree[item + half]);
            }
        }
        context.localBarrier();
        largest = tree[warp * WARP];
        context.localBarrier();
        float total = 0f;
        for (int j = lane; j < KEYS; j += WARP) {
            float weight = 0f;
            if (SparseMla.entry(rows, token, split * KEYS + j, k) >= 0) {
                weight = TornadoMath.exp(weights[warp * KEYS + j] - largest);
            }
            weights[warp * KEYS + j] = weight;
            total += weight;
        }
        tree[item] = total;
        for (int half = WARP / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (lane < half) {
                tree[item] += tree[item + half];
            }
        }
        context.localBarrier();
        int result = (token * splits(k) + split) * heads + head;
        if (attends == 1 && lane == 0 && head + warp < heads) {
            most.set(result + warp, largest);
            sum.set(result + warp, tree[item]);
        }
        int end = tree[0] == 0f ? 0 : latent * attends;
        for (int d = item; d < end; d += ITEMS) {
            for (int h = 0; h < HEADS; h++) {
                sums[h] = 0f;
            }
            for (int j = 0; j < KEYS; j++) {
                int key = SparseMla.entry(rows, token, split * KEYS + j, k);
                if (key >= 0) {
                    int at = SlabRow.at(key, layerInSlab, layersInSlab, rowLongs);
                    float value = SlabRow.latent(slab, at, d, bits, codes, exponents);
                    for (int h = 0; h < HEADS; h++) {
                        sums[h] += weights[h * KEYS + j] * value;
                    }
                }
            }
            for (int h = 0; h < HEADS; h++) {
                if (head + h < heads) {
                    partial.set((result + h) * latent + d, sums[h]);
                }
            }
        }
    }

    /** A group of 128 for one token and head. */
    public static void combine(
            KernelContext context,
            IntArray span,
            FloatArray most,
            FloatArray sum,
            FloatArray partial,
            FloatArray out,
            int heads,
            int latent,
            int k) {
        float[] shares = context.allocateFloatLocalArray(splits(k));
        int item = context.localIdx;
        int head = context.groupIdx % heads;
        int token = context.groupIdx / heads;
        int attends = SparseMla.attends(token, span);
        int from = token * splits(k) * heads + head;
        float largest = SparseMla.NO_SCORE;
        for (int c = 0; c < splits(k) * attends; c++) {
            largest = Math.max(largest, most.get(from + c * heads));
        }
        for (int c = item; c < splits(k) * attends; c += COMBINE_ITEMS) {
            shares[c] = TornadoMath.exp(most.get(from + c * heads) - largest);
        }
        context.localBarrier();
        float total = 0f;
        for (int c = 0; c < splits(k) * attends; c++) {
            total += shares[c] * sum.get(from + c * heads);
        }
        for (int d = item; d < latent * attends; d += COMBINE_ITEMS) {
            float value = 0f;
            for (int c = 0; c < splits(k); c++) {
                if (sum.get(from + c * heads) != 0f) {
                    value += shares[c] * partial.get((from + c * heads) * latent + d);
                }
            }
            out.set((token * heads + head) * latent + d, total == 0f ? 0f : value / total);
        }
    }

    /** Adds both kernels to the graph, as {@code task} and {@code task-combine}. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            float scale,
            Arrays arrays,
            Partials partials) {
        int blocks = (shape.heads() + HEADS - 1) / HEADS;
        Grids.groups(graph, grids, task, shape.tokens() * splits(shape.k()) * blocks, 1, ITEMS);
        graph.task(
                task,
                SparseMlaSplit::partials,
                new KernelContext(),
                arrays.query(),
                arrays.rows(),
                arrays.slab(),
                arrays.layer(),
                arrays.span(),
                arrays.codes(),
                arrays.exponents(),
                partials.most,
                partials.sum,
                partials.partial,
                shape.heads(),
                shape.latent(),
                shape.rope(),
                shape.k(),
                shape.bits(),
                scale);
        return appendCombine(graph, grids, task + "-combine", shape, arrays, partials);
    }

    static TaskGraph appendCombine(
            TaskGraph graph, GridScheduler grids, String task, Shape shape, Arrays arrays, Partials partials) {
        Grids.groups(graph, grids, task, shape.tokens() * shape.heads(), 1, COMBINE_ITEMS);
        return graph.task(
                task,
                SparseMlaSplit::combine,
                new KernelContext(),
                arrays.span(),
                partials.most,
                partials.sum,
                partials.partial,
                arrays.out(),
                shape.heads(),
                shape.latent(),
                shape.k());
    }
}
