package org.hotrow.modelloader.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code format % values}: {@code %[(key)][flags][width][.precision]type} with the flags {@code - 0 + space} and the types
 * {@code s r d i u f F x X o c %}. Characters of the format keep their marks, and so does text put in by {@code %s}.
 */
final class PercentFormat {
    private static final String FLAGS = "-0+ ";

    private final Rendering run;
    private final TemplateText format;
    private final TemplateValue values;
    /** The items of {@code values} if it is a tuple, each of which has a place; else {@code values} itself has one. */
    private final @Nullable List<TemplateValue> tuple;

    private final TextBuilder out;
    private int at;
    private int used;

    private PercentFormat(Rendering run, TemplateText format, TemplateValue values) {
        this.run = run;
        this.format = format;
        this.values = values;
        this.tuple = values instanceof SequenceValue sequence && !sequence.isList() ? sequence.items() : null;
        this.out = new TextBuilder(run);
    }

    static TemplateText apply(Rendering run, TemplateText format, TemplateValue values) {
        if (format.isEscaped()) {
            throw run.runtime("'%' is not supported for escaped text");
        }
        return new PercentFormat(run, format, values).apply();
    }

    /** One conversion of the format. */
    private record Field(TemplateValue value, String flags, int width, int precision) {
        boolean has(char flag) {
            return flags.indexOf(flag) >= 0;
        }
    }

    private TemplateText apply() {
        String chars = format.chars();
        for (int percent = chars.indexOf('%'); percent >= 0; percent = chars.indexOf('%', at)) {
            out.append(format, at, percent);
            at = percent + 1;
            field();
        }
        out.append(format, at, chars.length());
        boolean unused = tuple == null ? used == 0 && !mayStayUnused() : used < tuple.size();
        if (unused) {
            throw run.runtime("a format with more values than places for them");
        }
        return out.build();
    }

    /** Whether Python leaves the one value unused without complaint, as it does with whatever has items by key. */
    private boolean mayStayUnused() {
        return switch (values) {
            case DictValue _, SequenceValue _, RangeValue _, UndefinedValue _ -> true;
            default -> false;
        };
    }

    private void field() {
        TemplateValue keyed = take('(') ? byKey() : null;
        int flagsFrom = at;
        while (FLAGS.indexOf(peek()) >= 0) {
            at++;
        }
        String flags = format.chars().substring(flagsFrom, at);
        int width = number();
        int precision = take('.') ? number() : -1;
        if (peek() == 'l' || peek() == 'h' || peek() == 'L') {
            at++;
        }
        char type = peek();
        at++;
        if (type == '%') {
            out.append(format, at - 1, at);
        } else if ("srdiufFxXoc".indexOf(type) < 0) {
            throw run.runtime("a format with a place that is not supported here");
        } else {
            convert(type, new Field(keyed == null ? next() : keyed, flags, width, precision));
        }
    }

    private char peek() {
        if (at >= format.length()) {
            throw run.runtime("a format that ends in the middle of a place");
        }
        return format.chars().charAt(at);
    }

    private boolean take(char c) {
        boolean found = peek() == c;
        if (found) {
            at++;
        }
        return found;
    }

    /** A width or precision; beyond what a value may have it is a limit. */
    private int number() {
        long number = 0;
        while (peek() >= '0' && peek() <= '9') {
            number = number * 10 + peek() - '0';
            at++;
            if (number > run.limits().valueChars()) {
                throw run.limit("a format with a width beyond " + run.limits().valueChars());
            }
        }
        return (int) number;
    }

    private TemplateValue byKey() {
        int end = format.chars().indexOf(')', at);
        if (end < 0 || !(values instanceof DictValue dict)) {
            throw run.runtime("a format with names needs a mapping");
        }
        TemplateValue value = dict.get(format.chars().substring(at, end));
        if (value == null) {
            throw run.runtime("a format with a name that its mapping hasn't");
        }
        at = end + 1;
        return value;
    }

