package org.hotrow.engine.lanes;

import static org.hotrow.engine.lanes.VectorLanes.FLOATS;

import jdk.incubator.vector.FloatVector;

/**
 * Six rows of x or four against a block of 16 columns: two sums in registers for each. Each sum waits for the one before
 * it, so four rows take as long as one: where some of six or four are missing, the last is computed again.
 */
final class VectorTiles {
    private VectorTiles() {}

    /** As {@link Lanes#tile}, for 16 columns. */
    static void tile(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
            int rows,
            float[] out,
            int oi,
            int outStride) {
        for (int t = 0; t < rows; ) {
            int left = rows - t;
            int xi = x0 + t * xStride;
            int to = oi + t * outStride;
            // Two fours do seven and eight rows sooner than six and then the rest.
            if (left > 8 || left == 5 || left == 6) {
                six(block, bi, blockStride, n, x, xi, xStride, Math.min(6, left), out, to, outStride);
                t += 6;
            } else {
                four(block, bi, blockStride, n, x, xi, xStride, Math.min(4, left), out, to, outStride);
                t += 4;
            }
        }
    }

    private static void six(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
            int rows,
            float[] out,
            int oi,
            int outStride) {
        FloatVector a0 = FloatVector.zero(FLOATS), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0;
        FloatVector b0 = a0, b1 = a0, b2 = a0, b3 = a0, b4 = a0, b5 = a0;
        int last = rows - 1;
        int x1 = x0 + Math.min(1, last) * xStride,
                x2 = x0 + Math.min(2, last) * xStride,
                x3 = x0 + Math.min(3, last) * xStride,
                x4 = x0 + Math.min(4, last) * xStride,
                x5 = x0 + Math.min(5, last) * xStride;
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
        a1.intoArray(out, oi + Math.min(1, last) * outStride);
        b1.intoArray(out, oi + Math.min(1, last) * outStride + 8);
        a2.intoArray(out, oi + Math.min(2, last) * outStride);
        b2.intoArray(out, oi + Math.min(2, last) * outStride + 8);
        a3.intoArray(out, oi + Math.min(3, last) * outStride);
        b3.intoArray(out, oi + Math.min(3, last) * outStride + 8);
        a4.intoArray(out, oi + Math.min(4, last) * outStride);
        b4.intoArray(out, oi + Math.min(4, last) * outStride + 8);
        a5.intoArray(out, oi + Math.min(5, last) * outStride);
        b5.intoArray(out, oi + Math.min(5, last) * outStride + 8);
    }

    private static void four(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int x0,
            int xStride,
            int rows,
            float[] out,
            int oi,
            int outStride) {
        FloatVector a0 = FloatVector.zero(FLOATS), a1 = a0, a2 = a0, a3 = a0;
        FloatVector b0 = a0, b1 = a0, b2 = a0, b3 = a0;
        int last = rows - 1;
        int x1 = x0 + Math.min(1, last) * xStride,
                x2 = x0 + Math.min(2, last) * xStride,
                x3 = x0 + Math.min(3, last) * xStride;
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
        a1.intoArray(out, oi + Math.min(1, last) * outStride);
        b1.intoArray(out, oi + Math.min(1, last) * outStride + 8);
        a2.intoArray(out, oi + Math.min(2, last) * outStride);
        b2.intoArray(out, oi + Math.min(2, last) * outStride + 8);
        a3.intoArray(out, oi + Math.min(3, last) * outStride);
        b3.intoArray(out, oi + Math.min(3, last) * outStride + 8);
    }
}
