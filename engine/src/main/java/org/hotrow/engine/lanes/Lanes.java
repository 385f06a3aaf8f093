package org.hotrow.engine.lanes;

import org.hotrow.kernels.ValueReader;

/**
 * The inner loops of the CPU device. Two providers, {@link PlainLanes} and {@link VectorLanes}, give the same bits: each
 * result has one order of operations, all of them fused multiply-adds or single IEEE operations.
 *
 * <pre>
 * dot      lane[l] = fma over i = l, l + 8, l + 16, ...     8 lanes, each ascending
 *          sum     = lanes added as a tree: 4 apart, then 2, 1
 * tile     p       = fma over k = 0, 1, 2, ...              16 outputs, each by itself
 * addTiles sum     = fma(p, scale, sum)
 * </pre>
 *
 * A vector unit of 8 floats does either without reordering. Where a product could be either, {@code tile} is the faster:
 * its lanes are outputs, so nothing is added across lanes.
 *
 * <p>Arrays come with the index of their first element and, where rows follow each other, their stride. Instances have
 * no state.
 */
public sealed interface Lanes extends ValueReader permits PlainLanes, VectorLanes, WarmingLanes {
    /** Lanes of a dot. */
    int WIDTH = 8;

    /** Outputs of a tile. */
    int TILE = 16;

    /** The loops in plain Java. */
    static Lanes plain() {
        return new PlainLanes();
    }

    /** The loops with the Vector API, whose module has to be loaded. */
    static Lanes vector() {
        return new VectorLanes();
    }

    /** What to use from here on: itself, unless it is on the way to another. */
    default Lanes now() {
        return this;
    }

    /** {@code plain} or {@code vector}. */
    String name();

    /** {@code sum a[ai + i] * b[bi + i]} for i below n. */
    float dot(float[] a, int ai, float[] b, int bi, int n);

    /** Floats of room that {@link #dots} needs. */
    int ROOM = 64;

    /**
     * All dots of two lists of rows of {@code width}: {@code out[outFrom + i * outStride + j] = a(i) . b(j)} for i below
     * m, j below n.
     *
     * @param room overwritten
     */
    void dots(
            float[] a,
            int aFrom,
            int m,
            float[] b,
            int bFrom,
            int n,
            int width,
            float[] out,
            int outFrom,
            int outStride,
            float[] room);

    /** {@code y[yi + i] = fma(a, x[xi + i], y[yi + i])} for i below n. */
    void addScaled(float a, float[] x, int xi, float[] y, int yi, int n);

    /** {@code y[yi + i] += x[xi + i]} for i below n. */
    void add(float[] x, int xi, float[] y, int yi, int n);

    /** {@code out[oi + i] = x[xi + i] * factor} for i below n. */
    void scale(float[] x, int xi, float factor, float[] out, int oi, int n);

    /** {@code out[oi + i] = x[xi + i] * factor * weight[i]} for i below n. */
    void scale(float[] x, int xi, float factor, float[] weight, float[] out, int oi, int n);

    /** {@code out = g / (1 + e^-g) * up} for n values g of {@code gate}; {@link Exp} for e. */
    void swiglu(float[] gate, int gi, float[] up, int ui, float[] out, int oi, int n);

    /** The largest of n values; NaN if any is. */
    float max(float[] x, int xi, int n);

    /** e^x by {@link Exp}. */
    default float exp(float x) {
        return Exp.of(x);
    }

    /** {@code x = e^(x - shift)} for n values in place; {@link Exp} for e. */
    void exp(float[] x, int xi, float shift, int n);

    /** {@code sum x[xi + i]} for i below n, in the order of {@link #dot} with ones. */
    float sum(float[] x, int xi, int n);

    /** {@code out[oi + j] = sum_h w[wi + h] * max(0, dots[h * stride + j])} for j below n, h ascending. NaN stays. */
    void weightedRelu(float[] dots, int stride, int heads, float[] w, int wi, float[] out, int oi, int n);

    /**
     * Rows of x times a block of n rows of 16: {@code out[oi + t * outStride + l] = sum_k block[bi + k * blockStride + l]
     * * x[xi + t * xStride + k]}, for l below 16 and t below rows.
     */
    void tile(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int xi,
            int xStride,
            int rows,
            float[] out,
            int oi,
            int outStride);

    /** {@code sums[t * 16 + l] = fma(p[t * 16 + l], scale[si + l], same)} for l below 16 and t below rows. */
    void addTiles(float[] p, int rows, float[] scale, int si, float[] sums);

    /**
     * Decodes a segment of a panel, for {@link #tile} with three rows of x or more: {@code block[k * 16 + l]}, k from the
     * segment's first column, l from the panel's first row.
     */
    void decode(PackedMatrix matrix, int panel, int segment, float[] block);

    /** Most rows of {@link #decodeTile}: more are faster with a block that is decoded once. */
    int FEW_ROWS = 2;

    /**
     * {@link #decode}, {@link #tile} with one or two rows of x and {@link #addTiles} in one; row t goes to
     * {@code out[oi + 16 * t ..]}.
     */
    void decodeTile(
            PackedMatrix matrix, int panel, int segment, float[] x, int xi, int xStride, int rows, float[] out, int oi);
}
