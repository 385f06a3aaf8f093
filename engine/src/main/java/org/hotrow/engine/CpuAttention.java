package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.allocator.Block;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.AttentionConfig;

/**
 * Sparse MLA over row ids, all heads on the same rows of {@code [latent | rope]}.
 *
 * <pre>
 * list       entries 0 .. 63 | 64 .. 127 | ...            splits, by the index in the list alone
 * split c    s(h,j) = q(h) . row(j) * scale               its valid rows, decoded once for all heads
 *            m(h,c) = max s,  l(h,c) = sum e^(s - m),  o(h,c) = sum e^(s - m) latent(j)
 * combined   m = max m(h,c),  l = sum l(h,c) e^(m(h,c) - m)
 *            out(h) = sum o(h,c) e^(m(h,c) - m) / l       splits that have a row, c ascending
 * </pre>
 *
 * Row id -1 masks; a list without any row gives 0. A lone row's splits are shared among workers. Of more rows a worker
 * takes several, split by split: while a context is shorter than the list, neighbours share most splits, and a split is
 * decoded once for all that share it. The arithmetic is the same.
 */
final class CpuAttention {
    /** Entries of a split. Few enough that their decoded rows stay in a core's cache. */
    private static final int SPLIT = 64;

    /** Most rows of the step that a worker takes split by split, and most floats of their results. */
    private static final int GROUP = 8;

    private static final int GROUP_FLOATS = 1 << 22;

    /** What rounding a value costs, in multiply-adds. */
    private static final long WRITE_COST = 16;

    private final Workers workers;
    private final Lanes lanes;
    private final StepArrays step;
    private final KvSlabs slabs;
    private final RowFormat format;
    private final int heads;
    private final int latent;
    private final int tiledLatent;
    private final int width;
    private final float scale;
    private final int splits;
    private final Scratch[] scratch;
    private final Workers.Run writes = this::writes;
    private final Workers.Run bySplit = this::splits;
    private final Workers.Run byRow = this::rows;

    // The arguments of the running write (its row as the query) or attend.
    private int layer;
    private CpuActivation query = CpuActivation.of(0, 0);
    private CpuInts rows = CpuInts.of(0, 0);
    private CpuActivation out = query;
    private int first;

    /** The partial results of one row of the step. */
    private static final class Partials {
        /** Rows of each split, {@code [splits]}. */
        final int[] counts;

        /** {@code [splits][heads]}. */
        final float[] max;

        /** {@code [splits][heads]}. */
        final float[] sum;

        /** {@code [splits][heads][latent]}, latent rounded up to whole tiles. */
        final float[] outs;

        Partials(int heads, int latent, int splits) {
            counts = new int[splits];
            max = new float[splits * heads];
            sum = new float[splits * heads];
            outs = new float[Math.multiplyExact(splits * heads, latent)];
        }
    }

    /** What a worker needs. The splits of a lone row all end in the first worker's first partials. */
    private static final class Scratch {
        /** List entries of the split that is decoded. */
        final int[] held = new int[SPLIT];

        /** How many entries; -1 before the first. */
        int length;

        /** How many of them are rows. */
        int count;

        /** Decoded rows of that split, {@code [SPLIT][width]}; the last tile of the last row reads past it. */
        final float[] rows;

        /** {@code [heads][SPLIT]}: scores, then their exponentials. */
        final float[] scores;

        final float[] room = new float[Lanes.ROOM];

        final Partials[] partials;

        Scratch(int heads, int latent, int width, int splits, int group) {
            rows = new float[SPLIT * width + Lanes.TILE];
            scores = new float[heads * SPLIT];
            partials = new Partials[group];
            Arrays.setAll(partials, i -> new Partials(heads, latent, splits));
        }
    }

    /** @param scale softmax scale */
    CpuAttention(
            Workers workers,
            Lanes lanes,
            StepArrays step,
            KvSlabs slabs,
            RowFormat format,
            AttentionConfig config,
            float scale,
            int topK) {
        this.workers = workers;
        this.lanes = lanes;
        this.step = step;
        this.slabs = slabs;
        this.format = format;
        this.scale = scale;
        heads = config.heads();
        latent = config.latentRank();
        tiledLatent = Math.ceilDiv(latent, Lanes.TILE) * Lanes.TILE;
        width = latent + config.ropeDim();
        splits = Math.ceilDiv(Math.min(topK, step.maxPages * Block.TOKENS), SPLIT);
        scratch = new Scratch[workers.count()];
        long results = (long) splits * heads * tiledLatent;
        int group = Math.clamp(GROUP_FLOATS / results, 1, Math.min(GROUP, step.maxRows));
        Arrays.setAll(scratch, w -> new Scratch(heads, tiledLatent, width, splits, group));
    }

    void write(int layer, CpuActivation row) {
        this.layer = layer;
        query = row;
        workers.run(step.rows(), WRITE_COST * width, writes);
    }

