package org.hotrow.bench;

import java.nio.file.Path;
import java.util.Arrays;
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
 * Decoding of the demo model in turns: alone, alone under {@code hybrid} in a pool that holds everything, and with 7
 * others in the batch. A round takes 64 steps of each, after prompts of the same length; {@link RatioProfiler} reports what
 * they give, and how far a batch could get ahead:
 *
 * <pre>
 * batch.over.alone        tokens/s of 8 requests / tokens/s of one
 * bound.over.alone        tokens/s at the machine's rate of multiply-adds / tokens/s of one: no batch can exceed it
 * batch.of.multiply-add   the former / the latter
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 12)
@Measurement(iterations = 21)
@Fork(1)
public class PairedDecodeBenchmark {
    private static final int BATCH = 8;
    private static final int STEPS = 64;
    private static final int MOST_TOKENS = 4096;

    @Param({"64", "448", "2048"})
    public int prompt;

    private int prompts;
    private @Nullable Model model;
    private @Nullable Generator alone;
    private @Nullable Generator hybrid;
    private @Nullable Generator batched;
    private @Nullable CeilingMeter meter;
    private double multiplyAdds;

    /** Loads the model thrice. */
    @Setup(Level.Trial)
    public void open() {
        String folder = Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model");
        Model opened = Model.open(Path.of(folder));
        Lanes lanes = LanesChoice.of(LanesChoice.Mode.auto).lanes();
        model = opened;
        alone = load(opened, lanes, KvPolicy.RESIDENT, 1);
        hybrid = load(opened, lanes, KvPolicy.HYBRID, 1);
        batched = load(opened, lanes, KvPolicy.RESIDENT, BATCH);
        meter = new CeilingMeter();
        ModelFloor floor = new ModelFloor(opened.config(), opened.weights(), KvDtype.FP8);
        multiplyAdds = (double) floor.decode(prompt, STEPS).multiplyAdds() / STEPS;
    }

    private static Generator load(Model model, Lanes lanes, KvPolicy policy, int seats) {
        int threads = Runtime.getRuntime().availableProcessors();
        CacheOptions cache = CacheOptions.of(policy);
        CacheFormat format = CacheFormat.of(KvDtype.FP8);
        return new Generator(model, format, cache, MOST_TOKENS, seats, lanes, threads, 512, LoadProgress.NONE);
    }

    /** Closes what is open. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(meter).close();
        Objects.requireNonNull(alone).close();
        Objects.requireNonNull(hybrid).close();
        Objects.requireNonNull(batched).close();
        Objects.requireNonNull(model).close();
    }

    /** A round. */
    @Benchmark
    public double round() {
        double hybridRate = rate(Objects.requireNonNull(hybrid), 1);
        double aloneRate = rate(Objects.requireNonNull(alone), 1);
        double batchedRate = rate(Objects.requireNonNull(batched), BATCH);
        double bound = Objects.requireNonNull(meter).measure().multiplyAddRate() / multiplyAdds;
        RatioProfiler.declare("alone", aloneRate, "tok/s");
        RatioProfiler.declare("batch.of." + BATCH, batchedRate, "tok/s");
        RatioProfiler.declare("batch.over.alone", batchedRate / aloneRate, "x");
        RatioProfiler.declare("bound.over.alone", bound / aloneRate, "x");
        RatioProfiler.declare("batch.of.multiply-add", batchedRate / bound, "x");
        RatioProfiler.declare("hybrid.over.resident", hybridRate / aloneRate, "x");
        return batchedRate;
    }

    /** Tokens per second of {@link #STEPS} steps, once all requests decode. */
    private double rate(Generator generator, int requests) {
        int vocabulary = Objects.requireNonNull(model).config().vocabSize();
        Sequence[] sequences = new Sequence[requests];
        for (int i = 0; i < requests; i++) {
            int[] ids = new int[prompt];
            for (int t = 0; t < prompt; t++) {
                ids[t] = (prompts + t * 7) % vocabulary;
            }
            // Nobody finds what another has in the prefix cache.
            prompts++;
            sequences[i] = generator.submit(ids, MOST_TOKENS, Sampling.GREEDY, true, id -> true);
        }
        while (Arrays.stream(sequences).anyMatch(s -> s.generated() == 0)) {
            generator.scheduler().step();
        }
        long start = System.nanoTime();
        for (int i = 0; i < STEPS; i++) {
            generator.scheduler().step();
        }
        long nanos = System.nanoTime() - start;
        for (Sequence sequence : sequences) {
            generator.scheduler().cancel(sequence);
        }
        generator.scheduler().step();
        return requests * STEPS * 1e9 / nanos;
    }
}
