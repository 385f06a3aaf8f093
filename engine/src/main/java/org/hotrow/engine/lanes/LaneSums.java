package org.hotrow.engine.lanes;

/** How the 8 lanes of a sum end, for both providers. Takes floats: a vector handed to a method may become an object. */
final class LaneSums {
    private static final float[] ONES = {1, 1, 1, 1, 1, 1, 1, 1};

    private LaneSums() {}

    /** The lanes as a tree: 4 apart, then 2, 1. */
    static float tree(float s0, float s1, float s2, float s3, float s4, float s5, float s6, float s7) {
        return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
    }

    /** The lanes stored at {@code lanes[at ..]} as a tree. */
    static float tree(float[] lanes, int at) {
        return tree(
                lanes[at],
                lanes[at + 1],
                lanes[at + 2],
                lanes[at + 3],
                lanes[at + 4],
                lanes[at + 5],
                lanes[at + 6],
                lanes[at + 7]);
    }

    /** The lanes with the last products of a dot, one for each of the first {@code rest} lanes, as a tree. */
    static float dot(
            float s0,
            float s1,
            float s2,
            float s3,
            float s4,
            float s5,
            float s6,
            float s7,
            float[] a,
            int p,
            float[] b,
            int q,
            int rest) {
        return tree(
                rest > 0 ? Math.fma(a[p], b[q], s0) : s0,
                rest > 1 ? Math.fma(a[p + 1], b[q + 1], s1) : s1,
                rest > 2 ? Math.fma(a[p + 2], b[q + 2], s2) : s2,
                rest > 3 ? Math.fma(a[p + 3], b[q + 3], s3) : s3,
                rest > 4 ? Math.fma(a[p + 4], b[q + 4], s4) : s4,
                rest > 5 ? Math.fma(a[p + 5], b[q + 5], s5) : s5,
                rest > 6 ? Math.fma(a[p + 6], b[q + 6], s6) : s6,
                s7);
    }

    /** As {@link #dot}, with ones. */
    static float sum(
            float s0,
            float s1,
            float s2,
            float s3,
            float s4,
            float s5,
            float s6,
            float s7,
            float[] x,
            int p,
            int rest) {
        return dot(s0, s1, s2, s3, s4, s5, s6, s7, x, p, ONES, 0, rest);
    }
}
