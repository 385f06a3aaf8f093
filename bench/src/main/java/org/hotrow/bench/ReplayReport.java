package org.hotrow.bench;

import java.awt.Color;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hotrow.allocator.KvPolicy;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Results of replays as a Markdown table, as CSV, and as a picture of curves over the concurrency. */
final class ReplayReport {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 400;
    private static final int COLUMNS = 3;

    private final List<ReplayResult> results;

    ReplayReport(List<ReplayResult> results) {
        this.results = results;
    }

    /** A row per result. */
    void print(PrintStream out) {
        out.println("| policy | c | "
                + Measure.ALL.stream().map(Measure::column).collect(Collectors.joining(" | "))
                + " |");
        out.println("|---|---|" + "---|".repeat(Measure.ALL.size()));
        for (ReplayResult result : results) {
            out.println("| " + policy(result) + " | " + result.concurrency() + " | " + values(result, "%.4g", " | ")
                    + " |");
        }
    }

    /** Writes {@code replay.csv} and {@code replay.png} into a folder, which is made. */
    void write(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.write(folder.resolve("replay.csv"), csv());
            List<XYChart> charts = Measure.ALL.stream()
                    .filter(Measure::plotted)
                    .map(this::chart)
                    .toList();
            BitmapEncoder.saveBitmap(
                    charts,
                    Math.ceilDiv(charts.size(), COLUMNS),
                    COLUMNS,
                    folder.resolve("replay.png").toString(),
                    BitmapFormat.PNG);
        } catch (IOException e) {
            throw new UncheckedIOException("report in " + folder + ": " + e.getMessage(), e);
        }
    }

    private List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add("policy,concurrency,"
                + Measure.ALL.stream().map(Measure::column).collect(Collectors.joining(",")));
        for (ReplayResult result : results) {
            lines.add(policy(result) + "," + result.concurrency() + "," + values(result, "%.6g", ","));
        }
        return lines;
    }

    private static String values(ReplayResult result, String format, String between) {
        return Measure.ALL.stream()
                .map(measure -> number(format, measure.of(result)))
                .collect(Collectors.joining(between));
    }

    private static String number(String format, double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, format, value);
    }

    private static String policy(ReplayResult result) {
        return result.serving().policy().name().toLowerCase(Locale.ROOT);
    }

    private XYChart chart(Measure measure) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(measure.title())
                .xAxisTitle("conversations at once")
                .build();
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        for (KvPolicy policy : KvPolicy.values()) {
            List<ReplayResult> line =
                    results.stream().filter(r -> r.serving().policy() == policy).toList();
            if (!line.isEmpty()) {
                chart.addSeries(
                        policy(line.getFirst()),
                        line.stream().mapToDouble(ReplayResult::concurrency).toArray(),
                        line.stream().mapToDouble(measure::of).toArray());
            }
        }
        return chart;
    }
}
