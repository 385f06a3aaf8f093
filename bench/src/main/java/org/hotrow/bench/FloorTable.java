package org.hotrow.bench;

import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.util.Statistics;

/**
 * A run as a table in Markdown, a row as soon as its benchmark is done; all else that JMH says goes to {@code progress}.
 * Numbers are medians over the measured iterations.
 */
final class FloorTable implements OutputFormat {
    private static final double MEDIAN = 50;
    private static final int[] WIDTHS = {22, 50, 12, 5, 10, 10, 7, 7, 10};
    private static final List<String> HEADS =
            List.of("benchmark", "of", "time", "pairs", "MB", "M mul-add", "% read", "% FMA", "% of bound");
    private static final int TEXT_COLUMNS = 2;

    private final PrintStream table;
    private final PrintStream progress;

    private final Consumer<RunResult> each;
    private int failed;

    FloorTable(PrintStream table, PrintStream progress) {
        this(table, progress, result -> {});
    }

    /** @param each takes a benchmark's result as soon as it is there */
    FloorTable(PrintStream table, PrintStream progress, Consumer<RunResult> each) {
        this.each = each;
        this.table = table;
        this.progress = progress;
    }

    /** Benchmarks that gave no result. */
    int failed() {
        return failed;
    }

    @Override
    public void startRun() {
        line(HEADS);
        table.println(IntStream.range(0, WIDTHS.length)
                .mapToObj(i -> i < TEXT_COLUMNS ? "-".repeat(WIDTHS[i]) : "-".repeat(WIDTHS[i] - 1) + ":")
                .collect(Collectors.joining(" | ", "| ", " |")));
    }

    @Override
    public void endBenchmark(BenchmarkResult result) {
        if (result == null) { // a benchmark that failed
            failed++;
            return;
        }
        each.accept(new RunResult(result.getParams(), List.of(result)));
        Statistics times = result.getPrimaryResult().getStatistics();
        line(List.of(
                name(result.getParams()),
                parameters(result.getParams()),
                number(times.getPercentile(MEDIAN)) + " "
                        + result.getScoreUnit().replace("/op", ""),
                Long.toString(times.getN()),
                cell(result, FloorProfiler.BYTES, 1e-6),
                cell(result, FloorProfiler.MULTIPLY_ADDS, 1e-6),
                cell(result, FloorProfiler.OF_READ, 1),
                cell(result, FloorProfiler.OF_MULTIPLY_ADD, 1),
                cell(result, FloorProfiler.OF_BOUND, 1)));
    }

    @Override
    public void endRun(Collection<RunResult> results) {
        table.println();
        ceiling(results, "sequential read", FloorProfiler.READ_CEILING);
        ceiling(results, "multiply-adds", FloorProfiler.MULTIPLY_ADD_CEILING);
    }

    /** The range over benchmarks of their medians. */
    private void ceiling(Collection<RunResult> results, String what, String label) {
        List<Result<?>> ceilings = results.stream()
                .<Result<?>>map(run -> run.getSecondaryResults().get(label))
                .filter(result -> result != null)
                .toList();
        if (!ceilings.isEmpty()) {
            double[] sorted =
                    ceilings.stream().mapToDouble(Result::getScore).sorted().toArray();
            table.printf(
                    Locale.ROOT,
                    "%s: %s to %s %s, all threads%n",
                    what,
                    number(sorted[0]),
                    number(sorted[sorted.length - 1]),
                    ceilings.getFirst().getScoreUnit());
        }
    }

    private void line(List<String> cells) {
        table.println(IntStream.range(0, WIDTHS.length)
                .mapToObj(i -> String.format("%" + (i < TEXT_COLUMNS ? "-" : "") + WIDTHS[i] + "s", cells.get(i)))
                .collect(Collectors.joining(" | ", "| ", " |")));
    }

    /** Class and method, without package and "Benchmark". */
    static String name(BenchmarkParams params) {
        return name(params.getBenchmark());
    }

    static String name(String benchmark) {
        return benchmark.replaceFirst("^.*\\.(\\w+?)(Benchmark)?\\.(\\w+)$", "$1 $3");
    }

    private static String parameters(BenchmarkParams params) {
        return params.getParamsKeys().stream()
                .map(key -> key + " " + params.getParam(key))
                .collect(Collectors.joining(", "));
    }

    private static String cell(BenchmarkResult result, String label, double factor) {
        Result<?> found = result.getSecondaryResults().get(label);
        return found == null ? "" : number(found.getScore() * factor);
    }

    /** All digits before the point, and behind it as many as make three with them. */
    static String number(double value) {
        int decimals = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    @Override
    public void startBenchmark(BenchmarkParams params) {
        progress.println(name(params) + " " + parameters(params));
    }

    @Override
    public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {}

    @Override
    public void iterationResult(
            BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult result) {}

    @Override
    public void print(String text) {
        progress.print(text);
    }

    @Override
    public void println(String text) {
        progress.println(text);
    }

    @Override
    public void verbosePrintln(String text) {}

    @Override
    public void write(int character) {
        progress.write(character);
    }

    @Override
    public void write(byte[] characters) {
        progress.writeBytes(characters);
    }

    @Override
    public void flush() {
        progress.flush();
    }

    @Override
    public void close() {
        table.flush();
        progress.flush();
    }
}
