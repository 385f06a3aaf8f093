package org.hotrow.engine;

import java.util.Objects;
import java.util.SplittableRandom;
import org.hotrow.bench.FloorBenchmark;
import org.hotrow.bench.FloorProfiler;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * An FP8 matrix of GLM-5.3 times one token or many: down of an expert, query heads out of their latent, gate or up of an
 * expert. The matrices come from memory, all {@code mib} MiB of them in turn.
 */
@State(Scope.Benchmark)
public class LinearBenchmark extends FloorBenchmark {
    @Param({"6144x2048", "16384x2048", "2048x6144"})
    public String shape = "";

    /** Rows of x: 1 is a GEMV. */
    @Param({"1", "128"})
    public int rows;

    @Param("320")
    public int mib;

    @Param({LanesParameter.VECTOR, LanesParameter.PLAIN})
    public String lanes = "";

    private @Nullable Workers workers;
    private @Nullable CpuLinear linear;
    private @Nullable Fp8Matrices matrices;
    private CpuActivation x = CpuActivation.of(0, 0);
    private CpuActivation out = x;

    /** Random matrices. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        workers = new Workers(Runtime.getRuntime().availableProcessors());
        matrices = new Fp8Matrices(shape, (long) mib << 20, random);
        linear = new CpuLinear(workers, LanesParameter.of(lanes));
        x = RandomValues.activation(rows, matrices.cols(), random);
        out = CpuActivation.of(rows, matrices.rows());
        FloorProfiler.declare(matrices.floor(rows));
    }

    /** Lets them go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(workers).close();
        Objects.requireNonNull(matrices).close();
    }

    /** One product. */
    @Benchmark
    public Object multiply() {
        Objects.requireNonNull(linear).multiply(Objects.requireNonNull(matrices).next(), x, out, rows);
        return out;
    }
}
