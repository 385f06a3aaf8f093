package org.hotrow.modelloader;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A model file that is refused: broken, contradictory or of a kind that Hotrow does not run.
 *
 * <p>The message reads {@code file: where: problem}, where {@code where} is a tensor, a config field or a byte
 * offset. Text that comes from the file is escaped and cut, so that a message is one safe line on a terminal.
 */
public final class ModelFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int QUOTE_LIMIT = 120;

    private final transient Path file;
    private final String where;

    /**
     * @param file the file that is refused
     * @param where the tensor, field or offset within it; empty for the file as a whole
     * @param problem what is wrong, what was expected, what to do
     */
    public ModelFormatException(Path file, String where, String problem) {
        this(file, where, problem, null);
    }

    /** As the other constructor, with the error that revealed the problem. */
    public ModelFormatException(Path file, String where, String problem, @Nullable Throwable cause) {
        // The file's name is the end of its path: a path is never cut.
        super(
                escape(file.toString(), Integer.MAX_VALUE)
                        + ": "
                        + (where.isEmpty() ? "" : escape(where, QUOTE_LIMIT) + ": ")
                        + problem,
                cause);
        this.file = file;
        this.where = where;
    }

    /** The file that is refused. */
    public Path file() {
        return file;
    }

    /** The tensor, field or offset within the file; empty for the file as a whole. */
    public String where() {
        return where;
    }

    /** Text from a file, safe to show: quoted, unprintable characters escaped, at most 120 characters of it. */
    public static String quote(String text) {
        return '"' + escape(text, QUOTE_LIMIT) + '"';
    }

    /** Whether no character could move the cursor, start a line, hide or reorder text, or is half a character. */
    static boolean isPrintable(String text) {
        int codePoint;
        for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
            codePoint = text.codePointAt(i);
            if (!isPrintable(codePoint)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String escape(String text, int limit) {
        StringBuilder safe = new StringBuilder();
        text.substring(0, Math.min(text.length(), limit)).codePoints().forEach(codePoint -> {
            if (isPrintable(codePoint)) {
                safe.appendCodePoint(codePoint);
            } else {
                safe.append(String.format("\\u%04x", codePoint));
            }
        });
        if (limit < text.length()) {
            safe.append("... (").append(text.length()).append(" characters)");
        }
        return safe.toString();
    }
}
