package org.hotrow.engine;

import java.util.Locale;

/** Shows on a terminal how much of the weights is loaded: bytes and time left. Gone when closed. */
final class LoadingBar implements LoadProgress, AutoCloseable {
    private static final int WIDTH = 24;
    private static final long INTERVAL_NANOS = 100_000_000;

    private final Console console;
    private final long start = System.nanoTime();
    private long shown = start - INTERVAL_NANOS;

    LoadingBar(Console console) {
        this.console = console;
    }

    @Override
    public void loaded(long loaded, long total) {
        long now = System.nanoTime();
        if (now - shown >= INTERVAL_NANOS) {
            shown = now;
            console.progress(line(loaded, total, now - start));
        }
    }

    static String line(long loaded, long total, long nanos) {
        double part = total == 0 ? 1 : (double) loaded / total;
        int full = (int) (part * WIDTH);
        double secondsLeft = loaded == 0 ? 0 : nanos * 1e-9 / loaded * (total - loaded);
        return String.format(
                Locale.ROOT,
                "loading [%s%s] %3.0f %%  %.1f of %.1f MB  %.0f s left",
                "#".repeat(full),
                " ".repeat(WIDTH - full),
                100 * part,
                loaded * 1e-6,
                total * 1e-6,
                secondsLeft);
    }

    @Override
    public void close() {
        console.progress("");
    }
}
