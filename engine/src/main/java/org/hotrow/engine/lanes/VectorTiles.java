package org.hotrow.engine.lanes;

import static org.hotrow.engine.lanes.VectorLanes.FLOATS;

import jdk.incubator.vector.FloatVector;

/**
 * Six, four, two rows of x or one against a block of 16 columns: two sums in registers for each. Two rows take as long as
 * one, for which each sum waits for the one before it.
 */
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
        a0.intoArray(out, oi);
        b0.intoArray(out, oi + 8);
        a1.intoArray(out, oi + outStride);
        b1.intoArray(out, oi + outStride + 8);
        a2.intoArray(out, oi + 2 * outStride);
        b2.intoArray(out, oi + 2 * outStride + 8);
        a3.intoArray(out, oi + 3 * outStride);
        b3.intoArray(out, oi + 3 * outStride + 8);
        a4.intoArray(out, oi + 4 * outStride);
        b4.intoArray(out, oi + 4 * outStride + 8);
        a5.intoArray(out, oi + 5 * outStride);
        b5.intoArray(out, oi + 5 * outStride + 8);
    }

    static void four(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
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
        a0.intoArray(out, oi);
        b0.intoArray(out, oi + 8);
        a1.intoArray(out, oi + outStride);
        b1.intoArray(out, oi + outStride + 8);
        a2.intoArray(out, oi + 2 * outStride);
        b2.intoArray(out, oi + 2 * outStride + 8);
        a3.intoArray(out, oi + 3 * outStride);
        b3.intoArray(out, oi + 3 * outStride + 8);
    }

    static void two(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
            float[] out,
            int oi,
            int outStride) {
        FloatVector a0 = FloatVector.zero(FLOATS), a1 = a0;
        FloatVector b0 = a0, b1 = a0;
        int x1 = x0 + xStride;
        for (int k = 0; k < n; k++) {
            FloatVector a = FloatVector.fromArray(FLOATS, block, bi + k * blockStride);
            FloatVector b = FloatVector.fromArray(FLOATS, block, bi + k * blockStride + 8);
            FloatVector v = FloatVector.broadcast(FLOATS, x[x0 + k]);
            a0 = a.fma(v, a0);
            b0 = b.fma(v, b0);
            v = FloatVector.broadcast(FLOATS, x[x1 + k]);
            a1 = a.fma(v, a1);
            b1 = b.fma(v, b1);
        }
        a0.intoArray(out, oi);
        b0.intoArray(out, oi + 8);
        a1.intoArray(out, oi + outStride);
        b1.intoArray(out, oi + outStride + 8);
    }

    static void one(float[] block, int bi, int blockStride, int n, float[] x, int x0, float[] out, int oi) {
        FloatVector a0 = FloatVector.zero(FLOATS), b0 = a0;
        for (int k = 0; k < n; k++) {
            FloatVector v = FloatVector.broadcast(FLOATS, x[x0 + k]);
            a0 = FloatVector.fromArray(FLOATS, block, bi + k * blockStride).fma(v, a0);
            b0 = FloatVector.fromArray(FLOATS, block, bi + k * blockStride + 8).fma(v, b0);
        }
        a0.intoArray(out, oi);
        b0.intoArray(out, oi + 8);
    }
}
