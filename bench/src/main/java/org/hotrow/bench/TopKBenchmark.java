package org.hotrow.bench;

import java.util.SplittableRandom;
import org.hotrow.kernels.TopK;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Exact selection of 2,048 out of n scores, by one thread. The floor is one read of the scores. */
@State(Scope.Benchmark)
public class TopKBenchmark extends FloorBenchmark {
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
        FloorProfiler.declare(new Floor((long) keys * Float.BYTES, 0));
    }

    /** One selection. */
    @Benchmark
    public int select() {
        return topK.select(scores, keys, K, out, 0);
    }
}
