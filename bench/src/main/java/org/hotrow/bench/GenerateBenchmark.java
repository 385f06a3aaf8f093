package org.hotrow.bench;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.Completion;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The whole engine on the CPU, on the tiny GLM checkpoint: microseconds per token.
 *
 * <p>Prefill takes a prompt of 160 tokens in one step and one token from it; decode takes 160 tokens one by one after a
 * prompt of one. The floor of a decoded token is reading its weights once: about 0.4 MB here, so it is arithmetic and
 * hand-offs between threads that count, not memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class GenerateBenchmark {
    private static final int TOKENS = 160;

    @Param({"glm-tiny/tiny-bf16", "glm-tiny/tiny-fp8"})
    public String checkpoint = "";

    @Param({"1", "2"})
    public int threads;

    private final int[] prompt = new int[TOKENS];
    private @Nullable Model model;
    private @Nullable Generator generator;

    /** Loads the checkpoint. */
    @Setup(Level.Trial)
    public void open() {
        for (int i = 0; i < TOKENS; i++) {
            prompt[i] = i * 7 % 348;
        }
        model = Model.open(Path.of(Objects.requireNonNull(System.getProperty("hotrow.goldens")), checkpoint));
        generator = new Generator(
                model,
                CacheFormat.of(KvDtype.FP32),
                LanesChoice.of(LanesChoice.Mode.auto).lanes(),
                threads,
                TOKENS,
                LoadProgress.NONE);
    }

    /** Lets it go. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(generator).close();
        Objects.requireNonNull(model).close();
    }

    /** One prompt token. */
    @Benchmark
    @OperationsPerInvocation(TOKENS)
    public Completion prefill() {
        return generate(prompt, 1);
    }

    /** One generated token. */
    @Benchmark
    @OperationsPerInvocation(TOKENS)
    public Completion decode() {
        return generate(new int[] {350}, TOKENS);
    }

    private Completion generate(int[] from, int limit) {
        return Objects.requireNonNull(generator).generate(from, limit, Sampling.GREEDY, true, id -> true, () -> false);
    }
}
