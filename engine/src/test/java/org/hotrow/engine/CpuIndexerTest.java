package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.StepPlan;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerType;
import org.junit.jupiter.api.Test;

/** Selection from stored keys against double sums, over several index blocks, on one thread and two. */
class CpuIndexerTest {
    private static final int HEADS = 4;
    private static final int WIDTH = 16;
    private static final int TOP_K = 32;
    private static final int TOKENS = 300;

    private final IndexerConfig config = new IndexerConfig(
            HEADS, WIDTH, TOP_K, true, List.of(IndexerType.FULL, IndexerType.SHARED, IndexerType.FULL), false);
    private final IndexFormat format = IndexFormat.of(KvDtype.FP32, WIDTH);
    // Two index pages a block, so that 300 tokens take three blocks.
    private final KvGeometry geometry = KvGeometry.of(3, List.of(0, 2), 88, format.pageBytes(), 12);

    private final float[][] keys = random(TOKENS, WIDTH, 1);
    private final float[] query = random(1, HEADS * WIDTH, 2)[0];
    private final float[] headWeights = {1.5f, -0.5f, 0.75f, 0.25f};

    private static float[][] random(int rows, int width, long seed) {
        Random random = new Random(seed);
        float[][] values = new float[rows][width];
        for (float[] row : values) {
            for (int i = 0; i < width; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return values;
    }

    private double score(int position) {
        double score = 0;
        for (int h = 0; h < HEADS; h++) {
            double dot = 0;
            for (int i = 0; i < WIDTH; i++) {
                dot += (double) query[h * WIDTH + i] * keys[position][i];
            }
            score += headWeights[h] / Math.sqrt(HEADS * WIDTH) * Math.max(0, dot);
        }
        return score;
    }

    private int[] expected(int position) {
        int[] best = IntStream.rangeClosed(0, position)
                .boxed()
                .sorted((a, b) -> score(a) != score(b) ? Double.compare(score(b), score(a)) : Integer.compare(a, b))
                .limit(TOP_K)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        int[] list = Arrays.copyOf(best, TOP_K);
        Arrays.fill(list, best.length, TOP_K, -1);
        return list;
    }

    @Test
    void selectsTheBestOfTheStoredKeys() {
        assertThat(geometry.indexTokensPerBlock()).isLessThan(TOKENS / 2);
        for (int threads : new int[] {1, 2}) {
            for (int[] asked : new int[][] {{0}, {30}, {31}, {32}, {63}, {64}, {150}, {299}, {5, 64, 127, 128, 299}}) {
                int[] lists = select(threads, asked);
                for (int i = 0; i < asked.length; i++) {
                    assertThat(Arrays.copyOfRange(lists, i * TOP_K, (i + 1) * TOP_K))
                            .as("position %d, threads %d", asked[i], threads)
                            .isEqualTo(expected(asked[i]));
                }
            }
        }
    }

    /** Stores all keys in layer 2, then selects for the asked positions in one step. */
    private int[] select(int threads, int[] asked) {
        StepArrays step = new StepArrays(TOKENS, TOKENS, 1, 5, 3, 1);
        try (KvSlabs slabs = new KvSlabs(geometry);
                Workers workers = new Workers(threads)) {
            slabs.poison(0, 0, geometry.slabBytes(0));
            Allocator allocator =
                    new Allocator(new AllocatorConfig(geometry, KvPolicy.RESIDENT, TOP_K, TOP_K, 0, 1, 1, 0));
            KvRequest request = allocator.open(new int[TOKENS], TOKENS);
            StepPlan plan = (StepPlan) allocator.plan(List.of(new Ask(request, TOKENS, 0)));
            step.fillTables(allocator.commit(plan).parts().getFirst());
            CpuIndexer indexer = new CpuIndexer(
                    workers,
                    Lanes.vector(),
                    step,
                    slabs,
                    format,
                    config,
                    5 * 64,
                    (layer, row, scores, from, count) -> {});
            fill(step, IntStream.range(0, TOKENS).toArray());
            CpuActivation key = CpuActivation.of(TOKENS, WIDTH);
            for (int t = 0; t < TOKENS; t++) {
                System.arraycopy(keys[t], 0, key.data(), key.at(t), WIDTH);
            }
            indexer.write(2, key);
            fill(step, asked);
            CpuActivation queries = CpuActivation.of(asked.length, HEADS * WIDTH);
            CpuActivation weights = CpuActivation.of(asked.length, HEADS);
            for (int t = 0; t < asked.length; t++) {
                System.arraycopy(query, 0, queries.data(), queries.at(t), query.length);
                System.arraycopy(headWeights, 0, weights.data(), weights.at(t), HEADS);
            }
            CpuInts positions = CpuInts.of(asked.length, TOP_K);
            indexer.select(2, queries, weights, positions);
            return positions.data();
        }
    }

    private static void fill(StepArrays step, int[] positions) {
        step.clear();
        for (int position : positions) {
            step.addRow(0, 0, position, false);
        }
    }
}
