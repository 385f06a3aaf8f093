package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers in text, in the forms that Python's {@code int()} and {@code float()} take. */
final class NumberText {
    /** Python reads no longer decimal integer. */
    private static final int MAX_DIGITS = 4300;

    private NumberText() {}

    /**
     * The integer that {@code text} is, or null.
     *
     * @param base 2 to 36, or 0 for the base that the text's own prefix names
     */
    static @Nullable BigInteger parseInteger(Rendering run, String text, int base) {
        String digits = strip(text);
        boolean negative = digits.startsWith("-");
        if (negative || digits.startsWith("+")) {
            digits = digits.substring(1);
        }
        int prefixed = digits.length() > 1 && digits.charAt(0) == '0' ? TagLexer.base(digits.charAt(1)) : 10;
        boolean hasPrefix = prefixed != 10 && (base == 0 || base == prefixed);
        int radix = base == 0 ? prefixed : base;
        if (radix < 2 || radix > 36) {
            return null;
        }
        if (hasPrefix) {
            digits = digits.substring(digits.startsWith("_", 2) ? 3 : 2);
        }
        String plain = withoutUnderscores(digits, radix);
        if (plain == null || plain.isEmpty()) {
            return null;
        }
        boolean leadingZero = plain.startsWith("0") && !plain.chars().allMatch(c -> c == '0');
        if (base == 0 && !hasPrefix && leadingZero) {
            return null;
        }
        if (plain.length() > MAX_DIGITS) {
            if (Integer.bitCount(radix) == 1) {
                throw run.limit("an integer of " + plain.length() + " digits");
            }
            return null;
        }
        BigInteger value = new BigInteger(plain, radix);
        return negative ? value.negate() : value;
    }

    /** The float that {@code text} is, or null. */
    static @Nullable Double parseFloat(String text) {
        String number = strip(text);
        int sign = number.startsWith("-") || number.startsWith("+") ? 1 : 0;
        double factor = number.startsWith("-") ? -1 : 1;
        String unsigned = number.substring(sign);
        switch (unsigned.length() > 8 ? "" : unsigned.toLowerCase(Locale.ROOT)) {
            case "inf", "infinity" -> {
                return factor * Double.POSITIVE_INFINITY;
            }
            case "nan" -> {
                return Double.NaN;
            }
            default -> {}
        }
        int exponent = Math.max(unsigned.indexOf('e'), unsigned.indexOf('E'));
        String mantissa = exponent < 0 ? unsigned : unsigned.substring(0, exponent);
        int point = mantissa.indexOf('.');
        String whole = withoutUnderscores(point < 0 ? mantissa : mantissa.substring(0, point), 10);
        String fraction = point < 0 ? "" : withoutUnderscores(mantissa.substring(point + 1), 10);
        String power = exponent < 0 ? "0" : exponent(unsigned.substring(exponent + 1));
        if (whole == null || fraction == null || power == null || (whole.isEmpty() && fraction.isEmpty())) {
            return null;
        }
        return factor * Double.parseDouble(whole + "." + fraction + "e" + power);
    }

    private static @Nullable String exponent(String text) {
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String digits = withoutUnderscores(signed ? text.substring(1) : text, 10);
        return digits == null || digits.isEmpty() ? null : (signed ? text.charAt(0) : "") + digits;
    }

    /** Digits as ASCII, or null if there is something else, or an underscore that is not between two digits. */
    private static @Nullable String withoutUnderscores(String text, int radix) {
        StringBuilder digits = new StringBuilder(text.length());
        boolean afterDigit = false;
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            boolean underscore = c == '_';
            int digit = Character.isDigit(c) || c < 128 ? Character.digit(c, radix) : -1;
            if (underscore ? !afterDigit || at == text.length() : digit < 0) {
                return null;
            }
            if (!underscore) {
                digits.append(Character.forDigit(digit, radix));
            }
            afterDigit = !underscore;
        }
        return digits.toString();
    }

    private static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && CodePoints.isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && CodePoints.isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }
}
