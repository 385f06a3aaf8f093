package org.hotrow.engine.chat;

import java.util.function.IntSupplier;
import org.hotrow.engine.Console;

/**
 * Where a conversation appears: what the model answers on stdout, all else on stderr. On a terminal, text of the model
 * can't move the cursor or do anything else: its control characters are shown as {@code ^[} and the like.
 */
final class Screen {
    private static final int NO_WIDTH = 80;
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";
    private static final char ESCAPE_BIT = 0x40;

    private final Console console;
    private final IntSupplier columns;

    /** @param columns of the terminal, 0 if it doesn't say */
    Screen(Console console, IntSupplier columns) {
        this.console = console;
        this.columns = columns;
    }

    /** A piece of an answer, at once. */
    void answer(String text) {
        console.answer(shown(text));
    }

    /** A piece of reasoning, dim on a terminal. */
    void reasoning(String text) {
        if (text.isEmpty()) {
            return;
        }
        console.err().print(console.terminal() ? DIM + shown(text) + PLAIN : shown(text));
        console.err().flush();
    }

    /** A line for the user. */
    void line(String text) {
        console.err().println(shown(text));
    }

    /** A line of minor interest. */
    void dim(String text) {
        console.dim(shown(text));
    }

    /** Replaces the current line of a terminal; an empty text takes it away. */
    void progress(String text) {
        console.progress(text);
    }

    /** Columns of a line, at least one. */
    int width() {
        int known = columns.getAsInt();
        return known > 0 ? known : NO_WIDTH;
    }

    /** A dumb terminal may be another that is only called so. */
    private String shown(String text) {
        return console.terminal() || console.keyboard() ? harmless(text) : text;
    }

    static String harmless(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isISOControl(c) || c == '\n' || c == '\t') {
                shown.append(c);
            } else if (c <= '\u007f') {
                shown.append('^').append((char) (c ^ ESCAPE_BIT));
            } else {
                shown.append('\ufffd');
            }
        }
        return shown.toString();
    }
}
