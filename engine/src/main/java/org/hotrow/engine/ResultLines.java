package org.hotrow.engine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where results go, each at once: a file, or stdout. */
final class ResultLines implements AutoCloseable {
    private final Console console;
    private final @Nullable Path file;
    private final @Nullable PrintStream stream;

    private ResultLines(Console console, @Nullable Path file, @Nullable PrintStream stream) {
        this.console = console;
        this.file = file;
        this.stream = stream;
    }

    /**
     * Opens a file, which loses what it had.
     *
     * @param file null for stdout
     * @throws RequestException if it can't be written
     */
    static ResultLines to(@Nullable Path file, Console console) {
        if (file == null) {
            return new ResultLines(console, null, null);
        }
        try {
            return new ResultLines(
                    console, file, new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new RequestException("--out " + file + ": can't be written: " + e, e);
        }
    }

    /**
     * Writes a line.
     *
     * @throws EngineException if nobody takes it: a closed pipe, a full disk
     */
    void write(String line) {
        console.progress("");
        if (stream == null) {
            console.answer(line);
            return;
        }
        stream.print(line);
        if (stream.checkError()) {
            throw new EngineException("--out " + file + " can't be written: is the disk full?");
        }
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.close();
        }
    }
}
