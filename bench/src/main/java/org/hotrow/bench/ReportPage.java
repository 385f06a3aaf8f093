package org.hotrow.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hotrow.engine.KernelShapes;

/** A run as one page of Markdown, with pictures beside it. */
final class ReportPage {
    private static final String KERNEL = "Kernel execute";
    private static final String HYBRID = "HybridDecode decode";
    private static final double HALF = 50;

    private final BenchRun run;
    private final Optional<Path> policies;
    private final boolean replay;
    private final StringBuilder page = new StringBuilder();

    /**
     * @param policies a table of replacement policies as CSV, if there is one
     * @param replay whether to replay conversations on the model of eight H200
     */
    ReportPage(BenchRun run, Optional<Path> policies, boolean replay) {
        this.run = run;
        this.policies = policies;
        this.replay = replay;
    }

    /** Writes {@code report.md} and its pictures into a folder, which is made. */
    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        ReportCharts charts = new ReportCharts(folder);
        head();
        roofline(charts);
        bookkeeping();
        kernels();
        decode(charts);
        growth(charts);
        models(charts, folder);
        policies();
        Files.writeString(folder.resolve("report.md"), page, StandardCharsets.UTF_8);
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private void section(String title, String text) {
        line("\n## " + title + "\n");
        line(text + "\n");
    }

    private static String number(OptionalDouble value, double factor) {
        return value.isPresent() ? FloorTable.number(value.getAsDouble() * factor) : "";
    }

    private static String range(Measured measured) {
        Measured.Interval time = measured.interval();
        return FloorTable.number(time.median()) + " (" + FloorTable.number(time.low()) + " - "
                + FloorTable.number(time.high()) + ")";
    }

    private void head() {
        line("# What Hotrow costs, measured\n");
        line("Made by `bench/bin/report` from `bench/bin/bench"
                + (run.about(BenchRun.PROFILE).equals("quick") ? " --quick" : "") + "`. Run both to have your own.\n");
        line("| | |");
        line("|---|---|");
        run.about().forEach((name, value) -> line("| " + name.replace('_', ' ') + " | " + value + " |"));
        line(
                "\n*taken by others* is the share of all processors' time that other programs had during the run: above a few"
                        + " percent the machine was shared, and single numbers may be off by that much and more. Each time is a"
                        + " median over iterations; in brackets where it lies with 95 % (with fewer than six iterations: from the"
                        + " least to the largest). Compare two runs by `bench/bin/compare A.json B.json`.");
    }

    private List<Measured> withFloor() {
        return run.benchmarks().stream()
                .filter(m -> m.others().containsKey(FloorProfiler.OF_BOUND))
                .toList();
    }

