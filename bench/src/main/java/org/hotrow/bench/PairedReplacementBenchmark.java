package org.hotrow.bench;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What decides which hot rows make room, in turns: the demo model goes on from a golden's prompt, twice, token for token
 * the same, in a pool that holds little more than the hot region. A round takes 64 tokens of each.
 *
 * <pre>
 * lru.time, score.time    of a token
 * lru.rows, score.rows    read from the host for a token, in all layers together
 * score.over.lru.time     time of the tokens by score / that by age
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 14)
@Measurement(iterations = 29)
@Fork(1)
public class PairedReplacementBenchmark {
    private static final int STEPS = 64;
    private static final int MOST_TOKENS = 4096;
    private static final int BLOCKS = 28;

    @Param({"0_story_raw"})
    public String text = "0_story_raw";

    /** Rows of the region. */
    @Param({"512"})
    public int hotRows = 512;

    private @Nullable Model model;
    private final Map<Replacement, Generator> generators = new EnumMap<>(Replacement.class);
    private int rounds;

    /** Loads the model twice and takes both through the prompt. */
    @Setup(Level.Trial)
    public void open() {
        Path folder = Path.of(Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model"));
        Model opened = Model.open(folder);
        model = opened;
        for (Replacement replacement : Replacement.values()) {
            CacheOptions cache = new CacheOptions(
                    KvPolicy.HYBRID,
                    OptionalInt.of(BLOCKS),
                    OptionalInt.of(hotRows),
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    0,
                    replacement);
            Generator generator = new Generator(
                    opened,
                    CacheFormat.of(KvDtype.FP8),
                    cache,
                    MOST_TOKENS,
                    1,
                    LanesChoice.of(LanesChoice.Mode.auto).lanes(),
                    Runtime.getRuntime().availableProcessors(),
                    512,
                    LoadProgress.NONE);
            Sampling sampling = new Sampling(1, 0, 1, 0, 1, 0, 0, 5);
            var sequence = generator.submit(Recording.prompt(folder, text), MOST_TOKENS, sampling, true, id -> true);
            while (sequence.generated() == 0) {
                generator.scheduler().step();
            }
            generators.put(replacement, generator);
        }
    }

    /** Closes what is open. */
    @TearDown(Level.Trial)
    public void close() {
        generators.values().forEach(Generator::close);
        Objects.requireNonNull(model).close();
    }

    /** A round; who begins changes. */
    @Benchmark
    public double round() {
        boolean first = rounds++ % 2 == 0;
        double one = nanos(first ? Replacement.LRU : Replacement.SCORE);
        double other = nanos(first ? Replacement.SCORE : Replacement.LRU);
        double ratio = first ? other / one : one / other;
        RatioProfiler.declare("score.over.lru.time", ratio, "x");
        return ratio;
    }

    private double nanos(Replacement replacement) {
        Generator generator = Objects.requireNonNull(generators.get(replacement));
        long rows = generator.counters().hostRowsRead();
        long start = System.nanoTime();
        for (int i = 0; i < STEPS; i++) {
            generator.scheduler().step();
        }
        long nanos = System.nanoTime() - start;
        String name = replacement == Replacement.LRU ? "lru" : "score";
        RatioProfiler.declare(name + ".time", nanos / 1e3 / STEPS, "us/token");
        RatioProfiler.declare(
                name + ".rows", (double) (generator.counters().hostRowsRead() - rows) / STEPS, "rows/token");
        return nanos;
    }
}
