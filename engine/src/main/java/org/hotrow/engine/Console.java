package org.hotrow.engine;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The streams of the command line, all UTF-8: answers on {@code out}, everything else on {@code err}. Progress and
 * dim text only where a person looks on: the launcher says so by {@code -Dhotrow.terminal=true} when stderr is one.
 *
 * <p>Started without a stdin, the launcher says so by {@code -Dhotrow.closed=true}.
 *
 * @param keyboard whether stdin is a terminal too, as the launcher says by {@code -Dhotrow.keyboard=true}
 */
public record Console(BufferedReader in, PrintStream out, PrintStream err, boolean terminal, boolean keyboard) {
    private static final String NO_WRAP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";

    static Console system() {
        return new Console(
                input(),
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Boolean.getBoolean("hotrow.terminal") && !dumb(System.getenv("TERM")),
                Boolean.getBoolean("hotrow.keyboard"));
    }

    /** Whether a terminal knows no escape sequences. */
    private static boolean dumb(@Nullable String term) {
        return term == null || term.isEmpty() || term.equals("dumb");
    }

    /** Without a stdin, the first file that the JVM opens for itself has its place. */
    private static BufferedReader input() {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (Boolean.getBoolean("hotrow.closed")) {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return in;
    }

    /**
     * Refuses to begin without something to read from.
     *
     * @throws EngineException if stdin is closed
     */
    public void requireInput() {
        try {
            in.ready();
        } catch (IOException e) {
            throw new EngineException("stdin can't be read: " + e.getMessage());
        }
    }

    /**
     * Text of the answer on stdout, at once.
     *
     * @throws EngineException if nobody takes it: a closed pipe, a full disk
     */
    public void answer(String text) {
        out.print(text);
        if (out.checkError()) {
            throw new EngineException("stdout can't be written: its reader is gone or the disk is full");
        }
    }

    /** One line on stderr, dim on a terminal. */
    public void dim(String line) {
        err.println(terminal ? "\u001b[2m" + line + "\u001b[0m" : line);
    }

    /** Replaces the current line of a terminal on stderr; does nothing elsewhere. */
    public void progress(String line) {
        if (terminal) {
            // A line that is too long for a narrow terminal ends at its edge; wrapped, it could not be replaced.
            err.print("\r\u001b[K" + NO_WRAP + line + WRAP);
            err.flush();
        }
    }
}
