package org.hotrow.engine;

import java.util.Objects;
import java.util.SplittableRandom;
import org.hotrow.bench.Floor;
import org.hotrow.bench.FloorBenchmark;
import org.hotrow.bench.FloorProfiler;
import org.hotrow.engine.lanes.Lanes;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * RMS norm of a token of GLM-5.3, by one thread, as {@link CpuOps} does it. A token's 24 KB
 * are in the cache, so the share of the read rate may be large. Two multiply-adds a value: square and scale.
 */
@State(Scope.Benchmark)
public class RmsNormBenchmark extends FloorBenchmark {
    @Param({LanesParameter.VECTOR, LanesParameter.PLAIN})
    public String lanes = "";

    private @Nullable Lanes loops;
    private CpuActivation x = CpuActivation.of(0, 0);
    private float[] weight = {};
    private final CpuActivation out = CpuActivation.of(1, Glm53.HIDDEN);

    /** Random values. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        loops = LanesParameter.of(lanes);
        x = RandomValues.activation(1, Glm53.HIDDEN, random);
        weight = RandomValues.gaussian(Glm53.HIDDEN, random);
        FloorProfiler.declare(new Floor(2 * Float.BYTES, 2).times(Glm53.HIDDEN));
    }

    /** One token. */
    @Benchmark
    public Object normalise() {
        CpuOps.rmsNorm(Objects.requireNonNull(loops), Glm53.RMS_EPS, x, 0, weight, out, 0);
        return out;
    }
}
