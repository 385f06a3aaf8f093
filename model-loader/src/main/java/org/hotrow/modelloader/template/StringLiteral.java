package org.hotrow.modelloader.template;

/** The backslash sequences of a Python string literal. An unknown one stands for itself, as in Python. */
final class StringLiteral {
    private StringLiteral() {}

    /** The characters that {@code body}, the literal without its quotes, stands for. */
    static String unescape(TemplateSource source, String body) {
        if (body.indexOf('\\') < 0) {
            return body;
        }
        StringBuilder text = new StringBuilder(body.length());
        int at = 0;
        while (at < body.length()) {
            char c = body.charAt(at);
            if (c != '\\') {
                text.append(c);
                at++;
                continue;
            }
            char kind = body.charAt(at + 1);
            int digits = hexDigits(kind);
            if (digits > 0) {
                text.appendCodePoint(hex(source, body, at + 2, digits));
                at += 2 + digits;
            } else if (kind >= '0' && kind <= '7') {
                int end = at + 1;
                while (end < body.length() && end < at + 4 && body.charAt(end) >= '0' && body.charAt(end) <= '7') {
                    end++;
                }
                text.append((char) Integer.parseInt(body, at + 1, end, 8));
                at = end;
            } else {
                text.append(simple(source, kind));
                at += 2;
            }
        }
        return text.toString();
    }

    private static int hexDigits(char kind) {
        return switch (kind) {
            case 'x' -> 2;
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
        };
    }

    private static int hex(TemplateSource source, String body, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = i < body.length() && body.charAt(i) < 128 ? Character.digit(body.charAt(i), 16) : -1;
            if (digit < 0) {
                throw source.syntax("a backslash sequence in this string needs " + digits + " hexadecimal digits");
            }
            value = value << 4 | digit;
        }
        if (!Character.isValidCodePoint(value)
                || (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE)) {
            throw source.syntax("a backslash sequence in this string is no character");
        }
        return value;
    }

    private static String simple(TemplateSource source, char kind) {
        return switch (kind) {
            case '\n' -> "";
            case '\\', '\'', '"' -> String.valueOf(kind);
            case 'a' -> "\u0007";
            case 'b' -> "\b";
            case 'f' -> "\f";
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case 'v' -> "\u000b";
            case 'N' -> throw source.syntax("characters by name (\\N) are not supported; use \\u");
            default -> "\\" + kind;
        };
    }
}
