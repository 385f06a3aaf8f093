package org.hotrow.modelloader.template;

/** The text of a template with a place in it, and the line of that place. */
final class TemplateSource {
    private final String name;
    private final String text;
    private int position;
    private int line = 1;

    /** Line ends become LF, and one at the very end is dropped. */
    TemplateSource(String name, String text) {
        String lines = text.replace("\r\n", "\n").replace('\r', '\n');
        this.name = name;
        this.text = lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines;
    }

    int position() {
        return position;
    }

    int line() {
        return line;
    }

    int length() {
        return text.length();
    }

    boolean atEnd() {
        return position >= text.length();
    }

    /** The character at an offset, or U+0000 outside of the text. */
    char charAt(int offset) {
        return offset >= 0 && offset < text.length() ? text.charAt(offset) : '\0';
    }

    boolean startsWith(String prefix, int offset) {
        return text.startsWith(prefix, offset);
    }

    int indexOf(String wanted, int from) {
        return text.indexOf(wanted, from);
    }

    String substring(int from, int to) {
        return text.substring(from, to);
    }

    int codePointAt(int offset) {
        return text.codePointAt(offset);
    }

    /** The offset behind the white space that begins at {@code from}. */
    int skipSpace(int from) {
        int at = from;
        while (at < text.length() && CodePoints.isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Moves forward. */
    void moveTo(int offset) {
        for (int i = position; i < offset; i++) {
            if (text.charAt(i) == '\n') {
                line++;
            }
        }
        position = offset;
    }

    TemplateException syntax(String problem) {
        return new TemplateException(TemplateException.Kind.SYNTAX, name, line, problem);
    }
}
