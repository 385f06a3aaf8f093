package org.hotrow.bench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.hotrow.kernels.TopK;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Exact selection of 2,048 out of n scores. The floor is one read of the scores: 4n bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TopKBenchmark {
    private static final int K = 2048;

    @Param({"8192", "65536", "262144"})
    public int keys;

    private final TopK topK = new TopK(K);
    private final int[] out = new int[K];
    private float[] scores = {};

    /** Scores as an indexer gives them: mostly small, a few large. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        scores = new float[keys];
        for (int i = 0; i < keys; i++) {
            scores[i] = (float) Math.exp(random.nextGaussian());
        }
    }

    /** One selection. */
    @Benchmark
    public int select() {
        return topK.select(scores, keys, K, out, 0);
    }
}
