package org.hotrow.modelloader.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filters that make or change numbers. */
final class NumberFilters {
    /** Beyond these decimal places rounding leaves every float as it is, or makes it zero. */
    private static final int MAX_PLACES = 400;

    static final Map<String, Builtin> ALL = Map.of(
            "abs", Builtin.of(NumberFilters::abs, 0),
            "float", Builtin.of(NumberFilters::toFloat, 0, "default"),
            "int", Builtin.of(NumberFilters::toInt, 0, "default", "base"),
            "round", Builtin.of(NumberFilters::round, 0, "precision", "method"));

    private NumberFilters() {}

    private static TemplateValue abs(Rendering run, TemplateValue value, BoundArguments arguments) {
        return switch (value) {
            case FloatValue number -> new FloatValue(Math.abs(number.value()));
            case NumberValue number -> new IntValue(number.toInteger().abs());
            default -> throw run.runtime("abs needs a number, not a value of type " + value.typeName());
        };
    }

    private static TemplateValue toFloat(Rendering run, TemplateValue value, BoundArguments arguments) {
        Double number = switch (value) {
            case NumberValue given -> given.toDouble();
            case TemplateText text -> {
                run.chargeChars(text.length());
                yield NumberText.parseFloat(text.chars());
            }
            case UndefinedValue undefined -> throw run.undefined(undefined);
            default -> null;
        };
        if (number != null && value instanceof IntValue && number.isInfinite()) {
            throw run.runtime("a number too large for a float");
        }
        return number == null ? arguments.get(0, new FloatValue(0)) : new FloatValue(number);
    }

    private static TemplateValue toInt(Rendering run, TemplateValue value, BoundArguments arguments) {
        BigInteger number = switch (value) {
            case FloatValue given when Double.isInfinite(given.value()) -> throw run.runtime("infinity is no integer");
            case FloatValue given -> truncate(given.value());
            case NumberValue given -> given.toInteger();
            case TemplateText text -> fromText(run, text.chars(), arguments);
            case UndefinedValue undefined -> throw run.undefined(undefined);
            default -> null;
        };
        return number == null ? arguments.get(0, IntValue.of(0)) : run.integer(number);
    }

    /** The integer that a text stands for, if need be by way of a float ({@code "42.9"} is 42). */
    private static @Nullable BigInteger fromText(Rendering run, String text, BoundArguments arguments) {
        run.chargeChars(text.length());
        boolean hasBase = arguments.get(1, IntValue.of(10)) instanceof NumberValue base && base.isInteger();
        BigInteger integer = hasBase ? NumberText.parseInteger(run, text, arguments.size(1, 10)) : null;
        if (integer != null) {
            return integer;
        }
        Double number = NumberText.parseFloat(text);
        return number == null ? null : truncate(number);
    }

    private static @Nullable BigInteger truncate(double value) {
        return Double.isFinite(value) ? new BigDecimal(value).toBigInteger() : null;
    }

    private static TemplateValue round(Rendering run, TemplateValue value, BoundArguments arguments) {
        if (!(value instanceof NumberValue number)) {
            throw run.runtime("round needs a number, not a value of type " + value.typeName());
        }
        String method = arguments.find(1) == null ? "common" : arguments.text(1).chars();
        int places = Math.clamp(arguments.size(0, 0), -MAX_PLACES, MAX_PLACES);
        return switch (method) {
            case "common" -> number.isInteger() ? roundInteger(run, number, places) : roundFloat(run, number, places);
            case "ceil", "floor" -> roundTo(run, number, places, method.equals("ceil"));
            default -> throw run.runtime("the method of round must be common, ceil or floor");
        };
    }

    private static TemplateValue roundInteger(Rendering run, NumberValue number, int places) {
        BigDecimal exact = new BigDecimal(number.toInteger());
        return run.integer(
                places >= 0
                        ? number.toInteger()
                        : exact.setScale(places, RoundingMode.HALF_EVEN).toBigInteger());
    }

    private static TemplateValue roundFloat(Rendering run, NumberValue number, int places) {
        double value = number.toDouble();
        if (!Double.isFinite(value)) {
            return number;
        }
        run.chargeDecimal();
        double rounded =
                new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN).doubleValue();
        return new FloatValue(Math.copySign(rounded, value));
    }

    /** As Jinja does it: scale by a power of ten, round, scale back. */
    private static TemplateValue roundTo(Rendering run, NumberValue number, int places, boolean up) {
        TemplateValue scale = Arithmetic.apply(run, "**", IntValue.of(10), IntValue.of(places));
        TemplateValue scaled = Arithmetic.apply(run, "*", number, scale);
        if (scaled instanceof FloatValue f) {
            BigInteger whole = truncate(up ? Math.ceil(f.value()) : Math.floor(f.value()));
            if (whole == null) {
                throw run.runtime("infinity and nan can't be rounded up or down");
            }
            scaled = new IntValue(whole);
        }
        return Arithmetic.apply(run, "/", scaled, scale);
    }
}
