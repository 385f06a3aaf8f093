package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.AttentionConfig;

/**
 * Sparse MLA over row ids, all heads on the same rows of {@code [latent | rope]}.
 *
 * <pre>
 * s(h,j)   = q(h) . row(j) * scale                  j in list order
 * p(h,j)   = exp(s - max s)
 * out(h)   = sum_j p(h,j) latent(j) / sum_j p(h,j)
 * </pre>
 *
 * Row id -1 masks; a list without any row gives 0. Workers split the (token, head) pairs, which are independent.
 */
final class CpuAttention {
    private final Workers workers;
    private final StepArrays step;
    private final KvSlabs slabs;
    private final RowFormat format;
    private final int heads;
    private final int latent;
    private final int width;
    private final float scale;
    private final float[][] gathered;
    private final float[][] scores;

    /** @param scale softmax scale */
    CpuAttention(
            Workers workers,
            StepArrays step,
            KvSlabs slabs,
            RowFormat format,
            AttentionConfig config,
            float scale,
            int topK) {
        this.workers = workers;
        this.step = step;
        this.slabs = slabs;
        this.format = format;
        this.scale = scale;
        heads = config.heads();
        latent = config.latentRank();
        width = latent + config.ropeDim();
        int longest = Math.min(topK, step.maxPages * Block.TOKENS);
        gathered = new float[workers.count()][Math.multiplyExact(longest, width)];
        scores = new float[workers.count()][longest];
    }

    void write(int layer, CpuActivation row) {
        for (int t = 0; t < step.rows(); t++) {
            long at = slabs.geometry().rowOffset(layer, step.writeRow[t]);
            format.write(row.data(), row.at(t), slabs.of(layer), at);
        }
    }

    void attend(int layer, CpuActivation query, CpuInts rows, CpuActivation out) {
        long cost = 2L * width * Math.min(rows.width(), step.position[step.rows() - 1] + 1);
        workers.run(step.rows() * heads, cost, (worker, from, to) -> {
            int token = -1;
            int count = 0;
            for (int pair = from; pair < to; pair++) {
                if (pair / heads != token) {
                    token = pair / heads;
                    count = gather(layer, rows, token, gathered[worker]);
                }
                int h = pair % heads;
                head(query.data(), query.at(token) + h * width, worker, count, out.data(), out.at(token) + h * latent);
            }
        });
    }

    private int gather(int layer, CpuInts rows, int token, float[] to) {
        int count = 0;
        for (int i = rows.at(token); i < rows.at(token + 1); i++) {
            int row = rows.data()[i];
            if (row >= 0) {
                format.read(slabs.of(layer), slabs.geometry().rowOffset(layer, row), to, count++ * width);
            }
        }
        return count;
    }

    private void head(float[] query, int at, int worker, int count, float[] out, int outAt) {
        float[] keys = gathered[worker];
        float[] p = scores[worker];
        float max = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < count; j++) {
            p[j] = Lanes.dot(query, at, keys, j * width, width) * scale;
            max = Math.max(max, p[j]);
        }
        double sum = 0;
        for (int j = 0; j < count; j++) {
            p[j] = (float) Math.exp(p[j] - max);
            sum += p[j];
        }
        Arrays.fill(out, outAt, outAt + latent, 0f);
        for (int j = 0; j < count; j++) {
            Lanes.addScaled((float) (p[j] / sum), keys, j * width, out, outAt, latent);
        }
    }
}