    private TemplateValue next() {
        if (tuple != null && used < tuple.size()) {
            return tuple.get(used++);
        }
        if (tuple != null || used > 0) {
            throw run.runtime("a format with fewer values than places for them");
        }
        used++;
        return values;
    }

    private void convert(char type, Field field) {
        TemplateValue value = field.value();
        switch (type) {
            case 's' -> text(field, Printing.text(run, value).asPlain());
            case 'r' -> {
                TextBuilder shown = new TextBuilder(run);
                Printing.represent(run, value, shown);
                text(field, shown.build());
            }
            case 'c' -> text(field, character(value));
            case 'f', 'F' -> fixed(field, value);
            case 'd', 'i', 'u' -> integer(field, decimal(value), 10);
            case 'x' -> integer(field, strictInteger(value), 16);
            case 'X' -> integer(field, strictInteger(value), -16);
            default -> integer(field, strictInteger(value), 8);
        }
    }

    private TemplateText character(TemplateValue value) {
        if (value instanceof TemplateText text && CodePoints.count(text.chars()) == 1) {
            return text;
        }
        BigInteger point = strictInteger(value);
        if (point.bitLength() > 21 || !Character.isValidCodePoint(point.intValue())) {
            throw run.runtime("%c needs one character");
        }
        return TemplateText.untrusted(Character.toString(point.intValue()));
    }

    private void text(Field field, TemplateText text) {
        int points = CodePoints.count(text.chars());
        int end = field.precision() >= 0 && field.precision() < points
                ? text.chars().offsetByCodePoints(0, field.precision())
                : text.length();
        long padding = (long) field.width()
                - Math.min(points, CodePoints.count(text.chars().substring(0, end)));
        if (!field.has('-')) {
            out.fill(' ', padding);
        }
        out.append(text, 0, end);
        if (field.has('-')) {
            out.fill(' ', padding);
        }
    }

    private BigInteger strictInteger(TemplateValue value) {
        if (value instanceof NumberValue number && number.isInteger()) {
            return number.toInteger();
        }
        throw run.runtime("a format needs an integer, not a value of type " + value.typeName());
    }

    private BigInteger decimal(TemplateValue value) {
        if (value instanceof FloatValue number && Double.isFinite(number.value())) {
            return new BigDecimal(number.value()).toBigInteger();
        }
        return strictInteger(value);
    }

    private void integer(Field field, BigInteger value, int base) {
        String digits = run.integer(value.abs()).value().toString(Math.abs(base));
        String cased = base < 0 ? digits.toUpperCase(Locale.ROOT) : digits;
        int zeros = Math.max(0, field.precision() - cased.length());
        number(field, value.signum() < 0, cased, zeros);
    }

    private void fixed(Field field, TemplateValue value) {
        if (!(value instanceof NumberValue number)) {
            throw run.runtime("a format needs a number, not a value of type " + value.typeName());
        }
        double given = number.toDouble();
        if (!Double.isFinite(given)) {
            throw run.runtime("a format needs a finite number");
        }
        int places = field.precision() < 0 ? 6 : field.precision();
        run.chargeDecimal();
        String digits = new BigDecimal(Math.abs(given))
                .setScale(Math.min(places, 1100), RoundingMode.HALF_EVEN)
                .toPlainString();
        boolean negative = given < 0 || (given == 0 && 1 / given < 0);
        // No double has more than 1,074 places; the rest of a longer precision is zeros.
        number(field, negative, digits, 0);
        out.fill('0', places - 1100L);
    }

    /** A sign, zeros and digits, padded to the width with blanks or zeros. */
    private void number(Field field, boolean negative, String digits, int zeros) {
        String sign = negative ? "-" : field.has('+') ? "+" : field.has(' ') ? " " : "";
        long padding = (long) field.width() - sign.length() - zeros - digits.length();
        boolean zeroPadded = field.has('0') && !field.has('-');
        if (!field.has('-') && !zeroPadded) {
            out.fill(' ', padding);
        }
        out.append(sign)
                .fill('0', zeros + (zeroPadded ? Math.max(0, padding) : 0))
                .append(digits);
        if (field.has('-')) {
            out.fill(' ', padding);
        }
    }
}
