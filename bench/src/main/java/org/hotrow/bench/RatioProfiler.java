package org.hotrow.bench;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * Reports ratios of things that a benchmark does one after another in each iteration, as medians over iterations. What
 * other programs take from the machine they take from both sides of a ratio.
 */
public final class RatioProfiler implements InternalProfiler {
    private static final Map<String, MedianResult> DECLARED = new LinkedHashMap<>();

    /** Says a number of the iteration that runs in this JVM. */
    static synchronized void declare(String label, double value, String unit) {
        DECLARED.put(label, new MedianResult(label, value, unit));
    }

    private static synchronized List<MedianResult> take() {
        List<MedianResult> taken = List.copyOf(DECLARED.values());
        DECLARED.clear();
        return taken;
    }

    @Override
    public String getDescription() {
        return "Ratios of what alternates within an iteration";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        take();
    }

    @Override
    @SuppressWarnings("rawtypes") // as JMH declares it
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return take();
    }
}
