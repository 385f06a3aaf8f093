package org.hotrow.engine.chat;

import org.hotrow.engine.chat.Lines.Cancelled;
import org.hotrow.engine.chat.Lines.End;
import org.hotrow.engine.chat.Lines.Text;

/**
 * Messages out of lines.
 *
 * <pre>
 * a line                       a message, or a command if it begins with /
 * a line \                     goes on in the next line
 * """ lines """                a message as it is, whatever it begins with
 * pasted lines                 one message
 * </pre>
 *
 * Only the end of what was typed or pasted decides whether it goes on, so that lines in the middle of pasted text keep
 * their backslashes. Ctrl-C takes back what was begun, and so does Ctrl-D; the end of a pipe ends the message.
 */
final class Messages {
    private static final String FIRST = "> ";
    private static final String NEXT = ". ";
    private static final String QUOTES = "\"\"\"";
    private static final String BLOCK = "(" + QUOTES + " ends the message, Ctrl-C drops it)\n" + NEXT;
    private static final String STILL_BLOCK =
            "(part of the message, no command: " + QUOTES + " ends it, Ctrl-C drops it)\n" + NEXT;

    private final Lines lines;
    private final boolean keyboard;

    /** @param keyboard whether a person types the lines */
    Messages(Lines lines, boolean keyboard) {
        this.lines = lines;
        this.keyboard = keyboard;
    }

    /** What came. */
    sealed interface Input {}

    /** Text for the model; without its quotes, and {@code typed} with them. */
    record Message(String text, String typed) implements Input {}

    /** A line that begins with a slash. */
    record Slash(String line) implements Input {}

    /** Ctrl-C on a line; {@code empty} if there was nothing to take back. */
    record TakenBack(boolean empty) implements Input {}

    /** Several lines were begun and taken back. */
    record Dropped() implements Input {}

    /** Nothing follows. */
    record Over() implements Input {}

    /** The next message or command. */
    Input next() {
        return switch (lines.read(FIRST)) {
            case End() -> new Over();
            case Cancelled(boolean empty) -> new TakenBack(empty);
            case Text(String line) when line.stripLeading().startsWith(QUOTES) -> quoted(line);
            case Text(String line) -> continued(line);
        };
    }

    private Input continued(String first) {
        StringBuilder text = new StringBuilder(first);
        while (text.length() > 0 && text.charAt(text.length() - 1) == '\\') {
            text.setCharAt(text.length() - 1, '\n');
            switch (lines.read(NEXT)) {
                case End() -> {
                    text.setLength(text.length() - 1);
                    return keyboard ? new Dropped() : message(text.toString());
                }
                case Cancelled ignored -> {
                    return new Dropped();
                }
                case Text(String line) -> text.append(line);
            }
        }
        return message(text.toString());
    }

    private static Input message(String text) {
        return text.startsWith("/") && text.indexOf('\n') < 0 ? new Slash(text.strip()) : new Message(text, text);
    }

    private Input quoted(String first) {
        StringBuilder text = new StringBuilder(first);
        int start = text.indexOf(QUOTES) + QUOTES.length();
        String prompt = BLOCK;
        while (!closed(text, start)) {
            switch (lines.read(prompt)) {
                case End() -> {
                    return keyboard ? new Dropped() : new Message(inner(text.substring(start)), text.toString());
                }
                case Cancelled ignored -> {
                    return new Dropped();
                }
                case Text(String line) -> {
                    text.append('\n').append(line);
                    prompt = Command.named(line.strip().split("\\s", 2)[0]).isPresent() ? STILL_BLOCK : NEXT;
                }
            }
        }
        String typed = text.toString();
        int end = typed.stripTrailing().length() - QUOTES.length();
        return new Message(inner(typed.substring(start, end)), typed);
    }

    private static boolean closed(StringBuilder text, int start) {
        String rest = text.substring(start).stripTrailing();
        return rest.endsWith(QUOTES);
    }

    /** Without the line breaks next to the quotes. */
    private static String inner(String text) {
        String begun = text.startsWith("\n") ? text.substring(1) : text;
        return begun.endsWith("\n") ? begun.substring(0, begun.length() - 1) : begun;
    }
}
