package org.hotrow.bench;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures of a report. */
final class ReportCharts {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 440;
    private static final int COLUMNS = 2;
    private static final double LEFT = 0.01;
    private static final double RIGHT = 1000;

    private final Path folder;

    ReportCharts(Path folder) {
        this.folder = folder;
    }

    private static XYChart chart(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    private void save(List<XYChart> charts, String name) throws IOException {
        // XChart wants every place taken.
        int columns = charts.size() % COLUMNS == 0 ? COLUMNS : 1;
        BitmapEncoder.saveBitmap(
                charts, charts.size() / columns, columns, folder.resolve(name).toString(), BitmapFormat.PNG);
    }

    /** Multiply-adds a second over multiply-adds a byte, below the two ceilings. */
    void roofline(List<Measured> all, double readRate, double multiplyAddRate) throws IOException {
        XYChart chart = chart("Roofline", "multiply-adds per byte", "GMAC/s");
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisLogarithmic(true);
        double ridge = multiplyAddRate / readRate;
        double[] xs = {LEFT, ridge, RIGHT};
        double[] ys = {LEFT * readRate, multiplyAddRate, multiplyAddRate};
        chart.addSeries("ceilings", xs, ys).setMarker(SeriesMarkers.NONE);
        Map<String, List<Measured>> byName = new LinkedHashMap<>();
        for (Measured m : all) {
            if (m.other(FloorProfiler.BYTES).orElse(0) > 0
                    && m.other(FloorProfiler.MULTIPLY_ADD_RATE).orElse(0) > 0) {
                byName.computeIfAbsent(m.name(), name -> new ArrayList<>()).add(m);
            }
        }
        byName.forEach((name, points) -> {
            XYSeries series = chart.addSeries(
                    name,
                    values(points, ReportCharts::intensity),
                    values(points, m -> m.other(FloorProfiler.MULTIPLY_ADD_RATE).orElseThrow()));
            series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        });
        save(List.of(chart), "roofline.png");
    }

    static double intensity(Measured measured) {
        return measured.other(FloorProfiler.MULTIPLY_ADDS).orElse(0)
                / measured.other(FloorProfiler.BYTES).orElse(1);
    }

    private static double[] values(List<Measured> points, ToDoubleFunction<Measured> value) {
        return points.stream().mapToDouble(value).toArray();
    }

    /** Tokens a second, rows from the host and memory over the context, a line for each pool. */
    void decode(List<Measured> hybrid) throws IOException {
        List<XYChart> charts = new ArrayList<>();
        charts.add(lines(hybrid, "Decode speed over context", "tokens/s", "tokens/s"));
        charts.add(lines(hybrid, "Rows from the host for a token", "rows", "rows.read"));
        charts.add(lines(hybrid, "Device pool", "MB", "pool"));
        if (hybrid.stream().allMatch(m -> m.others().containsKey("process"))) {
            charts.add(lines(hybrid, "Resident memory of the process", "MB", "process"));
        }
        save(charts, "decode.png");
    }

    private static XYChart lines(List<Measured> hybrid, String title, String unit, String label) {
        XYChart chart = chart(title, "context, tokens", unit);
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(0.0);
        Map<String, List<Measured>> byPool = new LinkedHashMap<>();
        hybrid.stream()
                .sorted(Comparator.comparingDouble(m -> m.number("context")))
                .forEach(m -> byPool.computeIfAbsent(m.parameters().getOrDefault("pool", ""), pool -> new ArrayList<>())
                        .add(m));
        byPool.forEach((pool, points) -> chart.addSeries(
                "pool " + pool + " %",
                values(points, m -> m.number("context")),
                values(points, m -> m.other(label).orElse(0))));
        return chart;
    }

    /** Costs over sizes, with their fits. */
    void growth(List<Growth> all) throws IOException {
        List<XYChart> charts = new ArrayList<>();
        for (Growth growth : all) {
            XYChart chart = chart(growth.title(), growth.axis(), "us");
            chart.getStyler().setXAxisLogarithmic(true);
            chart.getStyler().setYAxisLogarithmic(true);
            double[] sizes =
                    growth.points().stream().mapToDouble(Growth.Point::size).toArray();
            chart.addSeries(
                            "measured",
                            sizes,
                            growth.points().stream()
                                    .mapToDouble(p -> p.cost().median())
                                    .toArray())
                    .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
            chart.addSeries(
                            "fit",
                            sizes,
                            DoubleStream.of(sizes).map(growth::fitted).toArray())
                    .setMarker(SeriesMarkers.NONE);
            charts.add(chart);
        }
        save(charts, "growth.png");
    }

    /** Hits by the selection model, over the rows of the hot region. */
    void hitRate() throws IOException {
        XYChart chart = chart("Hit rate over hot size, k = 2,048, 80K positions", "hot rows", "%");
        double[] rows = DoubleStream.of(MissCurve.SELECTIONS)
                .map(selections -> selections * H200Node.TOP_K)
                .toArray();
        chart.addSeries(
                "model, least recently used",
                rows,
                DoubleStream.of(MissCurve.RATES).map(rate -> 100 * (1 - rate)).toArray());
        chart.addSeries("published", new double[] {2048, 4096, 8192}, new double[] {70, 86.6, 93.3})
                .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        save(List.of(chart), "hit-rate.png");
    }

    /** Requests that have room at once, over their context. */
    void seats() throws IOException {
        XYChart chart = chart("Seats in 17.8 GiB, GLM-5.3", "context, tokens", "requests");
        chart.getStyler().setXAxisLogarithmic(true);
        Seats.curves()
                .forEach((name, seats) -> chart.addSeries(
                        name,
                        Arrays.stream(Seats.TOKENS).asDoubleStream().toArray(),
                        seats.stream().mapToDouble(Long::doubleValue).toArray()));
        save(List.of(chart), "seats.png");
    }
}
