package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs every benchmark for a moment, at its smallest, in this JVM: it works, its row is printed, and it has a floor, unless
 * it is of bookkeeping.
 */
class BenchmarksTest {
    @Test
    void runAndHaveAFloor() throws RunnerException {
        System.setProperty("hotrow.model", Path.of("../engine/demo-model").toString());
        Options options = new OptionsBuilder()
                .include("org\\.hotrow\\..*")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(10))
                .param("keys", "8192")
                .param("tokens", "40")
                .param("cached", "40")
                .param("prompt", "20")
                .param("rows", "1", "3")
                .param("shape", "200x300")
                .param("mib", "1")
                .param("live", "100")
                .param("pages", "8")
                .param("device", "cpu")
                .param("context", "700")
                .param("pool", "10")
                .shouldFailOnError(true)
                .addProfiler(FloorProfiler.class)
                .addProfiler(RatioProfiler.class)
                .build();
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        ByteArrayOutputStream progress = new ByteArrayOutputStream();

        List<String> each = new ArrayList<>();
        FloorTable format = new FloorTable(
                print(table),
                print(progress),
                result -> each.add(Measured.of(result).key()));
        Collection<RunResult> results = new Runner(options, format).run();

        assertThat(results).isNotEmpty();
        assertThat(each).hasSameSizeAs(results).doesNotHaveDuplicates();
        assertThat(results).filteredOn(run -> !isBookkeeping(run)).isNotEmpty().allSatisfy(run -> {
            Result<?> bound = Objects.requireNonNull(
                    run.getSecondaryResults().get(FloorProfiler.OF_BOUND),
                    run.getParams().id());
            assertThat(bound.getScore()).as(run.getParams().id()).isFinite().isPositive();
        });
        List<String> lines = table.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(2 + results.size() + 3);
        assertThat(lines.subList(0, 2 + results.size())).allMatch(line -> line.matches("\\|( [^|]+ \\|){9}"));
        assertThat(lines.getLast()).matches("multiply-adds: .* GMAC/s, all threads");
    }

    private static boolean isBookkeeping(RunResult run) {
        String name = run.getParams().getBenchmark();
        return name.contains(".Allocator")
                || name.contains(".Scheduler")
                || name.contains(".Paired")
                || name.contains(".Text")
                || name.contains(".Emulator");
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
