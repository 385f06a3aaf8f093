package org.hotrow.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The ratio of two runs, benchmark by benchmark: {@code Compare A B}. */
final class Compare {
    private Compare() {}

    /** Exits with 1 if a file can't be read, with 2 on usage. */
    public static void main(String... args) {
        if (args.length != 2) {
            System.err.println("usage: compare A.json B.json");
            System.exit(2);
        }
        try {
            print(BenchRun.read(Path.of(args[0])), BenchRun.read(Path.of(args[1])), System.out);
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("compare: " + e.getMessage());
            System.exit(1);
        }
    }

    /** A row for each benchmark that both have; one is flagged if the two medians' intervals have nothing in common. */
    static void print(BenchRun a, BenchRun b, PrintStream out) {
        a.differences(b).forEach(line -> out.println("differs: " + line));
        Map<String, Measured> left = byKey(a);
        Map<String, Measured> right = byKey(b);
        out.println();
        out.println("| benchmark | A | B | unit | B / A | from - to | |");
        out.println("|---|---:|---:|---|---:|---|---|");
        int flagged = 0;
        int both = 0;
        for (Map.Entry<String, Measured> entry : left.entrySet()) {
            Measured other = right.get(entry.getKey());
            if (other == null || !other.unit().equals(entry.getValue().unit())) {
                continue;
            }
            Measured.Interval before = entry.getValue().interval();
            Measured.Interval after = other.interval();
            Measured.Interval ratio = after.over(before);
            String flag = before.overlaps(after) ? "" : after.median() > before.median() ? "**slower**" : "**faster**";
            flagged += flag.isEmpty() ? 0 : 1;
            both++;
            out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %.2f | %.2f - %.2f | %s |%n",
                    entry.getKey(),
                    FloorTable.number(before.median()),
                    FloorTable.number(after.median()),
                    other.unit(),
                    ratio.median(),
                    ratio.low(),
                    ratio.high(),
                    flag);
        }
        out.println();
        out.printf(
                Locale.ROOT,
                "%d in both, %d flagged: their intervals (95 %% for the median; with fewer than six samples least to"
                        + " largest) don't overlap. Only in A: %d, only in B: %d%n",
                both,
                flagged,
                left.size() - both,
                right.size() - both);
    }

    private static Map<String, Measured> byKey(BenchRun run) {
        Map<String, Measured> all = new LinkedHashMap<>();
        run.benchmarks().forEach(measured -> all.put(measured.key(), measured));
        return all;
    }
}
