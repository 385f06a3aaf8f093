package org.hotrow.bench;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.SpeculationCounters;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;
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
 * Decoding of the demo model without drafts and with 1, 2 and 3, in turns: the same greedy tokens, after a golden's prompt.
 * {@link RatioProfiler} reports, for each number of drafts, what a round gives and what it costs; their quotient is the
 * gain:
 *
 * <pre>
 * drafts.N.over.0   tokens/s with N drafts / tokens/s without
 * accepted.N        tokens of a round
 * cost.N            time of a round with N drafts / time of a token without: drafts.N.over.0 = accepted.N / cost.N
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 12)
@Measurement(iterations = 21)
@Fork(1)
public class PairedDraftsBenchmark {
    private static final int MOST_DRAFTS = 3;
    private static final int TOKENS = 192;

    @Param({"0_story_raw", "1_chat_story", "3_prose"})
    public String text = "";

    private int[] prompt = {};
    private @Nullable Model model;
    private final Generator[] generators = new Generator[1 + MOST_DRAFTS];

    /** Loads the model once for each number of drafts. */
    @Setup(Level.Trial)
    public void open() {
        Path folder = Path.of(Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model"));
        prompt = Recording.prompt(folder, text);
        Model opened = Model.open(folder);
        model = opened;
        Lanes lanes = LanesChoice.of(LanesChoice.Mode.auto).lanes();
        int threads = Runtime.getRuntime().availableProcessors();
        for (int drafts = 0; drafts <= MOST_DRAFTS; drafts++) {
            CacheOptions cache = CacheOptions.of(KvPolicy.RESIDENT).withDrafts(drafts);
            CacheFormat format = CacheFormat.of(KvDtype.FP8);
            generators[drafts] = new Generator(opened, format, cache, 1024, 1, lanes, threads, 512, LoadProgress.NONE);
        }
    }

    /** Closes what is open. */
    @TearDown(Level.Trial)
    public void close() {
        for (Generator generator : generators) {
            generator.close();
        }
        Objects.requireNonNull(model).close();
    }

    /** All of them once. */
    @Benchmark
    public double round() {
        double without = 0;
        double rate = 0;
        for (int drafts = 0; drafts <= MOST_DRAFTS; drafts++) {
            SpeculationCounters before = generators[drafts].speculation();
            rate = rate(generators[drafts]);
            if (drafts == 0) {
                without = rate;
                RatioProfiler.declare("drafts.0", rate, "tok/s");
            } else {
                double accepted = generators[drafts].speculation().since(before).meanAcceptedLength();
                RatioProfiler.declare("drafts." + drafts + ".over.0", rate / without, "x");
                RatioProfiler.declare("accepted." + drafts, accepted, "tok");
                RatioProfiler.declare("cost." + drafts, accepted * without / rate, "x");
            }
        }
        return rate;
    }

    /** Tokens per second of those after the first. */
    private double rate(Generator generator) {
        Sequence sequence = generator.submit(prompt, TOKENS, Sampling.GREEDY, true, id -> true);
        while (sequence.generated() == 0) {
            generator.scheduler().step();
        }
        long start = System.nanoTime();
        while (!sequence.ended()) {
            generator.scheduler().step();
        }
        return (TOKENS - 1) * 1e9 / (System.nanoTime() - start);
    }
}
