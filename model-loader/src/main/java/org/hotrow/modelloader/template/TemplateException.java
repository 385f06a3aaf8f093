package org.hotrow.modelloader.template;

/**
 * A template that can't be compiled, or that failed or refused while rendering.
 *
 * <p>The message reads {@code name:line: detail} with control characters escaped, and cut if very long. {@link #detail()} is the bare text,
 * for {@link Kind#RAISE} exactly what the template gave to {@code raise_exception}.
 */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 1000;

    /** What went wrong. */
    public enum Kind {
        /** Not a template, or one that uses a tag, filter or test that isn't known. */
        SYNTAX,
        /** Something undefined was used in more than a harmless way. */
        UNDEFINED,
        /** A value of the wrong type or a wrong value. */
        RUNTIME,
        /** The template called {@code raise_exception}: the conversation doesn't suit it. */
        RAISE,
        /** The template reached for what is none of its business. */
        SECURITY,
        /** A limit of {@link TemplateLimits}, or nesting too deep to compile. */
        LIMIT
    }

    private final Kind kind;
    private final int line;
    private final String detail;

    TemplateException(Kind kind, String name, int line, String detail) {
        super(escape(name) + ":" + line + ": " + escape(detail));
        this.kind = kind;
        this.line = line;
        this.detail = detail;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }

    /** The line of the template, from 1. */
    public int line() {
        return line;
    }

    /** The text without name and line, not escaped. */
    public String detail() {
        return detail;
    }

    private static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        int end = Math.min(text.length(), MAX_SHOWN);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return end < text.length() ? safe + "..." : safe.toString();
    }
}
