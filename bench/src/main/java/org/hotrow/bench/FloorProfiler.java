package org.hotrow.bench;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * Compares each iteration with what the machine does at best, measured right before it: an iteration and its ceilings
 * are one pair, and what other programs take from the machine they take from both.
 *
 * <p>A benchmark declares its floor in its setup, in the JVM that runs it. Results per operation, medians over
 * iterations: see the constants.
 */
public final class FloorProfiler implements InternalProfiler {
    /** Bytes that an operation reads. */
    static final String BYTES = "bytes";
    /** Its multiply-adds. */
    static final String MULTIPLY_ADDS = "multiply-adds";
    /** The ceilings. */
    static final String READ_CEILING = "ceiling.read";

    static final String MULTIPLY_ADD_CEILING = "ceiling.multiply-add";
    /** What the operation reaches. */
    static final String READ_RATE = "read";

    static final String MULTIPLY_ADD_RATE = "multiply-add";
    /** Shares of the ceilings. */
    static final String OF_READ = "of.read";

    static final String OF_MULTIPLY_ADD = "of.multiply-add";
    /** Share of the bound, the longer of the times that its bytes and its multiply-adds take at least. */
    static final String OF_BOUND = "of.bound";

    private static volatile @Nullable Floor declared;
    private static @Nullable CeilingMeter meter;

    private @Nullable Ceilings ceilings;

    /** A profiler of one benchmark, which has yet to declare its floor. */
    public FloorProfiler() {
        forget();
    }

    private static void forget() {
        declared = null;
    }

    /** Says what one operation of the benchmark that runs in this JVM can't do without. */
    public static void declare(Floor floor) {
        declared = floor;
    }

    /** Of the JVM, since it takes a second to warm up. */
    private static synchronized CeilingMeter meter() {
        CeilingMeter m = meter;
        if (m == null) {
            m = new CeilingMeter();
            meter = m;
        }
        return m;
    }

    @Override
    public String getDescription() {
        return "Bytes and multiply-adds, and their share of the machine's ceilings";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        ceilings = meter().measure();
    }

    @Override
    @SuppressWarnings("rawtypes") // as JMH declares it
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Floor floor = declared;
        Ceilings best = ceilings;
        // An iteration that failed has no result.
        if (floor == null || best == null || result.getRawPrimaryResults().isEmpty()) {
            return List.of();
        }
        if (benchmark.getMode() == Mode.Throughput) {
            throw new IllegalStateException("a floor is compared with a time: run with -bm avgt");
        }
        double unit = benchmark.getTimeUnit().toNanos(1) * 1e-9;
        return compare(floor, best, result.getPrimaryResult().getScore() * unit);
    }

    /** The results of an operation that took {@code seconds}. */
    static List<MedianResult> compare(Floor floor, Ceilings ceilings, double seconds) {
        return List.of(
                new MedianResult(BYTES, floor.bytes(), "B/op"),
                new MedianResult(MULTIPLY_ADDS, floor.multiplyAdds(), "MAC/op"),
                new MedianResult(READ_CEILING, ceilings.readRate() * 1e-9, "GB/s"),
                new MedianResult(MULTIPLY_ADD_CEILING, ceilings.multiplyAddRate() * 1e-9, "GMAC/s"),
                new MedianResult(READ_RATE, floor.bytes() / seconds * 1e-9, "GB/s"),
                new MedianResult(MULTIPLY_ADD_RATE, floor.multiplyAdds() / seconds * 1e-9, "GMAC/s"),
                new MedianResult(OF_READ, 100 * ceilings.readSeconds(floor) / seconds, "%"),
                new MedianResult(OF_MULTIPLY_ADD, 100 * ceilings.multiplyAddSeconds(floor) / seconds, "%"),
                new MedianResult(OF_BOUND, 100 * ceilings.seconds(floor) / seconds, "%"));
    }
}
