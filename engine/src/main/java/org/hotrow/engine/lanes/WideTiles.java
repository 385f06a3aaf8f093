package org.hotrow.engine.lanes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link VectorTiles} does, for machines with vectors of 16 floats: a block's 16 columns are one of them.
 *
 * <pre>
 * twelve     12 rows x 16 columns
 * eight       8 rows x 16 columns
 * fourByTwo   4 rows x 32 columns
 * </pre>
 *
 * Eight sums at least keep two units busy whose results take four cycles. Where there are fewer rows, the last is computed
 * again and again: that costs nothing.
 */
final class WideTiles {
    private static final VectorSpecies<Float> WIDE = FloatVector.SPECIES_512;

    /** Whether this machine prefers such vectors. */
    static final boolean HERE = FloatVector.SPECIES_PREFERRED.vectorBitSize() >= WIDE.vectorBitSize();

    private WideTiles() {}

    /** Rows from {@code x0} on, as {@link Lanes#tile}. */
    static void tile(
            float[] block,
            int bi,
            int blockStride,
            int columns,
            int n,
            float[] x,
            int x0,
            int xStride,
            int rows,
            float[] out,
            int oi,
            int outStride) {
        int c = 0;
        if (rows > 0 && rows <= 4) {
            for (; c < columns - Lanes.TILE; c += 2 * Lanes.TILE) {
                fourByTwo(block, bi + c, blockStride, n, x, x0, xStride, rows, out, oi + c, outStride);
            }
        }
        for (; c < columns; c += Lanes.TILE) {
            int t = 0;
            for (; t < rows - 8; t += 12) {
                int most = Math.min(12, rows - t);
                int to = oi + c + t * outStride;
                twelve(block, bi + c, blockStride, n, x, x0 + t * xStride, xStride, most, out, to, outStride);
            }
            if (t < rows) {
                int to = oi + c + t * outStride;
                eight(block, bi + c, blockStride, n, x, x0 + t * xStride, xStride, rows - t, out, to, outStride);
            }
        }
    }

    private static void twelve(
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
        int last = rows - 1;
        int x1 = x0 + Math.min(1, last) * xStride,
                x2 = x0 + Math.min(2, last) * xStride,
                x3 = x0 + Math.min(3, last) * xStride,
                x4 = x0 + Math.min(4, last) * xStride,
                x5 = x0 + Math.min(5, last) * xStride,
                x6 = x0 + Math.min(6, last) * xStride,
                x7 = x0 + Math.min(7, last) * xStride,
                x8 = x0 + Math.min(8, last) * xStride,
                x9 = x0 + Math.min(9, last) * xStride,
                x10 = x0 + Math.min(10, last) * xStride,
                x11 = x0 + Math.min(11, last) * xStride;
        FloatVector a0 = FloatVector.zero(WIDE),
                a1 = a0,
                a2 = a0,
                a3 = a0,
                a4 = a0,
                a5 = a0,
                a6 = a0,
                a7 = a0,
                a8 = a0,
                a9 = a0,
                a10 = a0,
                a11 = a0;
        for (int k = 0; k < n; k++) {
            FloatVector a = FloatVector.fromArray(WIDE, block, bi + k * blockStride);
            a0 = a.fma(FloatVector.broadcast(WIDE, x[x0 + k]), a0);
            a1 = a.fma(FloatVector.broadcast(WIDE, x[x1 + k]), a1);
            a2 = a.fma(FloatVector.broadcast(WIDE, x[x2 + k]), a2);
            a3 = a.fma(FloatVector.broadcast(WIDE, x[x3 + k]), a3);
            a4 = a.fma(FloatVector.broadcast(WIDE, x[x4 + k]), a4);
            a5 = a.fma(FloatVector.broadcast(WIDE, x[x5 + k]), a5);
            a6 = a.fma(FloatVector.broadcast(WIDE, x[x6 + k]), a6);
            a7 = a.fma(FloatVector.broadcast(WIDE, x[x7 + k]), a7);
            a8 = a.fma(FloatVector.broadcast(WIDE, x[x8 + k]), a8);
            a9 = a.fma(FloatVector.broadcast(WIDE, x[x9 + k]), a9);
            a10 = a.fma(FloatVector.broadcast(WIDE, x[x10 + k]), a10);
            a11 = a.fma(FloatVector.broadcast(WIDE, x[x11 + k]), a11);
        }
        a0.intoArray(out, oi);
        a1.intoArray(out, oi + Math.min(1, last) * outStride);
        a2.intoArray(out, oi + Math.min(2, last) * outStride);
        a3.intoArray(out, oi + Math.min(3, last) * outStride);
        a4.intoArray(out, oi + Math.min(4, last) * outStride);
        a5.intoArray(out, oi + Math.min(5, last) * outStride);
        a6.intoArray(out, oi + Math.min(6, last) * outStride);
        a7.intoArray(out, oi + Math.min(7, last) * outStride);
        a8.intoArray(out, oi + Math.min(8, last) * outStride);
        a9.intoArray(out, oi + Math.min(9, last) * outStride);
        a10.intoArray(out, oi + Math.min(10, last) * outStride);
        a11.intoArray(out, oi + Math.min(11, last) * outStride);
    }

