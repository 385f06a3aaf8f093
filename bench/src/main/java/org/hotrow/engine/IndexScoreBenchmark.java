package org.hotrow.engine;

import java.util.Objects;
import java.util.SplittableRandom;
import org.hotrow.allocator.Block;
import org.hotrow.bench.Floor;
import org.hotrow.bench.FloorBenchmark;
import org.hotrow.bench.FloorProfiler;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.modelloader.IndexerConfig;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One token of GLM-5.3's indexer: its scores with n FP8 keys, 32 heads, and the selection of 2,048 out of them. */
@State(Scope.Benchmark)
public class IndexScoreBenchmark extends FloorBenchmark {
    @Param({"8192", "65536", "262144"})
    public int keys;

    @Param({LanesParameter.VECTOR, LanesParameter.PLAIN})
    public String lanes = "";

    private @Nullable Workers workers;
    private @Nullable FilledCache cache;
    private @Nullable CpuIndexer indexer;
    private CpuActivation query = CpuActivation.of(0, 0);
    private CpuActivation headWeights = query;
    private CpuInts positions = CpuInts.of(0, 0);

    /** Random keys. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        IndexerConfig c = Glm53.INDEXER;
        workers = new Workers(Runtime.getRuntime().availableProcessors());
        cache = new FilledCache(keys, random);
        indexer = new CpuIndexer(
                workers,
                LanesParameter.of(lanes),
                cache.step,
                cache.slabs,
                cache.keys,
                c,
                cache.step.maxPages * Block.TOKENS,
                (layer, row, scores, from, count) -> {});
        query = RandomValues.activation(1, c.heads() * c.headDim(), random);
        headWeights = RandomValues.activation(1, c.heads(), random);
        positions = CpuInts.of(1, c.topK());
        long keyBytes = cache.keys.pageBytes() / IndexFormat.TOKENS;
        FloorProfiler.declare(new Floor(keyBytes, (long) c.heads() * c.headDim()).times(keys));
    }

    /** Lets them go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(workers).close();
        Objects.requireNonNull(cache).close();
    }

    /** One selection. */
    @Benchmark
    public Object select() {
        Objects.requireNonNull(indexer).select(0, query, headWeights, positions);
        return positions;
    }
}
