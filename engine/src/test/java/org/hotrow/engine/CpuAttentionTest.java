package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.AttentionConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attention over row ids against double sums, with rows scattered over blocks and masked entries. */
class CpuAttentionTest {
    private static final int LATENT = 24;
    private static final int ROPE = 8;
    private static final int WIDTH = LATENT + ROPE;
    private static final int HEADS = 3;
    private static final int LAYERS = 2;
    private static final int BLOCKS = 5;
    private static final float SCALE = 0.21f;
    private static final double EPS32 = Math.ulp(1f);

    private final AttentionConfig config = new AttentionConfig(HEADS, 4, LATENT, 6, ROPE, 5, true);
    private final KvGeometry geometry = KvGeometry.of(LAYERS, List.of(0), WIDTH * 4, 64 * 4, BLOCKS);
    private final RowFormat format = RowFormat.of(KvDtype.FP32, LATENT, ROPE);

    private static void fill(float[] values, Random random, double size) {
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (random.nextGaussian() * size);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 63, 64, 65, 127, 128})
    void equalsTheDoubleSumOverTheListedRows(int listed) {
        int topK = 128;
        Random random = new Random(listed);
        StepArrays step = new StepArrays(2, 2, 1, 4, 1, 1);
        step.addRow(0, 0, 0, false);
        step.addRow(0, 0, 1, false);
        CpuActivation query = CpuActivation.of(2, HEADS * WIDTH);
        fill(query.data(), random, 1);
        CpuInts rows = CpuInts.of(2, topK);
        java.util.Arrays.fill(rows.data(), -1);
        // The second token sees the same rows in another order, with holes.
        int[] shuffled = random.ints(64, 64 * BLOCKS).distinct().limit(listed).toArray();
        for (int i = 0; i < listed; i++) {
            rows.data()[i] = shuffled[i];
            rows.data()[topK + (topK - 1 - i)] = shuffled[i];
        }
        for (int run = 0; run < 4; run++) {
            int threads = 1 + run % 2;
            Lanes lanes = run < 2 ? Lanes.vector() : Lanes.plain();
            try (KvSlabs slabs = new KvSlabs(geometry);
                    Workers workers = new Workers(threads)) {
                slabs.poison(0, 0, geometry.slabBytes(0));
                float[][] stored = store(slabs, shuffled, random);
                CpuAttention attention = new CpuAttention(workers, lanes, step, slabs, format, config, SCALE, topK);
                CpuActivation out = CpuActivation.of(2, HEADS * LATENT);
                java.util.Arrays.fill(out.data(), Float.NaN);
                attention.attend(1, query, rows, out, 0, 2);
                for (int token = 0; token < 2; token++) {
                    for (int h = 0; h < HEADS; h++) {
                        assertHead(query, token, h, stored, out);
                    }
                }
            }
        }
    }

    /** Random rows in layer 1, one of them an outlier; returns what the cache then holds. */
    private float[][] store(KvSlabs slabs, int[] ids, Random random) {
        float[][] stored = new float[ids.length][WIDTH];
        for (int i = 0; i < ids.length; i++) {
            fill(stored[i], random, i == 1 ? 20 : 1);
            format.write(stored[i], 0, slabs.of(1), geometry.rowOffset(1, ids[i]));
        }
        return stored;
    }

    private static void assertHead(CpuActivation query, int token, int h, float[][] stored, CpuActivation out) {
        int q = query.at(token) + h * WIDTH;
        double[] score = new double[stored.length];
        double max = Double.NEGATIVE_INFINITY;
        double magnitude = 0;
        for (int j = 0; j < stored.length; j++) {
            double terms = 0;
            for (int i = 0; i < WIDTH; i++) {
                score[j] += (double) query.data()[q + i] * stored[j][i] * SCALE;
                terms += Math.abs((double) query.data()[q + i] * stored[j][i] * SCALE);
            }
            max = Math.max(max, score[j]);
            magnitude = Math.max(magnitude, terms);
        }
        double sum = 0;
        for (int j = 0; j < stored.length; j++) {
            score[j] = Math.exp(score[j] - max);
            sum += score[j];
        }
        for (int d = 0; d < LATENT; d++) {
            double expected = 0;
            double terms = 0;
            for (int j = 0; j < stored.length; j++) {
                expected += score[j] / sum * stored[j][d];
                terms += Math.abs(score[j] / sum * stored[j][d]);
            }
            // An error of the score, relative to its terms, is one of the weight.
            double tolerance = 8 * EPS32 * terms * (1 + magnitude);
            assertThat(Math.abs(out.data()[out.at(token) + h * LATENT + d] - expected))
                    .isLessThanOrEqualTo(tolerance);
        }
    }
}
