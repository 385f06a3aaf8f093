package org.hotrow.engine;

import java.util.Locale;

/** Shows on a terminal how far a run is: requests and tokens. */
final class RunBar {
    private static final int WIDTH = 24;
    private static final long INTERVAL_NANOS = 100_000_000;

    private final Console console;
    private final int total;
    private final long start;
    private long shown;

    RunBar(Console console, int total, long start) {
        this.console = console;
        this.total = total;
        this.start = start;
        shown = start - INTERVAL_NANOS;
    }

    /** @param now nanoseconds of the clock that {@code start} is from */
    void show(int done, int running, long tokens, long now) {
        if (now - shown >= INTERVAL_NANOS) {
            shown = now;
            console.progress(line(done, total, running, tokens, now - start));
        }
    }

    static String line(int done, int total, int running, long tokens, long nanos) {
        int full = total == 0 ? WIDTH : (int) ((long) done * WIDTH / total);
        return String.format(
                Locale.ROOT,
                "run [%s%s] %d of %d done, %d running, %d tok, %.1f tok/s",
                "#".repeat(full),
                " ".repeat(WIDTH - full),
                done,
                total,
                running,
                tokens,
                nanos == 0 ? 0 : tokens * 1e9 / nanos);
    }
}
