package org.hotrow.kernels.tornado;

import org.hotrow.kernels.tornado.SparseMla.Arrays;
import org.hotrow.kernels.tornado.SparseMla.Shape;
import org.hotrow.kernels.tornado.SparseMlaSplit.Partials;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * {@link SparseMla} of a list that went to several groups, in parts: adds what they gave.
 *
 * <pre>
 * score       s(h,j) = scale / ln 2 * q(h) . row(j)
 * part c      m(h,c) = ceil(max s(h,j))     l(h,c) = sum 2^(s(h,j) - m(h,c))
 *                                           o(h,c) = sum 2^(s(h,j) - m(h,c)) latent(j)
 * combined    m = max m(h,c)                share(c) = 2^(m(h,c) - m)
 *             out(h) = sum share(c) o(h,c) / sum share(c) l(h,c),                   c ascending
 *
 * most, sum   [tokens][parts][heads]        m and l; a part without rows has l = 0, and its o isn't written
 * partial     [tokens][parts][heads][latent]
 * </pre>
 *
 * m is whole, so a share is a power of two and rounds nothing: it makes no difference how many parts are added here and how
 * many were added before.
 *
 * <p>Partial results beside the floor: {@code 4 * parts * heads * (latent + 2)} bytes a token, written once and read once.
 */
public final class SparseMlaCombine {
    static final float PER_LN2 = 1.442695f;
    static final float LN2 = 0.6931472f;

    private static final int ITEMS = 128;

    private SparseMlaCombine() {}

    /** A group of 128 for one token and head. */
    public static void combine(
            KernelContext context,
            IntArray span,
            FloatArray exponents,
            FloatArray most,
            FloatArray sum,
            FloatArray partial,
            FloatArray out,
            int heads,
            int latent,
            int parts) {
        float[] mosts = context.allocateFloatLocalArray(parts);
        float[] shares = context.allocateFloatLocalArray(parts);
        float[] sums = context.allocateFloatLocalArray(parts);
        int item = context.localIdx;
        int head = context.groupIdx % heads;
        int token = context.groupIdx / heads;
        int from = token * parts * heads + head;
        // As the span's numbers are not known when the kernel is compiled, it doesn't unroll its loops.
        int end = parts * SparseMla.attends(token, span);
        for (int c = item; c < end; c += ITEMS) {
            mosts[c] = most.get(from + c * heads);
            sums[c] = sum.get(from + c * heads);
        }
        context.localBarrier();
        float largest = SparseMla.NO_SCORE;
        for (int c = 0; c < end; c++) {
            largest = Math.max(largest, mosts[c]);
        }
        for (int c = item; c < end; c += ITEMS) {
            shares[c] = sums[c] == 0f ? 0f : powerOfTwo(exponents, mosts[c] - largest);
        }
        context.localBarrier();
        float total = 0f;
        for (int c = 0; c < end; c++) {
            total += shares[c] * sums[c];
        }
        int values = latent * SparseMla.attends(token, span);
        for (int d = item; d < values; d += ITEMS) {
            float value = 0f;
            for (int c = 0; c < end; c++) {
                if (shares[c] != 0f) {
                    value += shares[c] * partial.get((from + c * heads) * latent + d);
                }
            }
            out.set((token * heads + head) * latent + d, total == 0f ? 0f : value / total);
        }
    }

    /** 2 to a whole number of 0 or less; 0 if that were below the normal numbers. */
    static float powerOfTwo(FloatArray exponents, float exponent) {
        // Twice, since what becomes of a NaN as an int is the device's affair.
        int e = 127 + Math.max((int) Math.max(exponent, -127f), -127);
        float power = 0f;
        if (e > 0) {
            power = exponents.get(e);
        }
        return power;
    }

    static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            int parts,
            Arrays arrays,
            Partials partials) {
        Grids.groups(graph, grids, task, shape.tokens() * shape.heads(), 1, ITEMS);
        return graph.task(
                task,
                SparseMlaCombine::combine,
                Grids.CONTEXT,
                arrays.span(),
                arrays.exponents(),
                partials.most(),
                partials.sum(),
                partials.partial(),
                arrays.out(),
                shape.heads(),
                shape.latent(),
                parts);
    }
}
