package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.allocator.Block;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.TopK;
import org.hotrow.modelloader.IndexerConfig;

/**
 * The lightning indexer: keys into index pages, scores out of them, exact top-k.
 *
 * <pre>
 * score(t,s) = sum_h w(t,h) * relu(q(t,h) . k(s)),  h ascending;  w scaled by (heads * width)^-0.5 first
 * </pre>
 *
 * While all positions fit in the list there is nothing to score. A lone row is split over pages; several rows are split
 * in groups, and a group decodes each page once. A score is the same either way.
 */
final class CpuIndexer {
    /** Most rows that share a decoded page. */
    private static final int GROUP = 8;

    /** Takes the scores of a row, by the worker that computed them; of a row that needs none it hears nothing. */
    interface Scored {
        /** The row's positions are 0 to {@code count} - 1; {@code scores[from + position]}. */
        void accept(int layer, int row, float[] scores, int from, int count);
    }

    private final Workers workers;
    private final Lanes lanes;
    private final StepArrays step;
    private final KvSlabs slabs;
    private final IndexFormat format;
    private final int heads;
    private final int width;
    private final float scale;
    private final int maxTokens;
    private final Scored scored;
    private final Scratch[] scratch;
    private final Workers.Run byPage = this::pages;
    private final Workers.Run byRow = this::rows;

    // The arguments of the running select.
    private int layer;
    private CpuActivation query = CpuActivation.of(0, 0);
    private CpuActivation headWeights = query;
    private CpuInts positions = CpuInts.of(0, 0);

    /** What a worker needs for a group of rows. A lone row has its scores in the first worker's. */
    private static final class Scratch {
        /** {@code [64][width]}. */
        final float[] keys;

        /** {@code [heads][64]}. */
        final float[] dots;

        /** {@code [heads]}, scaled. */
        final float[] weights;

        /** {@code [GROUP][maxTokens]}. */
        final float[] scores;

        final TopK topK;

        final float[] room = new float[Lanes.ROOM];

        Scratch(int heads, int width, int rows, int maxTokens, int k) {
            keys = new float[IndexFormat.TOKENS * width];
            dots = new float[heads * IndexFormat.TOKENS];
            weights = new float[heads];
            scores = new float[Math.multiplyExact(rows, maxTokens)];
            topK = new TopK(k);
        }
    }

    CpuIndexer(
            Workers workers,
            Lanes lanes,
            StepArrays step,
            KvSlabs slabs,
            IndexFormat format,
            IndexerConfig config,
            int maxTokens,
            Scored scored) {
        this.workers = workers;
        this.lanes = lanes;
        this.step = step;
        this.slabs = slabs;
        this.format = format;
        this.maxTokens = maxTokens;
        this.scored = scored;
        heads = config.heads();
        width = config.headDim();
        scale = (float) (Math.pow(heads, -0.5) * Math.pow(width, -0.5));
        scratch = new Scratch[workers.count()];
        int group = Math.min(GROUP, step.maxRows);
        Arrays.setAll(scratch, w -> new Scratch(heads, width, group, maxTokens, config.topK()));
    }

    void write(int layer, CpuActivation key) {
        for (int t = 0; t < step.rows(); t++) {
            format.write(
                    key.data(),
                    key.at(t),
                    slabs.of(layer),
                    page(layer, step.request[t], step.position[t]),
                    step.position[t] % Block.TOKENS);
        }
    }

    void select(int layer, CpuActivation query, CpuActivation headWeights, CpuInts positions) {
        this.layer = layer;
        this.query = query;
        this.headWeights = headWeights;
        this.positions = positions;
        int last = step.position[step.rows() - 1];
        long cost = (long) heads * width;
        if (step.rows() == 1) {
            if (last >= positions.width()) {
                workers.run(last / Block.TOKENS + 1, cost * Block.TOKENS, byPage);
            }
            choose(0, scratch[0], 0);
        } else {
            workers.run(step.rows(), cost * last, byRow);
        }
    }

    private void pages(int worker, int from, int to) {
        for (int page = from; page < to; page++) {
            score(0, 1, page, scratch[worker], scratch[0].scores);
        }
    }

    private void rows(int worker, int from, int to) {
        Scratch mine = scratch[worker];
        int first = from;
        while (first < to) {
            int end = first + 1;
            while (end < to && end < first + GROUP && step.request[end] == step.request[first]) {
                end++;
            }
            // Positions of a request ascend.
            int last = step.position[end - 1];
            if (last >= positions.width()) {
                for (int page = 0; page <= last / Block.TOKENS; page++) {
                    score(first, end, page, mine, mine.scores);
                }
            }
            for (int t = first; t < end; t++) {
                choose(t, mine, t - first);
            }
            first = end;
        }
    }

    /** Scores a page for rows first to end - 1 of one request, as far as each may see. */
    private void score(int first, int end, int page, Scratch mine, float[] scores) {
        int from = page * Block.TOKENS;
        int count = Math.min(Block.TOKENS, step.position[end - 1] + 1 - from);
        long at = page(layer, step.request[first], from);
        for (int s = 0; s < count; s++) {
            format.read(lanes, slabs.of(layer), at, s, mine.keys, s * width);
        }
        for (int t = first; t < end; t++) {
            int n = Math.min(count, step.position[t] + 1 - from);
            if (n > 0) {
                lanes.dots(
                        query.data(),
                        query.at(t),
                        heads,
                        mine.keys,
                        0,
                        n,
                        width,
                        mine.dots,
                        0,
                        Block.TOKENS,
                        mine.room);
                lanes.scale(headWeights.data(), headWeights.at(t), scale, mine.weights, 0, heads);
                int to = (t - first) * maxTokens + from;
                lanes.weightedRelu(mine.dots, Block.TOKENS, heads, mine.weights, 0, scores, to, n);
            }
        }
    }

    private void choose(int t, Scratch mine, int slot) {
        int count = step.position[t] + 1;
        if (count > positions.width()) {
            scored.accept(layer, t, mine.scores, slot * maxTokens, count);
        }
        mine.topK.select(mine.scores, slot * maxTokens, count, positions.width(), positions.data(), positions.at(t));
    }

    private long page(int layer, int seat, int position) {
        return step.indexPageOffset(slabs.geometry(), layer, seat, position);
    }
}
