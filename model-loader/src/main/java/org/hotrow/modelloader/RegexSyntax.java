package org.hotrow.modelloader;

import java.util.Set;
import java.util.regex.PatternSyntaxException;

/**
 * The regular expressions that mean the same to Oniguruma, for which tokenizer files are written, and to
 * java.util.regex with UNICODE_CHARACTER_CLASS. Much else compiles in both but differs ({@code \w \h \v . ^ $ [a[b]]
 * [[:alpha:]] (?i) a{2}+ a{2}?}), so a pattern is checked against this grammar:
 *
 * <pre>
 * alternatives: item* ('|' item*)*
 * item:         (literal | '\' escape | '[' '^'? members ']' | '(' alternatives ')' | '(?:' alternatives ')'
 *               | '(?i:' ASCII literals and '|' ')') quantifier?
 *               | '(?=' alternatives ')' | '(?!' alternatives ')'
 * escape:       r n t f | s S d D | p{category} P{category} | ASCII punctuation
 * members:      (literal | '\' escape | literal '-' literal)+, a plain '-' only first or last
 * quantifier:   ? * + followed by ? or + or neither | {n} | {n,} | {n,m}
 * </pre>
 *
 * <p>Without case, Oniguruma lets "ss" match sharp s and other ligatures, and keeps i from dotless i; so neither may
 * stand in {@code (?i:)}.
 *
 * <p>No alternative within a group may match the empty string. So whatever is tried more than once reads characters,
 * and a limit on those bounds the work of {@link SplitPattern}.
 */
final class RegexSyntax {
    private static final int MAX_LENGTH = 1 << 12;
    private static final int MAX_DEPTH = 32;
    private static final int MAX_REPEAT = 1000;
    private static final int END = -1;
    private static final Set<String> CATEGORIES = Set.of(
            "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps",
            "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cn", "Co");
    private static final Set<String> LIGATURES = Set.of("ff", "fl", "ss", "st");

    private final String pattern;
    private int at;

    private RegexSyntax(String pattern) {
        this.pattern = pattern;
    }

    /** Refuses a pattern outside of the grammar, with the index of what does not belong. */
    static void check(String pattern) {
        var syntax = new RegexSyntax(pattern);
        if (pattern.length() > MAX_LENGTH) {
            throw new PatternSyntaxException("longer than " + MAX_LENGTH + " characters", pattern, MAX_LENGTH);
        }
        syntax.alternatives(0);
        if (syntax.peek() != END) {
            throw syntax.unexpected();
        }
    }

    private void alternatives(int depth) {
        if (depth > MAX_DEPTH) {
            throw new PatternSyntaxException("groups nested deeper than " + MAX_DEPTH, pattern, at);
        }
        boolean mayBeEmpty = true;
        while (peek() != END && peek() != ')') {
            if (peek() == '|') {
                endAlternative(depth, mayBeEmpty);
                at++;
                mayBeEmpty = true;
            } else {
                mayBeEmpty &= item(depth);
            }
        }
        endAlternative(depth, mayBeEmpty);
    }

    private void endAlternative(int depth, boolean mayBeEmpty) {
        if (depth > 0 && mayBeEmpty) {
            throw new PatternSyntaxException("what is before it may match nothing, within a group", pattern, at);
        }
    }

    /** Reads one item and tells whether it may match the empty string. */
    private boolean item(int depth) {
        if (take("(?i:")) {
            caselessLiterals();
        } else if (take("(?=") || take("(?!")) {
            alternatives(depth + 1);
            expect(")");
            return true;
        } else if (take("(?:") || (peek() == '(' && !pattern.startsWith("(?", at) && take("("))) {
            alternatives(depth + 1);
            expect(")");
        } else if (take("[")) {
            members();
        } else if (take("\\")) {
            escape();
        } else if (".^$?*+{}[]()".indexOf(peek()) >= 0) {
            throw unexpected();
        } else {
            next();
        }
        return quantifier();
    }

    private void caselessLiterals() {
        int previous = '|';
        while (!(peek() == ')' && previous != '|')) {
            int start = at;
            int c = Character.toLowerCase(next());
            boolean literal = c < 0x80 && "\\.^$?*+{}[]()".indexOf(c) < 0;
            boolean emptyAlternative = c == '|' && previous == '|';
            if (!literal || emptyAlternative || c == 'i' || LIGATURES.contains("" + (char) previous + (char) c)) {
                at = start;
                throw unexpected();
            }
            previous = c;
        }
        at++;
    }

    /** What follows a backslash; returns the literal, or END for a set of characters. */
    private int escape() {
        int c = next();
        return switch (c) {
            case 's', 'S', 'd', 'D' -> END;
            case 'p', 'P' -> category();
            case 'r' -> '\r';
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'f' -> '\f';
            default -> punctuation(c);
        };
    }

    private int category() {
        expect("{");
        int close = pattern.indexOf('}', at);
        if (close < 0 || !CATEGORIES.contains(pattern.substring(at, close))) {
            throw unexpected();
        }
        at = close + 1;
        return END;
    }

    private int punctuation(int c) {
        if (c <= ' ' || c >= 0x7F || Character.isLetterOrDigit(c)) {
            at -= Character.charCount(c);
            throw unexpected();
        }
        return c;
    }

    private void members() {
        take("^");
        boolean first = true;
        while (first || peek() != ']') {
            int low = member(first);
            if (peek() == '-' && !pattern.startsWith("-]", at)) {
                int dash = at++;
                int high = member(false);
                if (low == END || high < low) {
                    at = dash;
                    throw unexpected();
                }
            }
            first = false;
        }
        at++;
    }

    /** One member of a class; returns the literal, or END for a set of characters. */
    private int member(boolean first) {
        if (take("\\")) {
            return escape();
        }
        boolean plainDash = peek() == '-' && !first && !pattern.startsWith("-]", at);
        if (plainDash || peek() == '[' || peek() == ']' || pattern.startsWith("&&", at)) {
            throw unexpected();
        }
        return next();
    }

    /** Reads a quantifier, if there is one, and tells whether it allows for nothing. */
    private boolean quantifier() {
        if (take("{")) {
            int low = number();
            int high = take(",") ? (peek() == '}' ? MAX_REPEAT : number()) : low;
            if (high < low) {
                throw unexpected();
            }
            expect("}");
            return low == 0;
        }
        int sign = peek();
        if (!take("?") && !take("*") && !take("+")) {
            return false;
        }
        if (peek() == '?' || peek() == '+') {
            at++;
        }
        return sign != '+';
    }

    private int number() {
        int value = 0;
        int start = at;
        while (peek() >= '0' && peek() <= '9' && value <= MAX_REPEAT) {
            value = value * 10 + next() - '0';
        }
        if (at == start || value > MAX_REPEAT) {
            throw unexpected();
        }
        return value;
    }

    private int peek() {
        return at < pattern.length() ? pattern.codePointAt(at) : END;
    }

    private int next() {
        int c = peek();
        if (c == END) {
            throw unexpected();
        }
        at += Character.charCount(c);
        return c;
    }

    private boolean take(String token) {
        boolean found = pattern.startsWith(token, at);
        at += found ? token.length() : 0;
        return found;
    }

    private void expect(String token) {
        if (!take(token)) {
            throw unexpected();
        }
    }

    private PatternSyntaxException unexpected() {
        String what = peek() == END ? "unfinished" : "unsupported syntax";
        return new PatternSyntaxException(what, pattern, at);
    }
}
