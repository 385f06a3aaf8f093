package org.hotrow.bench;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What became of a command.
 *
 * @param exit its exit code, or -1 if its time was up
 * @param out what it wrote to stdout
 * @param errors the last line that it wrote to stderr
 */
record TimedCommand(int exit, String out, String errors, double seconds) {
    /** The code of a command that was stopped. */
    static final int STOPPED = -1;

    private static final int CLOSING_SECONDS = 5;

    boolean stopped() {
        return exit == STOPPED;
    }

    /**
     * Runs a command in {@code folder}, and ends it and its children when {@code limit} has passed.
     *
     * @param log where it and what it wrote is added
     */
    static TimedCommand run(Path folder, Path log, Duration limit, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("h200", ".out");
        Path errors = Files.createTempFile("h200", ".err");
        try {
            long start = System.nanoTime();
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(errors.toFile())
                    .start();
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                List<ProcessHandle> all = process.descendants().toList();
                process.destroy();
                if (!process.waitFor(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
                all.forEach(ProcessHandle::destroyForcibly);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            String text = Files.readString(out);
            List<String> lines = Files.readAllLines(errors);
            Files.writeString(
                    log,
                    "$ " + String.join(" ", command) + "\n" + text + String.join("\n", lines) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            String last = lines.isEmpty() ? "" : lines.getLast();
            return new TimedCommand(ended ? process.exitValue() : STOPPED, text, last, seconds);
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(errors);
        }
    }
}
