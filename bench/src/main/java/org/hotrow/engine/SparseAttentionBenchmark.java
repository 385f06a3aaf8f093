package org.hotrow.engine;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.hotrow.bench.Floor;
import org.hotrow.bench.FloorBenchmark;
import org.hotrow.bench.FloorProfiler;
import org.hotrow.modelloader.AttentionConfig;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One token of GLM-5.3's attention: 64 heads over 2,048 FP8 rows, scattered over a cache of n tokens. */
@State(Scope.Benchmark)
public class SparseAttentionBenchmark extends FloorBenchmark {
    /** Selections in turn, so that the rows of one are not in a cache when it comes again. */
    private static final int SELECTIONS = 32;

    @Param({"8192", "32768", "131072"})
    public int cached;

    @Param({LanesParameter.VECTOR, LanesParameter.PLAIN})
    public String lanes = "";

    private @Nullable Workers workers;
    private @Nullable FilledCache cache;
    private @Nullable CpuAttention attention;
    private CpuActivation query = CpuActivation.of(0, 0);
    private CpuActivation out = query;
    private final CpuInts[] selections = new CpuInts[SELECTIONS];
    private int next;

    /** Random rows, random selections. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        AttentionConfig c = Glm53.ATTENTION;
        int topK = Glm53.INDEXER.topK();
        workers = new Workers(Runtime.getRuntime().availableProcessors());
        cache = new FilledCache(cached, random);
        float scale = (float) Math.pow(c.queryDim(), -0.5);
        attention = new CpuAttention(
                workers, LanesParameter.of(lanes), cache.step, cache.slabs, cache.rows, c, scale, topK);
        int width = c.latentRank() + c.ropeDim();
        query = RandomValues.activation(1, c.heads() * width, random);
        out = CpuActivation.of(1, c.heads() * c.latentRank());
        for (int i = 0; i < SELECTIONS; i++) {
            selections[i] = selection(topK, random);
        }
        long rows = Math.min(cached, topK);
        FloorProfiler.declare(
                new Floor(cache.rows.rowBytes(), (long) c.heads() * (width + c.latentRank())).times(rows));
    }

    /** {@code count} positions in order, as row ids. */
    private CpuInts selection(int count, SplittableRandom random) {
        FilledCache filled = Objects.requireNonNull(cache);
        CpuInts rows = CpuInts.of(1, count);
        int[] positions = random.ints(0, cached)
                .distinct()
                .limit(Math.min(count, cached))
                .sorted()
                .toArray();
        Arrays.fill(rows.data(), -1);
        for (int i = 0; i < positions.length; i++) {
            rows.data()[i] = filled.row(positions[i]);
        }
        return rows;
    }

    /** Lets them go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(workers).close();
        Objects.requireNonNull(cache).close();
    }

    /** One token. */
    @Benchmark
    public Object attend() {
        next = (next + 1) % SELECTIONS;
        Objects.requireNonNull(attention).attend(0, query, selections[next], out, 0, 1);
        return out;
    }
}
