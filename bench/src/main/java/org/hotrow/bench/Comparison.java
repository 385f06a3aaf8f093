package org.hotrow.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.bench.Serving.Layout;

/** Predicted / published for the 60 numbers of {@link Published}, and how far off they are on the whole. */
final class Comparison {
    /** Rows from c = 8 on: those of one conversation at a time are fitted. */
    private static final int FIRST_PREDICTED = 8;

    private static final double RUNNING_BAR = 0.15;

    private record Row(Published published, ReplayResult predicted) {
        double throughputError() {
            return Math.abs(Math.log(predicted.throughputPerGpu() / published.throughput()));
        }

        boolean isPredicted() {
            return published.concurrency() >= FIRST_PREDICTED;
        }

        boolean runsAsMany() {
            return Math.abs(predicted.running() / published.running() - 1) <= RUNNING_BAR;
        }
    }

    private Comparison() {}

    /** Plays the published runs with a layout and prints the table. */
    static void print(Layout layout, PrintStream out) {
        List<Row> rows = Published.ROWS.stream().map(row -> play(layout, row)).toList();
        out.println("| " + layout.name().toLowerCase(Locale.ROOT)
                + ": predicted / published | c | tokens/s of a user | tokens/s of a GPU | running |");
        out.println("|---|---|---|---|---|");
        rows.forEach(row -> print(row, out));
        out.printf(
                Locale.ROOT,
                "%nThroughput is off by %.1f %% (geometric mean; of the rows from c = %d on %.1f %%); "
                        + "running requests are within %.0f %% in %d of %d rows.%n%n",
                percent(rows),
                FIRST_PREDICTED,
                percent(rows.stream().filter(Row::isPredicted).toList()),
                100 * RUNNING_BAR,
                rows.stream().filter(Row::isPredicted).filter(Row::runsAsMany).count(),
                rows.stream().filter(Row::isPredicted).count());
    }

    private static Row play(Layout layout, Published row) {
        Serving serving = new Serving(layout, row.policy(), row.mtp());
        return new Row(row, Replay.play(serving, OpenHands.published(row.concurrency()), row.concurrency()));
    }

    private static double percent(List<Row> rows) {
        double mean = rows.stream().mapToDouble(Row::throughputError).average().orElseThrow();
        return 100 * (Math.exp(mean) - 1);
    }

    private static void print(Row row, PrintStream out) {
        Published published = row.published;
        out.printf(
                Locale.ROOT,
                "| %s%s | %d | %.1f / %.1f | %,.0f / %,.0f | %.1f / %.1f |%n",
                published.policy() == KvPolicy.HYBRID ? "hybrid" : "offload",
                published.mtp() ? ", MTP3" : "",
                published.concurrency(),
                row.predicted.interactivity(),
                published.interactivity(),
                row.predicted.throughputPerGpu(),
                published.throughput(),
                row.predicted.running(),
                published.running());
    }
}
