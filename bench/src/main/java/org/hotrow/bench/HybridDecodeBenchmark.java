package org.hotrow.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheCounters;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.PoolSize;
import org.hotrow.engine.RandomPrefill;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A token decoded after a long context whose pages are partly on the host, by a {@link RandomCheckpoint}: its prefill is
 * imported, so only decoding is paid. Each iteration begins with a new request. Beside the time:
 *
 * <pre>
 * tokens/s            decoded
 * rows.read           rows from the host, a token: misses times layers of their unit
 * hit.rate            of the selected rows that aren't resident, those found in the hot region
 * blocks              of the device, index blocks and null block included
 * pool, host.pool     megabytes of both
 * process             resident megabytes of the process without what the ceilings are measured with; both pools are in it
 * </pre>
 */
@State(Scope.Benchmark)
@Warmup(iterations = 2, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 11, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"})
public class HybridDecodeBenchmark extends FloorBenchmark {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    /** Most tokens that an iteration decodes. */
    private static final int ROOM = 4096;

    private static final Duration WARM_UP = Duration.ofSeconds(12);

    private static final int WARM_UP_TOKENS = 2000;
    private static final int SHORT = 600;
    /** Tokens of a new request before its steps are timed. */
    private static final int FIRST = 4;

    private static final Path STATUS = Path.of("/proc/self/status");

    @Param({"2048", "8192", "16384", "32768", "65536"})
    public int context;

    /** Percent of the request's pages that have a block, at least a hot region and three pages. */
    @Param({"100", "50", "10", "2"})
    public int pool;

    private @Nullable Path folder;
    private @Nullable Model model;
    private @Nullable Generator generator;
    private @Nullable Sequence sequence;
    private CacheCounters before = CacheCounters.ZERO;
    private int begun;
    private int requests;
    private long start;

    /** Writes the checkpoint and loads it. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        Path demo = Path.of(Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model"));
        folder = Files.createTempDirectory("random-checkpoint");
        RandomCheckpoint.write(demo, folder, 1);
        Model opened = Model.open(folder);
        model = opened;
        int tokens = context + ROOM;
        CacheOptions options = new CacheOptions(
                KvPolicy.HYBRID,
                OptionalInt.of(PoolSize.blocks(opened.config(), FORMAT, tokens, pool)),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                0);
        int threads = Runtime.getRuntime().availableProcessors();
        generator = new Generator(
                opened,
                FORMAT,
                options,
                tokens,
                1,
                LanesChoice.of(LanesChoice.Mode.auto).lanes(),
                threads,
                DemoModel.CHUNK,
                LoadProgress.NONE);
        FloorProfiler.declare(new ModelFloor(opened.config(), opened.weights(), KvDtype.FP8)
                .decode(context, DemoModel.CHUNK)
                .per(DemoModel.CHUNK));
        warmUp(opened, generator);
    }

    /** Until the JVM has compiled the loops, on a short request. */
    private static void warmUp(Model opened, Generator all) {
        long end = System.nanoTime() + WARM_UP.toNanos();
        Sequence warm = submit(opened, all, SHORT, 0);
        while (System.nanoTime() < end && warm.generated() < WARM_UP_TOKENS) {
            all.scheduler().step();
        }
        all.scheduler().cancel(warm);
        all.scheduler().step();
    }

    private static Sequence submit(Model opened, Generator all, int tokens, int request) {
        // Nobody finds what another has in the prefix cache.
        int[] prompt = new int[tokens];
        prompt[0] = request % opened.config().vocabSize();
        var imported = new RandomPrefill(opened.config(), FORMAT, tokens - 1, new SplittableRandom(request));
        return all.submit(prompt, Optional.of(imported), ROOM, Sampling.GREEDY, true, id -> true);
    }

    /** Imports a context, up to its first new token and a few more, with which the hot region fills. */
    @Setup(Level.Iteration)
    public void begin() {
        Generator all = Objects.requireNonNull(generator);
        Sequence submitted = submit(Objects.requireNonNull(model), all, context, ++requests);
        while (submitted.generated() < FIRST) {
            all.scheduler().step();
        }
        sequence = submitted;
        before = all.counters();
        begun = submitted.generated();
        start = System.nanoTime();
    }

    /** One token. */
    @Benchmark
    public Sequence decode() {
        Sequence decoding = Objects.requireNonNull(sequence);
        if (decoding.ended()) {
            throw new IllegalStateException(
                    "an iteration decodes at most " + ROOM + " tokens: take shorter ones by -r");
        }
        Objects.requireNonNull(generator).scheduler().step();
        return decoding;
    }

    /** Says what the tokens took, and lets the request go. */
    @TearDown(Level.Iteration)
    public void end() throws IOException {
        double seconds = (System.nanoTime() - start) * 1e-9;
        Generator all = Objects.requireNonNull(generator);
        Sequence decoding = Objects.requireNonNull(sequence);
        CacheCounters used = all.counters().since(before);
        int tokens = Math.max(1, decoding.generated() - begun);
        RatioProfiler.declare("tokens/s", tokens / seconds, "tok/s");
        RatioProfiler.declare("rows.read", (double) used.hostRowsRead() / tokens, "rows/op");
        if (used.hotLookups() > 0) {
            RatioProfiler.declare("hit.rate", 100.0 * used.hotHits() / used.hotLookups(), "%");
        }
        RatioProfiler.declare("blocks", all.cacheReport().blocks(), "blocks");
        RatioProfiler.declare("pool", all.cacheReport().deviceBytes() * 1e-6, "MB");
        RatioProfiler.declare("host.pool", all.cacheReport().hostBytes() * 1e-6, "MB");
        if (Files.isReadable(STATUS)) {
            RatioProfiler.declare("process", (residentBytes() - CeilingMeter.MEMORY) * 1e-6, "MB");
        }
        all.scheduler().cancel(decoding);
        all.scheduler().step();
    }

    private static long residentBytes() throws IOException {
        return 1024
                * Files.readString(STATUS, StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum();
    }

    /** Lets the model go and deletes it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        Objects.requireNonNull(generator).close();
        Objects.requireNonNull(model).close();
        try (Stream<Path> files = Files.walk(Objects.requireNonNull(folder))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
