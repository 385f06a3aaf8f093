package org.hotrow.modelloader;

import java.nio.file.Path;

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
    public ModelFormatException(
            Path file, String where, String problem, @org.jspecify.annotations.Nullable Throwable cause) {
        super(escape(file.toString()) + ": " + (where.isEmpty() ? "" : escape(where) + ": ") + problem, cause);
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

    /** Text from a file, safe to show: quoted, control characters escaped, at most 120 characters of it. */
    public static String quote(String text) {
        return '"' + escape(text) + '"';
    }

    private static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        int end = Math.min(text.length(), QUOTE_LIMIT);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c) || Character.getType(c) == Character.FORMAT) {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        if (end < text.length()) {
            safe.append("... (").append(text.length()).append(" characters)");
        }
        return safe.toString();
    }
}
