package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchRunTest {
    private static final Map<String, String> ABOUT = Map.of(
            "cpu",
            "A",
            "processors",
            "2",
            "memory",
            "1",
            "system",
            "s",
            "jdk",
            "25",
            "profile",
            "quick",
            "commit",
            "c");

    @TempDir
    Path folder;

    private static Measured measured(String name, Map<String, String> parameters, Double... samples) {
        return new Measured(name, parameters, "us/op", List.of(samples), Map.of());
    }

    @Test
    void isReadAsItWasWritten() throws IOException {
        Measured full = new Measured(
                "Linear multiply",
                Map.of("rows", "1"),
                "us/op",
                List.of(1.0, 1234.56, 0.00012),
                Map.of("bytes", new Measured.Other(12_582_912, "B/op"), "x", new Measured.Other(Double.NaN, "%")));
        Path file = folder.resolve("new").resolve("a.json");
        BenchRun run = new BenchRun(ABOUT, List.of(full, measured("b", Map.of(), 1.0)));
        run.write(file);
        BenchRun read = BenchRun.read(file);
        assertThat(read.about()).isEqualTo(ABOUT);
        assertThat(read.benchmarks().getFirst().samples()).isEqualTo(full.samples());
        assertThat(read.benchmarks().getFirst().others().get("bytes"))
                .isEqualTo(new Measured.Other(12_582_900, "B/op"));
        assertThat(read.benchmarks().getFirst().others().get("x")).isEqualTo(new Measured.Other(Double.NaN, "%"));
        assertThat(read.benchmarks().getLast()).isEqualTo(run.benchmarks().getLast());
    }

    @Test
    void namesAFileThatIsNone() throws IOException {
        Path file = folder.resolve("jmh.json");
        Files.writeString(file, "{\"format\": \"other\"}");
        assertThatThrownBy(() -> BenchRun.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ": not a result of bench/bin/bench (format is other, expected hotrow-bench-1);"
                        + " write one by --json FILE");
        Files.writeString(file, "{\"format\": \"hotrow-bench-1\", \"about\": {}}");
        assertThatThrownBy(() -> BenchRun.read(file)).hasMessageContaining("benchmarks is missing");
        Files.writeString(file, "[1]");
        assertThatThrownBy(() -> BenchRun.read(file)).hasMessageContaining("expected a JSON object");
    }

    @Test
    void comparesAndFlagsOnlyWhatDoesNotOverlap() {
        BenchRun a = new BenchRun(
                ABOUT,
                List.of(
                        measured("same", Map.of("n", "1"), 10.0, 11.0, 12.0),
                        measured("slower", Map.of(), 10.0, 11.0, 12.0),
                        measured("faster", Map.of(), 10.0, 11.0, 12.0),
                        measured("gone", Map.of(), 1.0)));
        Map<String, String> other = new HashMap<>(ABOUT);
        other.put("cpu", "B");
        BenchRun b = new BenchRun(
                other,
                List.of(
                        measured("same", Map.of("n", "1"), 12.0, 22.0, 33.0),
                        measured("slower", Map.of(), 12.1, 22.0, 33.0),
                        measured("faster", Map.of(), 5.0, 5.5, 9.9),
                        measured("same", Map.of("n", "2"), 1.0)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Compare.print(a, b, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "differs: cpu: A / B",
                        "",
                        "| benchmark | A | B | unit | B / A | from - to | |",
                        "|---|---:|---:|---|---:|---|---|",
                        "| same (n 1) | 11.0 | 22.0 | us/op | 2.00 | 1.00 - 3.30 |  |",
                        "| slower | 11.0 | 22.0 | us/op | 2.00 | 1.01 - 3.30 | **slower** |",
                        "| faster | 11.0 | 5.50 | us/op | 0.50 | 0.42 - 0.99 | **faster** |",
                        "",
                        "3 in both, 2 flagged: their intervals (95 % for the median; with fewer than six samples least to"
                                + " largest) don't overlap. Only in A: 1, only in B: 1");
    }

    @Test
    void othersTakeAShareOfTheProcessors() {
        BenchMachine machine = new BenchMachine();
        assertThat(machine.others()).isBetween(0.0, 100.0);
        assertThat(BenchMachine.system()).contains(System.getProperty("os.name"));
    }
}
