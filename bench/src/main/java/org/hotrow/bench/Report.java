package org.hotrow.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one page of results: {@code Report [--out FOLDER] [--policies FILE.csv] [--no-replay] RESULT.json...} writes
 * {@code report.md} and its pictures. Of several results the machine is the first one's, and the others' must be the same.
 */
final class Report {
    private static final String USAGE =
            "usage: report [--quick] [--out FOLDER] [--policies FILE.csv] [--no-replay] RESULT.json...";

    private Report() {}

    /** Exits with 1 if a file can't be read or written, with 2 on usage. */
    public static void main(String... args) {
        try {
            make(args);
        } catch (UsageException e) {
            System.err.println("report: " + e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            System.err.println("report: " + e.getMessage());
            System.exit(1);
        }
    }

    /** An argument that isn't one. */
    private static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    private static void make(String... args) throws IOException, UsageException {
        Path out = Path.of("target", "report");
        Optional<Path> policies = Optional.empty();
        boolean replay = true;
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            boolean last = i == args.length - 1;
            switch (args[i]) {
                case "--no-replay" -> replay = false;
                case "--out", "--policies" -> {
                    if (last) {
                        throw new UsageException(args[i] + ": a value is missing");
                    }
                    Path value = Path.of(args[i + 1]);
                    if (args[i].equals("--out")) {
                        out = value;
                    } else {
                        policies = Optional.of(value);
                    }
                    i++;
                }
                default -> {
                    if (args[i].startsWith("-")) {
                        throw new UsageException("no flag " + args[i]);
                    }
                    files.add(Path.of(args[i]));
                }
            }
        }
        if (files.isEmpty()) {
            throw new UsageException("no result");
        }
        new ReportPage(read(files), policies, replay).write(out);
        System.err.println("report: " + out.resolve("report.md"));
    }

    /** All benchmarks of some runs, as one; where they started and what they were asked differs, and all of it is said. */
    static BenchRun read(List<Path> files) throws IOException {
        BenchRun first = BenchRun.read(files.getFirst());
        Map<String, String> about = new LinkedHashMap<>(first.about());
        List<Measured> all = new ArrayList<>(first.benchmarks());
        for (Path file : files.subList(1, files.size())) {
            BenchRun other = BenchRun.read(file);
            List<String> differences = first.differences(other);
            if (!differences.isEmpty()) {
                throw new IllegalArgumentException(file + " and " + files.getFirst() + " are of different runs: "
                        + String.join("; ", differences) + "; put them beside each other by bench/bin/compare");
            }
            other.about()
                    .forEach((name, value) -> about.merge(
                            name, value, (before, after) -> before.equals(after) ? before : before + "; " + after));
            all.addAll(other.benchmarks());
        }
        return new BenchRun(about, all);
    }
}
