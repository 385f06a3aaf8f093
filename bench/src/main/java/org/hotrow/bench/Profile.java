package org.hotrow.bench;

import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How long a run takes: {@link #FULL} is what the benchmarks' annotations say; {@link #QUICK} warms each up as long, but
 * measures it for half a second, leaves out most sizes, and those that a pattern doesn't name and that take long by
 * themselves. With less warming up, loops of the Vector API are measured before they are compiled, 20 times as slow.
 */
enum Profile {
    FULL,
    QUICK;

    private static final int ITERATIONS = 5;
    private static final TimeValue ITERATION = TimeValue.milliseconds(100);

    /** Parameters of a quick run, unless the user says others. */
    private static final Map<String, List<String>> PARAMETERS = Map.of(
            "prompt", List.of("448"),
            "lanes", List.of("vector"),
            "keys", List.of("8192", "65536"),
            "cached", List.of("8192", "131072"),
            "shape", List.of("6144x2048"),
            "pages", List.of("256", "4096"),
            "context", List.of("2048", "16384"),
            "pool", List.of("100", "10"));

    private static final List<String> SLOW =
            List.of(".*AllocatorLive.*", ".*PairedDecode.*", ".*PairedReplacement.*", ".*TopKBenchmark.*");

    /** Sets what a user's flags leave open. */
    void apply(ChainedOptionsBuilder options, Options flags) {
        if (this == FULL) {
            return;
        }
        options.measurementIterations(flags.getMeasurementIterations().orElse(ITERATIONS))
                .measurementTime(flags.getMeasurementTime().orElse(ITERATION));
        PARAMETERS.forEach((name, values) -> {
            if (!flags.getParameter(name).hasValue()) {
                options.param(name, values.toArray(String[]::new));
            }
        });
        if (flags.getIncludes().isEmpty()) {
            SLOW.forEach(options::exclude);
        }
    }
}
