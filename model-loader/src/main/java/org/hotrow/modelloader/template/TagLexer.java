package org.hotrow.modelloader.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.hotrow.modelloader.template.Token.Kind;

/** Cuts the inside of <code>{{ }}</code> and <code>{% %}</code> into names, literals and operators. */
final class TagLexer {
    private static final String[] LONG_OPERATORS = {"//", "**", "==", "!=", ">=", "<="};
    private static final String SHORT_OPERATORS = "+-/*%~[](){}><=.:|,;";

    private final TemplateSource source;
    private final List<Token> tokens;
    /** The closing brackets that are due; while there are some, <code>}}</code> closes a mapping, not the tag. */
    private final Deque<Character> due = new ArrayDeque<>();

    TagLexer(TemplateSource source, List<Token> tokens) {
        this.source = source;
        this.tokens = tokens;
    }

    /**
     * Reads one tag and moves behind it.
     *
     * @param inside the offset behind the opening bracket
     */
    void read(Kind begin, int inside) {
        add(begin, "");
        source.moveTo(inside);
        due.clear();
        boolean isTag = begin == Kind.TAG_BEGIN;
        while (!source.atEnd()) {
            if (due.isEmpty() && closes(isTag)) {
                return;
            }
            token();
        }
    }

    /** The offset of what follows a closing bracket that ends at {@code end}. */
    int afterClosing(int end, char sign, boolean takesLineEnd) {
        if (sign == '-') {
            return source.skipSpace(end);
        }
        return takesLineEnd && sign != '+' && source.charAt(end) == '\n' ? end + 1 : end;
    }

    private boolean closes(boolean isTag) {
        int at = source.position();
        char first = source.charAt(at);
        boolean signed = first == '-' || (isTag && first == '+');
        int bracket = signed ? at + 1 : at;
        if (!source.startsWith(isTag ? "%}" : "}}", bracket)) {
            return false;
        }
        add(isTag ? Kind.TAG_END : Kind.PRINT_END, "");
        source.moveTo(afterClosing(bracket + 2, signed ? first : ' ', isTag));
        return true;
    }

    private void token() {
        int at = source.position();
        int c = source.codePointAt(at);
        int next = source.charAt(at + 1);
        if (CodePoints.isSpace(c)) {
            source.moveTo(source.skipSpace(at));
        } else if (isDigit(c)) {
            number(at);
        } else if (c == '_' || Character.isUnicodeIdentifierStart(c)) {
            int end = at + Character.charCount(c);
            while (end < source.length() && isNamePart(source.codePointAt(end))) {
                end += Character.charCount(source.codePointAt(end));
            }
            emit(Kind.NAME, source.substring(at, end), end);
        } else if (c == '\'' || c == '"') {
            string(at, (char) c);
        } else {
            operator(at, c, next);
        }
    }

    private static boolean isNamePart(int c) {
        return Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
    }

    /** Integers in any of Python's bases; a fraction or exponent makes a float, except behind a dot ({@code x.0.1}). */
    private void number(int at) {
        boolean afterDot = !tokens.isEmpty() && tokens.getLast().isOperator(".") && source.charAt(at - 1) == '.';
        int end = digits(at, 10);
        int floatEnd = afterDot ? end : floatEnd(end);
        if (floatEnd > end) {
            emit(Kind.FLOAT, source.substring(at, floatEnd).replace("_", ""), floatEnd);
            return;
        }
        int base = source.charAt(at) == '0' ? base(source.charAt(at + 1)) : 10;
        if (base != 10) {
            int prefixed = at + 2;
            int digits = source.charAt(prefixed) == '_' ? prefixed + 1 : prefixed;
            int prefixedEnd = digits(digits, base);
            if (prefixedEnd > digits) {
                emit(Kind.INTEGER, source.substring(at, prefixedEnd).replace("_", ""), prefixedEnd);
                return;
            }
        }
        if (source.charAt(at) == '0') {
            // Leading zeros are a number of their own, so that 007 is refused.
            int zeros = at + 1;
            while (source.charAt(zeros) == '0' || (source.charAt(zeros) == '_' && source.charAt(zeros + 1) == '0')) {
                zeros++;
            }
            end = zeros;
        }
        emit(Kind.INTEGER, source.substring(at, end).replace("_", ""), end);
    }

    /** The base that the letter behind a leading zero names; 10 if it names none. */
    static int base(char prefix) {
        return switch (prefix) {
            case 'b', 'B' -> 2;
            case 'o', 'O' -> 8;
            case 'x', 'X' -> 16;
            default -> 10;
        };
    }

    private int floatEnd(int integerEnd) {
        int end = integerEnd;
        if (source.charAt(end) == '.' && isDigit(source.charAt(end + 1))) {
            end = digits(end + 1, 10);
        }
        char exponent = source.charAt(end);
        if (exponent == 'e' || exponent == 'E') {
            char sign = source.charAt(end + 1);
            int digits = sign == '+' || sign == '-' ? end + 2 : end + 1;
            if (isDigit(source.charAt(digits))) {
                end = digits(digits, 10);
            }
        }
        return end;
    }

    /** The end of digits that may have single underscores between them. */
    private int digits(int from, int base) {
        int at = from;
        while (isDigit(source.charAt(at), base)
                || (source.charAt(at) == '_' && at > from && isDigit(source.charAt(at + 1), base))) {
            at++;
        }
        return at;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isDigit(char c, int base) {
        return c < 128 && Character.digit(c, base) >= 0;
    }

    private void string(int at, char quote) {
        int end = at + 1;
        while (end < source.length() && source.charAt(end) != quote) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= source.length()) {
            throw source.syntax("this string has no end; expected " + quote);
        }
        emit(Kind.STRING, StringLiteral.unescape(source, source.substring(at + 1, end)), end + 1);
    }

    private void operator(int at, int c, int next) {
        for (String operator : LONG_OPERATORS) {
            if (source.startsWith(operator, at)) {
                emit(Kind.OPERATOR, operator, at + 2);
                return;
            }
        }
        if (SHORT_OPERATORS.indexOf(c) < 0) {
            String hint = c == '!' || (c == '&' && next == '&') ? "; use 'not', 'and', 'or'" : "";
            throw source.syntax("unexpected character '" + Character.toString(c) + "'" + hint);
        }
        switch (c) {
            case '(' -> due.push(')');
            case '[' -> due.push(']');
            case '{' -> due.push('}');
            case ')', ']', '}' -> close((char) c);
            default -> {}
        }
        emit(Kind.OPERATOR, Character.toString(c), at + 1);
    }

    private void close(char bracket) {
        if (due.isEmpty()) {
            throw source.syntax("unexpected '" + bracket + "'");
        }
        char expected = due.pop();
        if (bracket != expected) {
            throw source.syntax("unexpected '" + bracket + "', expected '" + expected + "'");
        }
    }

    private void emit(Kind kind, String text, int end) {
        add(kind, text);
        source.moveTo(end);
    }

    private void add(Kind kind, String text) {
        tokens.add(new Token(kind, text, source.line()));
    }
}
