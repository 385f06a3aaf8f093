package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
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
 * While all positions fit in the list there is nothing to score. A lone row is split over positions, several rows by
 * row; a score is the same either way.
 */
final class CpuIndexer {
    private final Workers workers;
    private final StepArrays step;
    private final KvSlabs slabs;
    private final IndexFormat format;
    private final int heads;
    private final int width;
    private final float scale;
    private final float[][] keys;
    private final float[][] scores;
    private final TopK[] topK;

    CpuIndexer(
            Workers workers, StepArrays step, KvSlabs slabs, IndexFormat format, IndexerConfig config, int maxTokens) {
        this.workers = workers;
        this.step = step;
        this.slabs = slabs;
        this.format = format;
        heads = config.heads();
        width = config.headDim();
        scale = (float) (Math.pow(heads, -0.5) * Math.pow(width, -0.5));
        keys = new float[workers.count()][width];
        scores = new float[workers.count()][maxTokens];
        topK = new TopK[workers.count()];
        Arrays.setAll(topK, w -> new TopK(config.topK()));
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
        if (step.rows() == 1) {
            int count = step.position[0] + 1;
            if (count > positions.width()) {
                workers.run(
                        count,
                        (long) heads * width,
                        (worker, from, to) -> score(layer, query, headWeights, 0, worker, scores[0], from, to));
            }
            topK[0].select(scores[0], count, positions.width(), positions.data(), 0);
            return;
        }
        long cost = (long) heads * width * step.position[step.rows() - 1];
        workers.run(step.rows(), cost, (worker, from, to) -> {
            for (int t = from; t < to; t++) {
                int count = step.position[t] + 1;
                if (count > positions.width()) {
                    score(layer, query, headWeights, t, worker, scores[worker], 0, count);
                }
                topK[worker].select(scores[worker], count, positions.width(), positions.data(), positions.at(t));
            }
        });
    }

    private void score(
            int layer,
            CpuActivation query,
            CpuActivation headWeights,
            int t,
            int worker,
            float[] out,
            int from,
            int to) {
        float[] key = keys[worker];
        for (int s = from; s < to; s++) {
            format.read(slabs.of(layer), page(layer, step.request[t], s), s % Block.TOKENS, key, 0);
            float sum = 0;
            for (int h = 0; h < heads; h++) {
                // Math.max keeps NaN, so a key that was never written shows as a NaN score.
                float match = Math.max(0f, Lanes.dot(key, 0, query.data(), query.at(t) + h * width, width));
                sum = Math.fma(headWeights.data()[headWeights.at(t) + h] * scale, match, sum);
            }
            out[s] = sum;
        }
    }

    private long page(int layer, int seat, int position) {
        KvGeometry geometry = slabs.geometry();
        int tokens = geometry.indexTokensPerBlock();
        int block = step.indexTable[seat * step.maxIndexBlocks + position / tokens];
        return geometry.indexPageOffset(layer, block, position % tokens / Block.TOKENS);
    }
}
