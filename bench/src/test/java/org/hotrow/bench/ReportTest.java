package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class ReportTest {
    private static final Map<String, String> ABOUT =
            Map.of("cpu", "A processor", "profile", "quick", "commit", "abc", "taken_by_others", "12 %");

    @TempDir
    Path folder;

    @BeforeAll
    static void model() {
        System.setProperty("hotrow.model", Path.of("../engine/demo-model").toString());
        System.setProperty("java.awt.headless", "true");
    }

    private static Measured bound(String name, Map<String, String> parameters, double percent) {
        Map<String, Measured.Other> others = new HashMap<>();
        FloorProfiler.compare(new Floor(1000, 4000), new Ceilings(1e9, 1e10), 1e-6 * 100 / percent)
                .forEach(r -> others.put(r.getLabel(), new Measured.Other(r.getScore(), r.getScoreUnit())));
        return new Measured(name, parameters, "us/op", List.of(100 / percent), others);
    }

    private static Measured hybrid(int context, int pool, boolean resident) {
        Map<String, Measured.Other> others =
                new HashMap<>(bound("HybridDecode decode", Map.of(), 10).others());
        others.put("tokens/s", new Measured.Other(100, "tok/s"));
        others.put("rows.read", new Measured.Other(resident ? 0 : 77, "rows/op"));
        others.put("pool", new Measured.Other(pool, "MB"));
        others.put("host.pool", new Measured.Other(99, "MB"));
        others.put("blocks", new Measured.Other(9, "blocks"));
        if (!resident) {
            others.put("hit.rate", new Measured.Other(45.6, "%"));
        }
        return new Measured(
                "HybridDecode decode",
                Map.of("context", Integer.toString(context), "pool", Integer.toString(pool)),
                "us/op",
                List.of(9.0),
                others);
    }

    private static Measured kernel(String device, double time) {
        return new Measured(
                "Kernel execute",
                Map.of("operation", "fp8-linear", "device", device),
                "us/op",
                List.of(time),
                Map.of());
    }

    private String page(List<Measured> measured, Optional<Path> policies) throws IOException {
        new ReportPage(new BenchRun(ABOUT, measured), policies, false).write(folder);
        return Files.readString(folder.resolve("report.md"), StandardCharsets.UTF_8);
    }

    @Test
    void saysWhatIsBelowHalfAndWhy() throws IOException {
        String page = page(
                List.of(
                        bound("IndexScore select", Map.of("keys", "8192"), 29),
                        bound("Unheard of", Map.of("n", "1"), 49.9),
                        bound("Prefill prefill", Map.of(), 50.1)),
                Optional.empty());
        assertThat(page)
                .contains("| cpu | A processor |", "| taken by others | 12 % |")
                .contains(
                        "| IndexScore select | keys 8192 | 3.45 (3.45 - 3.45) | us/op | 0.001 | 0.004 | 29.0 % | 11.6 % |"
                                + " 29.0 % |")
                .contains(
                        "* heads meet 128-wide keys, so each sum of 16 vector operations ends in 7 additions across lanes:"
                                + " IndexScore select (keys 8192)\n")
                .contains("* **not explained yet**: Unheard of (n 1)\n")
                .contains("here 1.00 GB/s and 10.0 GMAC/s");
        assertThat(page.substring(page.indexOf("### Below half"))).doesNotContain("Prefill");
        assertThat(folder.resolve("roofline.png")).isNotEmptyFile();
    }

    @Test
    void hasATableAndAPictureOfEach() throws IOException {
        List<Measured> all = new ArrayList<>(List.of(
                kernel("cpu", 3.5),
                kernel("emulated", 6000.0),
                hybrid(2048, 100, true),
                hybrid(16_384, 100, true),
                hybrid(16_384, 10, false)));
        for (int pages : new int[] {256, 4096}) {
            all.add(new Measured(
                    "Allocator request",
                    Map.of("pages", Integer.toString(pages)),
                    "us/op",
                    List.of(1.5 * pages),
                    Map.of()));
        }
        Path policies = folder.resolve("policies.csv");
        Files.writeString(policies, "policy,hit rate\nlru,86.6 %\n");
        assertThat(page(all, Optional.of(policies)))
                .contains("| fp8-linear | Fp8Linear; 128 x 256 fp8 | 3.50 (3.50 - 3.50) | 6,000 (6,000 - 6,000) |  |")
                .contains("| 16,384 | 10 % | 100 | 9.00 (9.00 - 9.00) | 77.0 | 45.6 % | 9.00 | 10.0 | 99.0 |  |")
                .contains("| 2,048 | 100 % | 100 | 9.00 (9.00 - 9.00) | 0 | all resident |")
                .contains(
                        "| allocator, a page of a request, by its pages | 256: 1.50 us | 4,096: 1.50 us | 0.00 | 0 | yes |")
                .contains("| GLM-5.3 | 60 / 30 |")
                .contains("| policy | hit rate |\n|---|---|\n| lru | 86.6 % |\n");
        assertThat(Stream.of("decode", "growth", "hit-rate", "seats").map(name -> folder.resolve(name + ".png")))
                .allSatisfy(picture -> assertThat(picture).isNotEmptyFile());
    }

    @Test
    void refusesResultsOfDifferentRuns() throws IOException {
        Path a = folder.resolve("a.json");
        Path b = folder.resolve("b.json");
        new BenchRun(ABOUT, List.of(kernel("cpu", 1))).write(a);
        Map<String, String> other = new HashMap<>(ABOUT);
        other.put("commit", "def");
        new BenchRun(other, List.of(kernel("emulated", 1))).write(b);
        assertThatThrownBy(() -> Report.read(List.of(a, b)))
                .hasMessageStartingWith(b + " and " + a + " are of different runs: commit: abc / def");
        other.put("commit", "abc");
        new BenchRun(other, List.of(kernel("emulated", 1))).write(b);
        assertThat(Report.read(List.of(a, b)).benchmarks()).hasSize(2);
        other.put("taken_by_others", "30 %");
        new BenchRun(other, List.of(kernel("emulated", 1))).write(b);
        assertThat(Report.read(List.of(a, b)).about())
                .containsEntry("taken_by_others", "12 %; 30 %")
                .containsEntry("cpu", "A processor");
    }

    /** A new benchmark says what it measures, and no text is left of one that is gone. */
    @Test
    void everyBenchmarkIsDescribed() {
        List<String> names = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .filter(name -> name.startsWith("org.hotrow"))
                .map(FloorTable::name)
                .toList();
        assertThat(names).contains("Linear multiply");
        assertThat(NamedLines.meanings().texts().keySet()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(NamedLines.reasons().texts().keySet())
                .allSatisfy(key -> assertThat(names).contains(key.replaceFirst(" \\(.*", "")));
    }

    @Test
    void theTextOfMostParametersCounts() {
        NamedLines lines = new NamedLines(Map.of("A b", "any", "A b (m 2)", "two", "A b (m 2, n 3)", "both"));
        assertThat(lines.of(bound("A b", Map.of("m", "2"), 1))).contains("two");
        assertThat(lines.of(bound("A b", Map.of("m", "22"), 1))).contains("any");
        assertThat(lines.of(new Measured("A b", Map.of("m", "2", "n", "3"), "us", List.of(1.0), Map.of())))
                .contains("both");
        assertThat(lines.of(bound("A bc", Map.of(), 1))).isEmpty();
    }
}
