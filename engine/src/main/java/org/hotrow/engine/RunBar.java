package org.hotrow.engine;

import java.util.Locale;

/** Shows on a terminal how far a run is: requests and tokens. */
final class RunBar {
    private final ProgressLine progress;
    private final int total;
    private final long start;

    RunBar(Console console, int total, long start) {
        progress = new ProgressLine(console, start);
        this.total = total;
        this.start = start;
    }

    /** @param now nanoseconds of the clock that {@code start} is from */
    void show(int done, int running, long tokens, long now) {
        progress.show(now, () -> line(done, total, running, tokens, now - start));
    }

    static String line(int done, int total, int running, long tokens, long nanos) {
        return String.format(
                Locale.ROOT,
                "run %s %d of %d done, %d running, %d tok, %.1f tok/s",
                ProgressLine.bar(done, total),
                done,
                total,
                running,
                tokens,
                nanos == 0 ? 0 : tokens * 1e9 / nanos);
    }
}
