package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.modelloader.template.Token.Kind;

/**
 * Cuts a template into its own text and tags, and settles white space on the way:
 *
 * <ul>
 *   <li>a tag <code>{%</code> or comment <code>{#</code> that is the first of its line takes the blanks before it away,
 *   <li>the line end right behind <code>%}</code> or <code>#}</code> goes too,
 *   <li><code>-</code> inside any of the brackets takes all white space on that side, <code>+</code> keeps it.
 * </ul>
 */
final class TemplateLexer {
    private final TemplateSource source;
    private final TagLexer tags;
    private final List<Token> tokens = new ArrayList<>();
    /** Whether the text that follows begins a line. */
    private boolean atLineStart = true;

    private TemplateLexer(TemplateSource source) {
        this.source = source;
        this.tags = new TagLexer(source, tokens);
    }

    static List<Token> tokens(TemplateSource source) {
        TemplateLexer lexer = new TemplateLexer(source);
        while (!source.atEnd()) {
            lexer.next();
        }
        int line = lexer.tokens.isEmpty() ? 1 : lexer.tokens.getLast().line();
        lexer.tokens.add(new Token(Kind.END, "", line));
        return lexer.tokens;
    }

    /** Takes the text up to the next opening bracket and what that bracket opens. */
    private void next() {
        int open = findOpening(source.position());
        if (open < 0) {
            data(source.length());
            source.moveTo(source.length());
            return;
        }
        char bracket = source.charAt(open + 1);
        char sign = source.charAt(open + 2);
        int inside = open + (sign == '-' || sign == '+' ? 3 : 2);
        dataBeforeTag(open, sign, bracket != '{');
        source.moveTo(open);
        switch (bracket) {
            case '#' -> comment(inside);
            case '{' -> tags.read(Kind.PRINT_BEGIN, inside);
            default -> {
                int raw = rawBody(inside);
                if (raw < 0) {
                    tags.read(Kind.TAG_BEGIN, inside);
                } else {
                    raw(raw);
                }
            }
        }
        atLineStart = source.charAt(source.position() - 1) == '\n';
    }

    private int findOpening(int from) {
        for (int at = source.indexOf("{", from); at >= 0; at = source.indexOf("{", at + 1)) {
            char next = source.charAt(at + 1);
            if (next == '{' || next == '%' || next == '#') {
                return at;
            }
        }
        return -1;
    }

    private void comment(int inside) {
        int end = source.indexOf("#}", inside);
        if (end < 0) {
            throw source.syntax("this comment has no end; expected '#}'");
        }
        char sign = end > inside ? source.charAt(end - 1) : ' ';
        source.moveTo(afterClosing(end + 2, sign));
    }

    /** The offset of the text in <code>{% raw %}</code> if that is the tag whose inside this is, else -1. */
    private int rawBody(int inside) {
        int word = source.skipSpace(inside);
        if (!source.startsWith("raw", word)) {
            return -1;
        }
        int end = source.skipSpace(word + 3);
        if (source.startsWith("-%}", end)) {
            return source.skipSpace(end + 3);
        }
        return source.startsWith("%}", end) ? end + 2 : -1;
    }

    private void raw(int body) {
        for (int open = source.indexOf("{%", body); open >= 0; open = source.indexOf("{%", open + 1)) {
            char sign = source.charAt(open + 2);
            int word = source.skipSpace(open + (sign == '-' || sign == '+' ? 3 : 2));
            if (!source.startsWith("endraw", word)) {
                continue;
            }
            int end = source.skipSpace(word + 6);
            char endSign = source.charAt(end) == '%' ? ' ' : source.charAt(end);
            int close = end + (endSign == ' ' ? 0 : 1);
            if (source.startsWith("%}", close) && (endSign == ' ' || endSign == '-' || endSign == '+')) {
                atLineStart = source.charAt(body - 1) == '\n';
                source.moveTo(body);
                dataBeforeTag(open, sign, true);
                source.moveTo(afterClosing(close + 2, endSign));
                return;
            }
        }
        throw source.syntax("this raw block has no end; expected '{% endraw %}'");
    }

    private int afterClosing(int end, char sign) {
        return tags.afterClosing(end, sign, true);
    }

    /** Takes the text up to a tag, less the white space that the tag takes away. */
    private void dataBeforeTag(int open, char sign, boolean takesIndent) {
        int end = open;
        if (sign == '-') {
            while (end > source.position() && CodePoints.isSpace(source.charAt(end - 1))) {
                end--;
            }
        } else if (sign != '+' && takesIndent) {
            int blank = open;
            while (blank > source.position()
                    && source.charAt(blank - 1) != '\n'
                    && CodePoints.isSpace(source.charAt(blank - 1))) {
                blank--;
            }
            boolean ownLine = blank > source.position() ? source.charAt(blank - 1) == '\n' : atLineStart;
            if (ownLine) {
                end = blank;
            }
        }
        data(end);
    }

    private void data(int end) {
        if (end > source.position()) {
            tokens.add(new Token(Kind.DATA, source.substring(source.position(), end), source.line()));
        }
    }
}
