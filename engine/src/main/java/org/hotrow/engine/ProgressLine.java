package org.hotrow.engine;

import java.util.function.Supplier;

/** The line of a terminal that says how far something is, written anew at most ten times a second. */
final class ProgressLine {
    private static final int WIDTH = 24;
    private static final long INTERVAL_NANOS = 100_000_000;

    private final Console console;
    private long shown;

    /** @param start when it begins, in nanoseconds of the caller's clock */
    ProgressLine(Console console, long start) {
        this.console = console;
        shown = start - INTERVAL_NANOS;
    }

    void show(long now, Supplier<String> line) {
        if (now - shown >= INTERVAL_NANOS) {
            shown = now;
            console.progress(line.get());
        }
    }

    /** {@code [######                  ]}; nothing of nothing is all. */
    static String bar(long done, long total) {
        int full = total == 0 ? WIDTH : (int) (done * WIDTH / total);
        return "[" + "#".repeat(full) + " ".repeat(WIDTH - full) + "]";
    }
}
