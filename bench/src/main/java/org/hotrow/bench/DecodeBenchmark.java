package org.hotrow.bench;

import java.util.Objects;
import org.hotrow.engine.Completion;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One token of a single stream of the demo model, sampling included: the mean of 64 tokens after a prompt. */
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 2)
public class DecodeBenchmark extends FloorBenchmark {
    private static final int TOKENS = 64;

    @Param({"448", "2048"})
    public int prompt;

    private @Nullable DemoModel model;
    private @Nullable HeldGeneration generation;

    /** Loads the model. */
    @Setup(Level.Trial)
    public void open() {
        model = new DemoModel();
        FloorProfiler.declare(model.floor().decode(prompt, TOKENS).per(TOKENS));
    }

    /** Takes the prompt, up to the token that the first decode step takes. */
    @Setup(Level.Invocation)
    public void prefill() throws InterruptedException {
        DemoModel m = Objects.requireNonNull(model);
        generation = new HeldGeneration(m, m.prompt(prompt), 1 + TOKENS);
    }

    /** Lets it go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(model).close();
    }

    /** The tokens after it. */
    @Benchmark
    @OperationsPerInvocation(TOKENS)
    public Completion decode() {
        return Objects.requireNonNull(generation).finish();
    }
}