    private void writes(int worker, int from, int to) {
        for (int t = from; t < to; t++) {
            long at = slabs.geometry().rowOffset(layer, step.writeRow[t]);
            format.write(query.data(), query.at(t), slabs.of(layer), at);
        }
    }

    /** Attends for the rows {@code from} to before {@code to} of the step. */
    void attend(int layer, CpuActivation query, CpuInts rows, CpuActivation out, int from, int to) {
        this.layer = layer;
        this.query = query;
        this.rows = rows;
        this.out = out;
        first = from;
        long cost = 2L * width * heads;
        if (to - from == 1) {
            int used = Math.ceilDiv(length(from), SPLIT);
            Arrays.fill(scratch[0].partials[0].counts, 0);
            workers.run(used, cost * SPLIT, bySplit);
            combine(from, scratch[0].partials[0]);
        } else {
            int longest = Math.min(rows.width(), step.position[to - 1] + 1);
            workers.run(to - from, cost * longest, byRow);
        }
    }

    /** Entries of a row's list up to the last that is valid. */
    private int length(int t) {
        int end = rows.width();
        while (end > 0 && rows.data()[rows.at(t) + end - 1] < 0) {
            end--;
        }
        return end;
    }

    private void splits(int worker, int from, int to) {
        scratch[worker].length = -1;
        for (int c = from; c < to; c++) {
            split(first, c, scratch[worker], scratch[0].partials[0]);
        }
    }

    private void rows(int worker, int from, int to) {
        Scratch mine = scratch[worker];
        mine.length = -1;
        for (int start = from; start < to; start += mine.partials.length) {
            int n = Math.min(mine.partials.length, to - start);
            for (int c = 0; c < splits; c++) {
                for (int i = 0; i < n; i++) {
                    split(first + start + i, c, mine, mine.partials[i]);
                }
            }
            for (int i = 0; i < n; i++) {
                combine(first + start + i, mine.partials[i]);
            }
        }
    }

    private void split(int t, int c, Scratch mine, Partials results) {
        int n = gather(t, c, mine);
        results.counts[c] = n;
        if (n == 0) {
            return;
        }
        lanes.dots(query.data(), query.at(t), heads, mine.rows, 0, n, width, mine.scores, 0, SPLIT, mine.room);
        for (int h = 0; h < heads; h++) {
            int s = h * SPLIT;
            lanes.scale(mine.scores, s, scale, mine.scores, s, n);
            float max = lanes.max(mine.scores, s, n);
            lanes.exp(mine.scores, s, max, n);
            results.max[c * heads + h] = max;
            results.sum[c * heads + h] = lanes.sum(mine.scores, s, n);
        }
        int to = c * heads * tiledLatent;
        for (int d = 0; d < latent; d += Lanes.TILE) {
            lanes.tile(mine.rows, d, width, n, mine.scores, 0, SPLIT, heads, results.outs, to + d, tiledLatent);
        }
    }

    /** Decodes the valid rows of a split, in order, unless they are there already; returns how many. */
    private int gather(int t, int c, Scratch mine) {
        int[] list = rows.data();
        int from = rows.at(t) + c * SPLIT;
        int end = rows.at(t) + Math.min((c + 1) * SPLIT, rows.width());
        int length = end - from;
        if (mine.length == length && Arrays.equals(list, from, end, mine.held, 0, length)) {
            return mine.count;
        }
        System.arraycopy(list, from, mine.held, 0, length);
        mine.length = length;
        mine.count = 0;
        for (int i = from; i < end; i++) {
            if (list[i] >= 0) {
                long at = slabs.geometry().rowOffset(layer, list[i]);
                format.read(lanes, slabs.of(layer), at, mine.rows, mine.count++ * width);
            }
        }
        return mine.count;
    }

    private void combine(int t, Partials results) {
        for (int h = 0; h < heads; h++) {
            int to = out.at(t) + h * latent;
            Arrays.fill(out.data(), to, to + latent, 0f);
            float max = Float.NEGATIVE_INFINITY;
            for (int c = 0; c < splits; c++) {
                max = results.counts[c] == 0 ? max : Math.max(max, results.max[c * heads + h]);
            }
            float sum = 0;
            for (int c = 0; c < splits; c++) {
                if (results.counts[c] > 0) {
                    float share = lanes.exp(results.max[c * heads + h] - max);
                    results.max[c * heads + h] = share;
                    sum = Math.fma(results.sum[c * heads + h], share, sum);
                }
            }
            for (int c = 0; c < splits; c++) {
                if (results.counts[c] > 0) {
                    int from = (c * heads + h) * tiledLatent;
                    lanes.addScaled(results.max[c * heads + h] / sum, results.outs, from, out.data(), to, latent);
                }
            }
        }
    }
}
