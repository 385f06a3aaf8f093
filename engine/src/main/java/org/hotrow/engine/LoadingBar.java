package org.hotrow.engine;

import java.util.Locale;

/** Shows on a terminal how much of the weights is loaded: bytes and time left. Gone when closed. */
final class LoadingBar implements LoadProgress, AutoCloseable {
    private final Console console;
    private final long start = System.nanoTime();
    private final ProgressLine progress;

    LoadingBar(Console console) {
        this.console = console;
        progress = new ProgressLine(console, start);
    }

    @Override
    public void loaded(long loaded, long total) {
        long now = System.nanoTime();
        progress.show(now, () -> line(loaded, total, now - start));
    }

    static String line(long loaded, long total, long nanos) {
        double part = total == 0 ? 1 : (double) loaded / total;
        double secondsLeft = loaded == 0 ? 0 : nanos * 1e-9 / loaded * (total - loaded);
        return String.format(
                Locale.ROOT,
                "loading %s %3.0f %%  %.1f of %.1f MB  %.0f s left",
                ProgressLine.bar(loaded, total),
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
