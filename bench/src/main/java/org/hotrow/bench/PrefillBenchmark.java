package org.hotrow.bench;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.hotrow.engine.Completion;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A prompt through the demo model, in chunks of 512, and the first token after it: all that one waits for. */
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 2)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PrefillBenchmark extends FloorBenchmark {
    @Param({"512", "2048"})
    public int tokens;

    private @Nullable DemoModel model;
    private int[] prompt = {};

    /** Loads the model. */
    @Setup(Level.Trial)
    public void open() {
        model = new DemoModel();
        prompt = model.prompt(tokens);
        FloorProfiler.declare(model.floor().prefill(tokens, DemoModel.CHUNK));
    }

    /** Lets it go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(model).close();
    }

    /** One prompt. */
    @Benchmark
    public Completion prefill() {
        return Objects.requireNonNull(model).generate(prompt, 1, id -> true);
    }
}
