package org.hotrow.engine.lanes;

import java.lang.foreign.MemorySegment;

/**
 * Plain Java until the Vector API is compiled: before that, each of its operations is a call that allocates, and the
 * first tokens would take several times as long. Both give the same bits, so the change shows in nothing but the time.
 *
 * <p>The warm-up begins when the first token is near, or a prompt turns out to be long: a short prompt is done sooner
 * when the compiler has nothing else to do.
 */
final class WarmingLanes implements Lanes {
    private static final int MANY_TILES = 20_000;

    private final Lanes later;
    private volatile Lanes now = Lanes.plain();
    private int tiles;
    private boolean begun;

    WarmingLanes(Lanes later) {
        this.later = later;
    }

    private synchronized void begin() {
        if (!begun) {
            begun = true;
            Thread.ofPlatform().daemon().name("hotrow-warm-up").start(() -> {
                if (WarmUp.run(later)) {
                    now = later;
                }
            });
        }
    }

    @Override
    public Lanes now() {
        return now == later ? later : this;
    }

    @Override
    public String name() {
        return now.name();
    }

    @Override
    public float dot(float[] a, int ai, float[] b, int bi, int n) {
        return now.dot(a, ai, b, bi, n);
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
        now.dots(a, aFrom, m, b, bFrom, n, width, out, outFrom, outStride, room);
    }

    @Override
    public void addScaled(float a, float[] x, int xi, float[] y, int yi, int n) {
        now.addScaled(a, x, xi, y, yi, n);
    }

    @Override
    public void add(float[] x, int xi, float[] y, int yi, int n) {
        now.add(x, xi, y, yi, n);
    }

    @Override
    public void scale(float[] x, int xi, float factor, float[] out, int oi, int n) {
        now.scale(x, xi, factor, out, oi, n);
    }

    @Override
    public void scale(float[] x, int xi, float factor, float[] weight, float[] out, int oi, int n) {
        now.scale(x, xi, factor, weight, out, oi, n);
    }

    @Override
    public void swiglu(float[] gate, int gi, float[] up, int ui, float[] out, int oi, int n) {
        now.swiglu(gate, gi, up, ui, out, oi, n);
    }

    @Override
    public float max(float[] x, int xi, int n) {
        return now.max(x, xi, n);
    }

    @Override
    public void exp(float[] x, int xi, float shift, int n) {
        now.exp(x, xi, shift, n);
    }

    @Override
    public float sum(float[] x, int xi, int n) {
        return now.sum(x, xi, n);
    }

    @Override
    public void weightedRelu(float[] dots, int stride, int heads, float[] w, int wi, float[] out, int oi, int n) {
        now.weightedRelu(dots, stride, heads, w, wi, out, oi, n);
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
        Lanes lanes = now;
        // Workers may lose a count to each other; it need not be exact.
        if (lanes != later && ++tiles == MANY_TILES) {
            begin();
        }
        lanes.tile(block, bi, blockStride, n, x, xi, xStride, rows, out, oi, outStride);
    }

    @Override
    public void addTiles(float[] p, int rows, float[] scale, int si, float[] sums) {
        now.addTiles(p, rows, scale, si, sums);
    }

    @Override
    public void decode(PackedMatrix matrix, int panel, int segment, float[] block) {
        now.decode(matrix, panel, segment, block);
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
        Lanes lanes = now;
        if (lanes != later && !begun) {
            begin();
        }
        lanes.decodeTile(matrix, panel, segment, x, xi, xStride, rows, out, oi);
    }

    @Override
    public void e4m3(MemorySegment from, long offset, int count, float scale, float[] out, int to) {
        now.e4m3(from, offset, count, scale, out, to);
    }

    @Override
    public void bf16(MemorySegment from, long offset, int count, float[] out, int to) {
        now.bf16(from, offset, count, out, to);
    }
}
