package org.hotrow.engine.lanes;

import static org.hotrow.engine.lanes.Lanes.WIDTH;
import static org.hotrow.engine.lanes.VectorLanes.FLOATS;

import jdk.incubator.vector.FloatVector;

/** Sums across lanes: single dots, and blocks of four rows by three or one that load each vector once. */
final class VectorDots {
    private VectorDots() {}

    static void dots(
            float[] a,
            int a0,
            int m,
            float[] b,
            int b0,
            int n,
            int width,
            float[] out,
            int outFrom,
            int outStride,
            float[] room) {
        int fours = width % WIDTH == 0 ? m - m % 4 : 0;
        for (int i = 0; i < fours; i += 4) {
            int to = outFrom + i * outStride;
            int j = 0;
            for (; j < n - 1; j += 2) {
                fourByTwo(a, a0 + i * width, b, b0 + j * width, width, room);
                four(room, 0, out, to + j, outStride);
                four(room, 4 * WIDTH, out, to + j + 1, outStride);
            }
            if (j < n) {
                fourByOne(a, a0 + i * width, b, b0 + j * width, width, room);
                four(room, 0, out, to + j, outStride);
            }
        }
        for (int i = fours; i < m; i++) {
            for (int j = 0; j < n; j++) {
                out[outFrom + i * outStride + j] = dot(a, a0 + i * width, b, b0 + j * width, width);
            }
        }
    }

    static float dot(float[] a, int ai, float[] b, int bi, int n) {
        FloatVector sum = FloatVector.zero(FLOATS);
        int whole = n - n % WIDTH;
        for (int i = 0; i < whole; i += WIDTH) {
            sum = FloatVector.fromArray(FLOATS, a, ai + i).fma(FloatVector.fromArray(FLOATS, b, bi + i), sum);
        }
        return LaneSums.dot(
                sum.lane(0),
                sum.lane(1),
                sum.lane(2),
                sum.lane(3),
                sum.lane(4),
                sum.lane(5),
                sum.lane(6),
                sum.lane(7),
                a,
                ai + whole,
                b,
                bi + whole,
                n - whole);
    }

    static float sum(float[] x, int xi, int n) {
        FloatVector sum = FloatVector.zero(FLOATS);
        int whole = n - n % WIDTH;
        for (int i = 0; i < whole; i += WIDTH) {
            sum = sum.add(FloatVector.fromArray(FLOATS, x, xi + i));
        }
        return LaneSums.sum(
                sum.lane(0),
                sum.lane(1),
                sum.lane(2),
                sum.lane(3),
                sum.lane(4),
                sum.lane(5),
                sum.lane(6),
                sum.lane(7),
                x,
                xi + whole,
                n - whole);
    }

    /** The lanes of eight sums: those of a's four rows with b's first row, then with its second. */
    private static void fourByTwo(float[] a, int a0, float[] b, int b0, int width, float[] lanes) {
        FloatVector s0 = FloatVector.zero(FLOATS), s1 = s0, s2 = s0, s3 = s0;
        FloatVector t0 = s0, t1 = s0, t2 = s0, t3 = s0;
        int a1 = a0 + width, a2 = a1 + width, a3 = a2 + width, b1 = b0 + width;
        for (int k = 0; k < width; k += WIDTH) {
            FloatVector x = FloatVector.fromArray(FLOATS, b, b0 + k);
            FloatVector y = FloatVector.fromArray(FLOATS, b, b1 + k);
            FloatVector v = FloatVector.fromArray(FLOATS, a, a0 + k);
            s0 = v.fma(x, s0);
            t0 = v.fma(y, t0);
            v = FloatVector.fromArray(FLOATS, a, a1 + k);
            s1 = v.fma(x, s1);
            t1 = v.fma(y, t1);
            v = FloatVector.fromArray(FLOATS, a, a2 + k);
            s2 = v.fma(x, s2);
            t2 = v.fma(y, t2);
            v = FloatVector.fromArray(FLOATS, a, a3 + k);
            s3 = v.fma(x, s3);
            t3 = v.fma(y, t3);
        }
        store(s0, s1, s2, s3, lanes, 0);
        store(t0, t1, t2, t3, lanes, 4 * WIDTH);
    }

    private static void fourByOne(float[] a, int a0, float[] b, int b0, int width, float[] lanes) {
        FloatVector s0 = FloatVector.zero(FLOATS), s1 = s0, s2 = s0, s3 = s0;
        for (int k = 0; k < width; k += WIDTH) {
            FloatVector x = FloatVector.fromArray(FLOATS, b, b0 + k);
            s0 = FloatVector.fromArray(FLOATS, a, a0 + k).fma(x, s0);
            s1 = FloatVector.fromArray(FLOATS, a, a0 + width + k).fma(x, s1);
            s2 = FloatVector.fromArray(FLOATS, a, a0 + 2 * width + k).fma(x, s2);
            s3 = FloatVector.fromArray(FLOATS, a, a0 + 3 * width + k).fma(x, s3);
        }
        store(s0, s1, s2, s3, lanes, 0);
    }

    private static void store(FloatVector s0, FloatVector s1, FloatVector s2, FloatVector s3, float[] lanes, int at) {
        s0.intoArray(lanes, at);
        s1.intoArray(lanes, at + WIDTH);
        s2.intoArray(lanes, at + 2 * WIDTH);
        s3.intoArray(lanes, at + 3 * WIDTH);
    }

    /** Adds up four sums. Through memory: shuffling the lanes costs more than these few adds. */
    private static void four(float[] lanes, int at, float[] out, int to, int stride) {
        out[to] = LaneSums.tree(lanes, at);
        out[to + stride] = LaneSums.tree(lanes, at + WIDTH);
        out[to + 2 * stride] = LaneSums.tree(lanes, at + 2 * WIDTH);
        out[to + 3 * stride] = LaneSums.tree(lanes, at + 3 * WIDTH);
    }
}