    private double ceiling(List<Measured> measured, String label) {
        double[] sorted = measured.stream()
                .mapToDouble(m -> m.other(label).orElseThrow())
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    private void roofline(ReportCharts charts) throws IOException {
        List<Measured> all = withFloor();
        if (all.isEmpty()) {
            return;
        }
        double read = ceiling(all, FloorProfiler.READ_CEILING);
        double multiplyAdd = ceiling(all, FloorProfiler.MULTIPLY_ADD_CEILING);
        section(
                "Against the machine's best",
                "A benchmark's *floor* is what its work can't do without: bytes read once, and multiply-adds. Right before"
                        + " each iteration the machine's two *ceilings* are measured, sequential reads of memory and fused"
                        + " multiply-adds, on all threads; here "
                        + FloorTable.number(read) + " GB/s and " + FloorTable.number(multiplyAdd)
                        + " GMAC/s in the median."
                        + " *Of read* and *of FMA* are the rates that the floor gives over these ceilings, *of bound* the"
                        + " time that the floor takes at least over the time that it took. More than 100 % of read means"
                        + " that the bytes came from a cache.");
        charts.roofline(all, read, multiplyAdd);
        line("![roofline](roofline.png)\n");
        line("| benchmark | of | time | unit | MB | M mul-add | of read | of FMA | of bound |");
        line("|---|---|---:|---|---:|---:|---:|---:|---:|");
        all.forEach(m -> line("| " + m.name() + " | " + m.of() + " | " + range(m) + " | " + m.unit() + " | "
                + number(m.other(FloorProfiler.BYTES), 1e-6) + " | "
                + number(m.other(FloorProfiler.MULTIPLY_ADDS), 1e-6)
                + " | " + number(m.other(FloorProfiler.OF_READ), 1) + " % | "
                + number(m.other(FloorProfiler.OF_MULTIPLY_ADD), 1) + " % | "
                + number(m.other(FloorProfiler.OF_BOUND), 1) + " % |"));
        meanings(all);
        belowHalf(all);
    }

    private void meanings(List<Measured> of) {
        NamedLines meanings = NamedLines.meanings();
        Map<String, String> lines = new LinkedHashMap<>();
        of.forEach(m -> lines.putIfAbsent(m.name(), meanings.of(m).orElse("not described yet")));
        line("");
        lines.forEach((name, text) -> line("* **" + name + "**: " + text));
    }

    private void belowHalf(List<Measured> all) {
        NamedLines reasons = NamedLines.reasons();
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (Measured m : all) {
            if (m.other(FloorProfiler.OF_BOUND).orElseThrow() < HALF) {
                byReason.computeIfAbsent(reasons.of(m).orElse("**not explained yet**"), reason -> new ArrayList<>())
                        .add(m.key());
            }
        }
        line("\n### Below half of the bound, and why\n");
        byReason.forEach((reason, keys) -> line("* " + reason + ": " + String.join("; ", keys)));
    }

    private void bookkeeping() {
        List<Measured> all = run.benchmarks().stream()
                .filter(m -> !m.others().containsKey(FloorProfiler.OF_BOUND))
                .filter(m -> !m.name().equals(KERNEL))
                .toList();
        if (all.isEmpty()) {
            return;
        }
        section(
                "Bookkeeping",
                "Work without a floor: where things are is all that happens, or two things are compared.");
        line("| benchmark | of | time | unit | else |");
        line("|---|---|---:|---|---|");
        all.forEach(m -> line("| " + m.name() + " | " + m.of() + " | " + range(m) + " | " + m.unit() + " | "
                + String.join(
                        ", ",
                        m.others().entrySet().stream()
                                .map(e -> e.getKey() + " "
                                        + FloorTable.number(e.getValue().value()) + " "
                                        + e.getValue().unit())
                                .toList())
                + " |"));
        meanings(all);
    }

    private void kernels() {
        List<Measured> all =
                run.benchmarks().stream().filter(m -> m.name().equals(KERNEL)).toList();
        if (all.isEmpty()) {
            return;
        }
        Map<String, Map<String, Measured>> byOperation = new LinkedHashMap<>();
        all.forEach(m -> byOperation
                .computeIfAbsent(m.parameters().getOrDefault("operation", ""), o -> new LinkedHashMap<>())
                .put(m.parameters().getOrDefault("device", ""), m));
        section(
                "Kernels",
                "Each operation of the model, for one token with the demo model's weights: by `CpuOps`, by its kernels on"
                        + " the emulator, and on the device of a TornadoVM SDK if the run had one (an empty cell was not"
                        + " run). Times include starting it. The emulator checks and explains kernels; its times say how"
                        + " long a test takes, nothing about a GPU.");
        line("| operation | kernels; shape | cpu, us | emulated, us | tornado, us |");
        line("|---|---|---:|---:|---:|");
        Map<String, String> shapes = KernelShapes.words();
        byOperation.forEach((operation, devices) -> line("| " + operation + " | "
                + shapes.getOrDefault(operation, "") + " | " + cell(devices, "cpu") + " | " + cell(devices, "emulated")
                + " | " + cell(devices, "tornado") + " |"));
    }

    private static String cell(Map<String, Measured> devices, String device) {
        Measured measured = devices.get(device);
        return measured == null ? "" : range(measured);
    }

    private void decode(ReportCharts charts) throws IOException {
        List<Measured> hybrid =
                run.benchmarks().stream().filter(m -> m.name().equals(HYBRID)).toList();
        if (hybrid.isEmpty()) {
            return;
        }
        section(
                "Decoding with part of the cache on the host",
                "A checkpoint of random weights with the demo model's shapes and 131,072 positions"
                        + " (`bench/bin/random-checkpoint`); the context is imported, only decoding is timed. *Pool* is the"
                        + " share of the request's pages that have a device block. Index keys always stay, and a hot region"
                        + " of two selections and three pages is the least, so *blocks* says what that came to. On this"
                        + " device both pools are the machine's memory: *process* has them both, the JVM, its 256 MB heap"
                        + " and the weights; what the smaller pool takes less, the process takes less. Random weights select"
                        + " with little locality, so hit rates here are no model's.");
        charts.decode(hybrid);
        line("![decode](decode.png)\n");
        line("| context | pool | tokens/s | us a token | rows from the host a token | hit rate | blocks | pool, MB |"
                + " host pool, MB | process, MB |");
        line("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        hybrid.stream()
                .sorted(Comparator.<Measured>comparingDouble(m -> m.number("context"))
                        .thenComparingDouble(m -> -m.number("pool")))
                .forEach(m -> line(String.format(
                        Locale.ROOT,
                        "| %,.0f | %.0f %% | %s | %s | %s | %s | %s | %s | %s | %s |",
                        m.number("context"),
                        m.number("pool"),
                        number(m.other("tokens/s"), 1),
                        range(m),
                        number(m.other("rows.read"), 1),
                        m.others().containsKey("hit.rate") ? number(m.other("hit.rate"), 1) + " %" : "all resident",
                        number(m.other("blocks"), 1),
                        number(m.other("pool"), 1),
                        number(m.other("host.pool"), 1),
                        number(m.other("process"), 1))));
    }

    private void growth(ReportCharts charts) throws IOException {
        List<Growth> all = Growth.of(run.benchmarks());
        if (all.isEmpty()) {
            return;
        }
        section(
                "Growth",
                "How costs grow: time is fitted by a power of the size, a straight line through logarithms. 0 is constant,"
                        + " 1 proportional; *as it should* allows " + Growth.TOLERANCE
                        + " for what caches and fixed costs do.");
        charts.growth(all);
        line("![growth](growth.png)\n");
        line("| cost | smallest | largest | exponent | expected | as it should |");
        line("|---|---:|---:|---:|---:|---|");
        all.forEach(growth -> line(growth.row()));
    }

    private void models(ReportCharts charts, Path folder) throws IOException {
        section(
                "Models, not measurements",
                "What follows is computed, the same on every machine: hits of a hot region on made-up selections fitted to"
                        + " three published rates (`bench/bin/misses`), requests that have room at once (`bench/bin/seats`)"
                        + (replay
                                ? ", and conversations replayed on a model of eight H200 (`bench/bin/simulate`)."
                                : "."));
        charts.hitRate();
        charts.seats();
        line("![hit rate](hit-rate.png)\n");
        line("![seats](seats.png)\n");
        line(printed(Seats::print));
        if (replay) {
            ReplayReport curves = new ReplayReport(Simulate.results(SimulateOptions.parse()));
            curves.write(folder);
            line("![replay](replay.png)\n");
            line(printed(curves::print));
        }
    }

    /** What prints itself. */
    private interface Printing {
        void to(PrintStream out);
    }

    private static String printed(Printing printing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        printing.to(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void policies() throws IOException {
        section(
                "Replacement policies",
                "Rows of the hot region that are replaced: the least recently used, or something better, judged offline"
                        + " against what is needed latest (Belady). By `bench/bin/misses --policies`: the share of selected"
                        + " rows that miss, by the rows of the region, and in brackets the change against the least recently"
                        + " used, on the made-up selections and on those that the demo model's indexers make.");
        if (policies.isEmpty()) {
            line("Not run.");
            return;
        }
        List<String> rows = Files.readAllLines(policies.get(), StandardCharsets.UTF_8).stream()
                .filter(row -> !row.isBlank())
                .toList();
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(policies.get() + ": is empty, expected CSV with a line of names");
        }
        for (int i = 0; i < rows.size(); i++) {
            line("| " + String.join(" | ", rows.get(i).split(",", -1)) + " |");
            if (i == 0) {
                line("|" + "---|".repeat(rows.getFirst().split(",", -1).length));
            }
        }
    }
}
