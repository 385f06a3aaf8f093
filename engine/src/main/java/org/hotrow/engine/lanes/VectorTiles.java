package org.hotrow.engine.lanes;

import static org.hotrow.engine.lanes.VectorLanes.FLOATS;

import jdk.incubator.vector.FloatVector;

/** Six, four or one rows of x against a block of 16 columns: 12, 8 or 2 sums in registers. */
final class VectorTiles {
    private VectorTiles() {}

    static void six(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
            float[] scale,
            int si,
            float[] out,
            int oi,
            int outStride) {
        FloatVector a0 = FloatVector.zero(FLOATS), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0;
        FloatVector b0 = a0, b1 = a0, b2 = a0, b3 = a0, b4 = a0, b5 = a0;
        int x1 = x0 + xStride, x2 = x1 + xStride, x3 = x2 + xStride, x4 = x3 + xStride, x5 = x4 + xStride;
        for (int k = 0; k < n; k++) {
            FloatVector a = FloatVector.fromArray(FLOATS, block, bi + k * blockStride);
            FloatVector b = FloatVector.fromArray(FLOATS, block, bi + k * blockStride + 8);
            FloatVector v = FloatVector.broadcast(FLOATS, x[x0 + k]);
            a0 = a.fma(v, a0);
            b0 = b.fma(v, b0);
            v = FloatVector.broadcast(FLOATS, x[x1 + k]);
            a1 = a.fma(v, a1);
            b1 = b.fma(v, b1);
            v = FloatVector.broadcast(FLOATS, x[x2 + k]);
            a2 = a.fma(v, a2);
            b2 = b.fma(v, b2);
            v = FloatVector.broadcast(FLOATS, x[x3 + k]);
            a3 = a.fma(v, a3);
            b3 = b.fma(v, b3);
            v = FloatVector.broadcast(FLOATS, x[x4 + k]);
            a4 = a.fma(v, a4);
            b4 = b.fma(v, b4);
            v = FloatVector.broadcast(FLOATS, x[x5 + k]);
            a5 = a.fma(v, a5);
            b5 = b.fma(v, b5);
        }
        store(a0, b0, scale, si, out, oi);
        store(a1, b1, scale, si, out, oi + outStride);
        store(a2, b2, scale, si, out, oi + 2 * outStride);
        store(a3, b3, scale, si, out, oi + 3 * outStride);
        store(a4, b4, scale, si, out, oi + 4 * outStride);
        store(a5, b5, scale, si, out, oi + 5 * outStride);
    }

    static void four(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
            float[] scale,
            int si,
            float[] out,
            int oi,
            int outStride) {
        FloatVector a0 = FloatVector.zero(FLOATS), a1 = a0, a2 = a0, a3 = a0;
        FloatVector b0 = a0, b1 = a0, b2 = a0, b3 = a0;
        int x1 = x0 + xStride, x2 = x1 + xStride, x3 = x2 + xStride;
        for (int k = 0; k < n; k++) {
            FloatVector a = FloatVector.fromArray(FLOATS, block, bi + k * blockStride);
            FloatVector b = FloatVector.fromArray(FLOATS, block, bi + k * blockStride + 8);
            FloatVector v = FloatVector.broadcast(FLOATS, x[x0 + k]);
            a0 = a.fma(v, a0);
            b0 = b.fma(v, b0);
            v = FloatVector.broadcast(FLOATS, x[x1 + k]);
            a1 = a.fma(v, a1);
            b1 = b.fma(v, b1);
            v = FloatVector.broadcast(FLOATS, x[x2 + k]);
            a2 = a.fma(v, a2);
            b2 = b.fma(v, b2);
            v = FloatVector.broadcast(FLOATS, x[x3 + k]);
            a3 = a.fma(v, a3);
            b3 = b.fma(v, b3);
        }
        store(a0, b0, scale, si, out, oi);
        store(a1, b1, scale, si, out, oi + outStride);
        store(a2, b2, scale, si, out, oi + 2 * outStride);
        store(a3, b3, scale, si, out, oi + 3 * outStride);
    }

    static void one(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            float[] scale,
            int si,
            float[] out,
            int oi) {
        FloatVector a0 = FloatVector.zero(FLOATS), b0 = a0;
        for (int k = 0; k < n; k++) {
            FloatVector v = FloatVector.broadcast(FLOATS, x[x0 + k]);
            a0 = FloatVector.fromArray(FLOATS, block, bi + k * blockStride).fma(v, a0);
            b0 = FloatVector.fromArray(FLOATS, block, bi + k * blockStride + 8).fma(v, b0);
        }
        store(a0, b0, scale, si, out, oi);
    }

    /** The end of a tile: {@code out = fma(p, scale, out)} for its 16 outputs. */
    static void store(FloatVector a, FloatVector b, float[] scale, int si, float[] out, int oi) {
        a.fma(FloatVector.fromArray(FLOATS, scale, si), FloatVector.fromArray(FLOATS, out, oi))
                .intoArray(out, oi);
        b.fma(FloatVector.fromArray(FLOATS, scale, si + 8), FloatVector.fromArray(FLOATS, out, oi + 8))
                .intoArray(out, oi + 8);
    }
}
