package org.hotrow.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What a benchmark gave with some parameters.
 *
 * @param name class and method, without package and "Benchmark": {@code Linear multiply}
 * @param parameters by name
 * @param unit of the samples: {@code us/op}
 * @param samples the score of each measured iteration
 * @param others medians of all else that it reports, by label
 */
record Measured(
        String name, Map<String, String> parameters, String unit, List<Double> samples, Map<String, Other> others) {
    /** A number beside the score. */
    record Other(double value, String unit) {}

    Measured {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        samples = List.copyOf(samples);
        others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
    }

    static Measured of(RunResult result) {
        BenchmarkParams params = result.getParams();
        Map<String, String> parameters = new LinkedHashMap<>();
        params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
        List<Double> samples = new ArrayList<>();
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                samples.add(iteration.getPrimaryResult().getScore());
            }
        }
        Map<String, Other> others = new LinkedHashMap<>();
        result.getSecondaryResults()
                .forEach((label, other) -> others.put(label, new Other(other.getScore(), other.getScoreUnit())));
        return new Measured(
                FloorTable.name(params), parameters, result.getPrimaryResult().getScoreUnit(), samples, others);
    }

    /** What it is of, in words: {@code keys 8192, lanes vector}. */
    String of() {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Name and parameters: what two runs have in common. */
    String key() {
        return parameters.isEmpty() ? name : name + " (" + of() + ")";
    }

    Interval interval() {
        return Interval.of(samples.stream().mapToDouble(Double::doubleValue).toArray());
    }

    double median() {
        return interval().median();
    }

    /** A number beside the score, if it has such. */
    OptionalDouble other(String label) {
        Other other = others.get(label);
        return other == null ? OptionalDouble.empty() : OptionalDouble.of(other.value);
    }

    /** The value of a parameter, a number. */
    double number(String parameter) {
        return Double.parseDouble(Objects.requireNonNull(parameters.get(parameter), parameter));
    }

    boolean has(String parameter, String value) {
        return value.equals(parameters.get(parameter));
    }

    /**
     * A median and where it may lie: between two order statistics that enclose it with 95 %, whatever the distribution;
     * with fewer than six samples between the least and the largest.
     */
    record Interval(double low, double median, double high) {
        private static final double OUTSIDE = 0.05;

        /** @throws IllegalArgumentException without samples */
        static Interval of(double... samples) {
            if (samples.length == 0) {
                throw new IllegalArgumentException("no samples");
            }
            double[] sorted = samples.clone();
            Arrays.sort(sorted);
            int n = sorted.length;
            double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
            int cut = 0;
            // Of n fair coins, at most so many heads.
            double tail = Math.pow(0.5, n);
            double term = tail;
            while (2 * (tail + term * (n - cut) / (cut + 1)) <= OUTSIDE) {
                term *= (double) (n - cut) / (cut + 1);
                tail += term;
                cut++;
            }
            if (2 * tail > OUTSIDE) {
                return new Interval(sorted[0], median, sorted[n - 1]);
            }
            return new Interval(sorted[cut], median, sorted[n - 1 - cut]);
        }

        boolean overlaps(Interval other) {
            return low <= other.high && other.low <= high;
        }

        /** This over another. */
        Interval over(Interval other) {
            return new Interval(low / other.high, median / other.median, high / other.low);
        }
    }
}
