package org.hotrow.engine.lanes;

import static jdk.incubator.vector.VectorOperators.MAX;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.hotrow.kernels.ValueReader;

/**
 * The loops with the Vector API, 8 floats at a time. Ends that are no whole vector go value by value, in the same
 * arithmetic.
 *
 * <p>Methods are small on purpose: the compiler keeps vectors in registers only while it inlines all of a loop.
 */
final class VectorLanes implements Lanes {
    static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;

    /** Bits of the vectors used. */
    static int bits() {
        return FLOATS.vectorBitSize();
    }

    /** Bits of the vectors that this machine prefers. */
    static int preferredBits() {
        return FloatVector.SPECIES_PREFERRED.vectorBitSize();
    }

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public float dot(float[] a, int ai, float[] b, int bi, int n) {
        return VectorDots.dot(a, ai, b, bi, n);
    }

    @Override
    public void dots(
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
            float[] room) {
        VectorDots.dots(a, aFrom, m, b, bFrom, n, width, out, outFrom, outStride, room);
    }

    @Override
    public void addScaled(float a, float[] x, int xi, float[] y, int yi, int n) {
        FloatVector factor = FloatVector.broadcast(FLOATS, a);
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            FloatVector.fromArray(FLOATS, x, xi + i)
                    .fma(factor, FloatVector.fromArray(FLOATS, y, yi + i))
                    .intoArray(y, yi + i);
        }
        for (; i < n; i++) {
            y[yi + i] = Math.fma(a, x[xi + i], y[yi + i]);
        }
    }

    @Override
    public void add(float[] x, int xi, float[] y, int yi, int n) {
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            FloatVector.fromArray(FLOATS, y, yi + i)
                    .add(FloatVector.fromArray(FLOATS, x, xi + i))
                    .intoArray(y, yi + i);
        }
        for (; i < n; i++) {
            y[yi + i] += x[xi + i];
        }
    }

    @Override
    public void scale(float[] x, int xi, float factor, float[] out, int oi, int n) {
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            FloatVector.fromArray(FLOATS, x, xi + i).mul(factor).intoArray(out, oi + i);
        }
        for (; i < n; i++) {
            out[oi + i] = x[xi + i] * factor;
        }
    }

    @Override
    public void scale(float[] x, int xi, float factor, float[] weight, float[] out, int oi, int n) {
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            FloatVector.fromArray(FLOATS, x, xi + i)
                    .mul(factor)
                    .mul(FloatVector.fromArray(FLOATS, weight, i))
                    .intoArray(out, oi + i);
        }
        for (; i < n; i++) {
            out[oi + i] = x[xi + i] * factor * weight[i];
        }
    }

    @Override
    public void swiglu(float[] gate, int gi, float[] up, int ui, float[] out, int oi, int n) {
        VectorExp.swiglu(gate, gi, up, ui, out, oi, n);
    }

    @Override
    public float max(float[] x, int xi, int n) {
        FloatVector most = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            most = most.lanewise(MAX, FloatVector.fromArray(FLOATS, x, xi + i));
        }
        float max = most.reduceLanes(MAX);
        for (; i < n; i++) {
            max = Math.max(max, x[xi + i]);
        }
        return max;
    }

    @Override
    public void exp(float[] x, int xi, float shift, int n) {
        VectorExp.exp(x, xi, shift, n);
    }

    @Override
    public float sum(float[] x, int xi, int n) {
        return VectorDots.sum(x, xi, n);
    }

    @Override
    public void weightedRelu(float[] dots, int stride, int heads, float[] w, int wi, float[] out, int oi, int n) {
        int j = 0;
        for (; j < n - WIDTH + 1; j += WIDTH) {
            FloatVector sum = FloatVector.zero(FLOATS);
            for (int h = 0; h < heads; h++) {
                sum = FloatVector.fromArray(FLOATS, dots, h * stride + j)
                        .lanewise(MAX, 0f)
                        .fma(FloatVector.broadcast(FLOATS, w[wi + h]), sum);
            }
            sum.intoArray(out, oi + j);
        }
        for (; j < n; j++) {
            float sum = 0;
            for (int h = 0; h < heads; h++) {
                sum = Math.fma(w[wi + h], Math.max(0f, dots[h * stride + j]), sum);
            }
            out[oi + j] = sum;
        }
    }

    @Override
    public void tile(
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
            int outStride) {
        int t = 0;
        for (; t < rows - 5; t += 6) {
            VectorTiles.six(
                    block, bi, blockStride, n, x, xi + t * xStride, xStride, out, oi + t * outStride, outStride);
        }
        for (; t < rows - 3; t += 4) {
            VectorTiles.four(
                    block, bi, blockStride, n, x, xi + t * xStride, xStride, out, oi + t * outStride, outStride);
        }
        for (; t < rows - 1; t += 2) {
            VectorTiles.two(
                    block, bi, blockStride, n, x, xi + t * xStride, xStride, out, oi + t * outStride, outStride);
        }
        if (t < rows) {
            VectorTiles.one(block, bi, blockStride, n, x, xi + t * xStride, out, oi + t * outStride);
        }
    }

    @Override
    public void addTiles(float[] p, int rows, float[] scale, int si, float[] sums) {
        FloatVector a = FloatVector.fromArray(FLOATS, scale, si);
        FloatVector b = FloatVector.fromArray(FLOATS, scale, si + WIDTH);
        for (int i = 0; i < rows * TILE; i += TILE) {
            FloatVector.fromArray(FLOATS, p, i)
                    .fma(a, FloatVector.fromArray(FLOATS, sums, i))
                    .intoArray(sums, i);
            FloatVector.fromArray(FLOATS, p, i + WIDTH)
                    .fma(b, FloatVector.fromArray(FLOATS, sums, i + WIDTH))
                    .intoArray(sums, i + WIDTH);
        }
    }

    @Override
    public void decode(PackedMatrix matrix, int panel, int segment, float[] block) {
        int n = matrix.column(segment + 1) - matrix.column(segment);
        long at = matrix.offset(panel, segment);
        switch (matrix.packing()) {
            case E4M3 -> VectorDecode.e4m3(matrix.data(), at, n, block);
            case BF16 -> VectorDecode.bf16(matrix.data(), at, n, block);
            case F32 -> VectorDecode.f32(matrix.data(), at, n, block);
        }
    }

    @Override
    public void decodeTile(
            PackedMatrix matrix,
            int panel,
            int segment,
            float[] x,
            int xi,
            int xStride,
            int rows,
            float[] out,
            int oi) {
        int n = matrix.column(segment + 1) - matrix.column(segment);
        long at = matrix.offset(panel, segment);
        float[] scale = matrix.scales();
        int si = matrix.scaleAt(panel, segment);
        if (rows == FEW_ROWS && matrix.packing() == Packing.E4M3) {
            VectorDecode.e4m3Tiles(matrix.data(), at, n, x, xi, xStride, scale, si, out, oi);
            return;
        }
        for (int t = 0; t < rows; t++) {
            int from = xi + t * xStride;
            int to = oi + t * TILE;
            switch (matrix.packing()) {
                case E4M3 -> VectorDecode.e4m3Tile(matrix.data(), at, n, x, from, scale, si, out, to);
                case BF16 -> VectorDecode.bf16Tile(matrix.data(), at, n, x, from, scale, si, out, to);
                case F32 -> VectorDecode.f32Tile(matrix.data(), at, n, x, from, scale, si, out, to);
            }
        }
    }

    @Override
    public void e4m3(MemorySegment from, long offset, int count, float scale, float[] out, int to) {
        int whole = count - count % WIDTH;
        float biased = scale * VectorDecode.BIAS;
        boolean done = biased <= Float.MAX_VALUE && VectorDecode.e4m3Run(from, offset, whole, biased, out, to);
        // A NaN, or a scale that leaves no room for the bias, is rare; the definition takes care of it.
        int first = done ? whole : 0;
        ValueReader.PLAIN.e4m3(from, offset + first, count - first, scale, out, to + first);
    }

    @Override
    public void bf16(MemorySegment from, long offset, int count, float[] out, int to) {
        int whole = count - count % WIDTH;
        VectorDecode.bf16Run(from, offset, whole, out, to);
        ValueReader.PLAIN.bf16(from, offset + 2L * whole, count - whole, out, to + whole);
    }
}