    private static void eight(
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
        int last = rows - 1;
        int x1 = x0 + Math.min(1, last) * xStride,
                x2 = x0 + Math.min(2, last) * xStride,
                x3 = x0 + Math.min(3, last) * xStride,
                x4 = x0 + Math.min(4, last) * xStride,
                x5 = x0 + Math.min(5, last) * xStride,
                x6 = x0 + Math.min(6, last) * xStride,
                x7 = x0 + Math.min(7, last) * xStride;
        FloatVector a0 = FloatVector.zero(WIDE), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
        for (int k = 0; k < n; k++) {
            FloatVector a = FloatVector.fromArray(WIDE, block, bi + k * blockStride);
            a0 = a.fma(FloatVector.broadcast(WIDE, x[x0 + k]), a0);
            a1 = a.fma(FloatVector.broadcast(WIDE, x[x1 + k]), a1);
            a2 = a.fma(FloatVector.broadcast(WIDE, x[x2 + k]), a2);
            a3 = a.fma(FloatVector.broadcast(WIDE, x[x3 + k]), a3);
            a4 = a.fma(FloatVector.broadcast(WIDE, x[x4 + k]), a4);
            a5 = a.fma(FloatVector.broadcast(WIDE, x[x5 + k]), a5);
            a6 = a.fma(FloatVector.broadcast(WIDE, x[x6 + k]), a6);
            a7 = a.fma(FloatVector.broadcast(WIDE, x[x7 + k]), a7);
        }
        a0.intoArray(out, oi);
        a1.intoArray(out, oi + Math.min(1, last) * outStride);
        a2.intoArray(out, oi + Math.min(2, last) * outStride);
        a3.intoArray(out, oi + Math.min(3, last) * outStride);
        a4.intoArray(out, oi + Math.min(4, last) * outStride);
        a5.intoArray(out, oi + Math.min(5, last) * outStride);
        a6.intoArray(out, oi + Math.min(6, last) * outStride);
        a7.intoArray(out, oi + Math.min(7, last) * outStride);
    }

    private static void fourByTwo(
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
        int last = rows - 1;
        int x1 = x0 + Math.min(1, last) * xStride,
                x2 = x0 + Math.min(2, last) * xStride,
                x3 = x0 + Math.min(3, last) * xStride;
        FloatVector a0 = FloatVector.zero(WIDE), a1 = a0, a2 = a0, a3 = a0;
        FloatVector b0 = a0, b1 = a0, b2 = a0, b3 = a0;
        for (int k = 0; k < n; k++) {
            FloatVector a = FloatVector.fromArray(WIDE, block, bi + k * blockStride);
            FloatVector b = FloatVector.fromArray(WIDE, block, bi + k * blockStride + Lanes.TILE);
            FloatVector v = FloatVector.broadcast(WIDE, x[x0 + k]);
            a0 = a.fma(v, a0);
            b0 = b.fma(v, b0);
            v = FloatVector.broadcast(WIDE, x[x1 + k]);
            a1 = a.fma(v, a1);
            b1 = b.fma(v, b1);
            v = FloatVector.broadcast(WIDE, x[x2 + k]);
            a2 = a.fma(v, a2);
            b2 = b.fma(v, b2);
            v = FloatVector.broadcast(WIDE, x[x3 + k]);
            a3 = a.fma(v, a3);
            b3 = b.fma(v, b3);
        }
        a0.intoArray(out, oi);
        b0.intoArray(out, oi + Lanes.TILE);
        a1.intoArray(out, oi + Math.min(1, last) * outStride);
        b1.intoArray(out, oi + Math.min(1, last) * outStride + Lanes.TILE);
        a2.intoArray(out, oi + Math.min(2, last) * outStride);
        b2.intoArray(out, oi + Math.min(2, last) * outStride + Lanes.TILE);
        a3.intoArray(out, oi + Math.min(3, last) * outStride);
        b3.intoArray(out, oi + Math.min(3, last) * outStride + Lanes.TILE);
    }
}
