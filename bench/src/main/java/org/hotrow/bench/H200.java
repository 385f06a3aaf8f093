package org.hotrow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The prepared run on an H200: sections one after the other, correctness first, each a process with a limit, all within eight
 * minutes. {@code bench/bin/h200} says how it gets there.
 *
 * <pre>
 * self-test   the device's own, then the demo model's greedy tokens
 * goldens     greedy tokens of sparse glm-tiny
 * kernels     poison, reference and time against floor of each main kernel
 * gather      hot rows: resolver, and rows from pinned host memory
 * slice       a decode step of four layers of GLM-5.3, random weights
 * host        what executions of recorded graphs cost on the host
 * </pre>
 */
public final class H200 {
    static final List<String> SECTIONS = List.of("self-test", "goldens", "kernels", "gather", "slice", "host");

    private static final Duration WHOLE = Duration.ofSeconds(465);
    private static final Map<String, Integer> LIMITS =
            Map.of("self-test", 110, "goldens", 65, "kernels", 140, "gather", 60, "slice", 70, "host", 20);
    /** A driver on the CPU is slow. */
    private static final int SMOKE_FACTOR = 8;

    private static final int ERROR = 1;
    private static final int USAGE = 2;

    private H200() {}

    /** Runs the sections. */
    public static void main(String[] args) throws IOException, InterruptedException {
        H200Options options;
        try {
            options = H200Options.parse(SECTIONS, args);
        } catch (IllegalArgumentException e) {
            System.err.println("h200: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        Files.createDirectories(options.out());
        Files.deleteIfExists(options.log());
        H200Report report = new H200Report(H200Machine.facts(options), SECTIONS);
        report.write(options.out());
        run(options, report);
        System.out.println(report.markdown());
        System.exit(report.passed() ? 0 : ERROR);
    }

    private static void run(H200Options options, H200Report report) throws IOException, InterruptedException {
        int factor = options.smoke() ? SMOKE_FACTOR : 1;
        SectionBudget budget = new SectionBudget(WHOLE.multipliedBy(factor), System.nanoTime());
        for (String name : SECTIONS) {
            if (!options.only().isEmpty() && !options.only().contains(name)) {
                continue;
            }
            long start = System.nanoTime();
            Duration limit = budget.next(Duration.ofSeconds((long) factor * LIMITS.getOrDefault(name, 0)), start);
            H200Section section = new H200Section(name, options, limit, start, report);
            H200Report.Section result;
            try {
                result = limit.toSeconds() == 0 ? section.outOfTime() : section.run();
            } catch (IOException | RuntimeException e) {
                result = section.result("failed", e.toString(), Map.of());
            }
            report.add(result);
            report.write(options.out());
            System.err.printf("h200: %s %s in %.0f s: %s%n", name, result.status(), result.seconds(), result.checked());
        }
    }
}
