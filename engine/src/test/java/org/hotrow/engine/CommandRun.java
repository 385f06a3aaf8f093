package org.hotrow.engine;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** One run of the command line: its exit code and what it wrote on each stream. */
public record CommandRun(int code, String out, String err) {
    /** Nothing comes in, and nobody looks on. */
    public static CommandRun hotrow(String... args) {
        return run("", false, args);
    }

    /** {@code in} is what comes in. */
    public static CommandRun run(String in, boolean terminal, String... args) {
        return run(new BufferedReader(new StringReader(in)), terminal, args);
    }

    private static CommandRun run(BufferedReader in, boolean terminal, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                in,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                false);
        int code = Hotrow.run(console, Timings.system(), args);
        return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** A run whose stdin is closed. */
    public static CommandRun hotrowWithoutInput(String... args) {
        BufferedReader in = new BufferedReader(new StringReader(""));
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return run(in, false, args);
    }

    /** A run whose stdout nobody takes. */
    public static CommandRun hotrowToNobody(String... args) {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new BufferedReader(new StringReader("")),
                new PrintStream(closed, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
        return new CommandRun(Hotrow.run(console, Timings.system(), args), "", err.toString(StandardCharsets.UTF_8));
    }
}
