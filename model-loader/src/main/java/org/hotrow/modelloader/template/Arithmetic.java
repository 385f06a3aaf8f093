package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The operators {@code + - * / // % **} and the signs as Python has them. */
final class Arithmetic {
    private static final BigInteger MAX_EXACT_DOUBLE = BigInteger.ONE.shiftLeft(53);

    private Arithmetic() {}

    static TemplateValue apply(Rendering run, String operator, TemplateValue left, TemplateValue right) {
        if (operator.equals("%") && left instanceof TemplateText format) {
            return PercentFormat.apply(run, format, right);
        }
        if (left instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (right instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            return numbers(run, operator, a, b);
        }
        return switch (operator) {
            case "+" -> add(run, left, right);
            case "*" -> multiply(run, left, right);
            default -> throw wrongTypes(run, operator, left, right);
        };
    }

    static TemplateValue sign(Rendering run, boolean negative, TemplateValue operand) {
        return switch (operand) {
            case FloatValue number -> negative ? new FloatValue(-number.value()) : number;
            case NumberValue number ->
                new IntValue(negative ? number.toInteger().negate() : number.toInteger());
            case UndefinedValue undefined -> throw run.undefined(undefined);
            default -> throw run.runtime("a value of type " + operand.typeName() + " has no sign");
        };
    }

    private static TemplateException wrongTypes(
            Rendering run, String operator, TemplateValue left, TemplateValue right) {
        return run.runtime(
                "'" + operator + "' between values of types " + left.typeName() + " and " + right.typeName());
    }

    private static TemplateValue add(Rendering run, TemplateValue left, TemplateValue right) {
        if (left instanceof TemplateText a && right instanceof TemplateText b) {
            if (a.isEscaped() || b.isEscaped()) {
                return join(run, HtmlText.escape(run, a), HtmlText.escape(run, b))
                        .asEscaped();
            }
            return join(run, a, b);
        }
        if (left instanceof SequenceValue a && right instanceof SequenceValue b && a.isList() == b.isList()) {
            List<TemplateValue> items = new ArrayList<>(
                    run.reserveItems((long) a.items().size() + b.items().size()));
            items.addAll(a.items());
            items.addAll(b.items());
            return a.isList() ? SequenceValue.list(items) : SequenceValue.tuple(items);
        }
        throw wrongTypes(run, "+", left, right);
    }

    private static TemplateText join(Rendering run, TemplateText a, TemplateText b) {
        return new TextBuilder(run).append(a).append(b).build();
    }

    private static TemplateValue multiply(Rendering run, TemplateValue left, TemplateValue right) {
        if (left instanceof NumberValue && !(right instanceof NumberValue)) {
            return multiply(run, right, left);
        }
        if (right instanceof NumberValue times && times.isInteger()) {
            if (left instanceof TemplateText text) {
                TextBuilder repeated = new TextBuilder(run);
                int count = run.repetitions(text.length(), times.toInteger());
                for (int i = 0; i < count; i++) {
                    repeated.append(text);
                }
                return text.isEscaped() ? repeated.build().asEscaped() : repeated.build();
            }
            if (left instanceof SequenceValue sequence) {
                int size = sequence.items().size();
                int count = run.repetitions(size, times.toInteger());
                List<TemplateValue> items = new ArrayList<>(run.reserveItems((long) count * size));
                for (int i = 0; i < count; i++) {
                    items.addAll(sequence.items());
                }
                return sequence.isList() ? SequenceValue.list(items) : SequenceValue.tuple(items);
            }
        }
        throw wrongTypes(run, "*", left, right);
    }

    private static TemplateValue numbers(Rendering run, String operator, NumberValue a, NumberValue b) {
        if (a.isInteger() && b.isInteger()) {
            return integers(run, operator, a.toInteger(), b.toInteger());
        }
        double x = a.isInteger() ? finite(run, a.toDouble()) : a.toDouble();
        double y = b.isInteger() ? finite(run, b.toDouble()) : b.toDouble();
        return new FloatValue(floats(run, operator, x, y));
    }

    private static TemplateValue integers(Rendering run, String operator, BigInteger a, BigInteger b) {
        run.chargeInteger(a);
        run.chargeInteger(b);
        return switch (operator) {
            case "+" -> run.integer(a.add(b));
            case "-" -> run.integer(a.subtract(b));
            case "*" -> run.integer(a.multiply(b));
            case "/" -> new FloatValue(quotient(run, a, b));
            case "//" -> run.integer(floorDivide(a, nonZero(run, b)));
            case "%" -> run.integer(a.subtract(floorDivide(a, nonZero(run, b)).multiply(b)));
            case "**" -> power(run, a, b);
            default -> throw new IllegalStateException(operator);
        };
    }

    private static BigInteger nonZero(Rendering run, BigInteger divisor) {
        if (divisor.signum() == 0) {
            throw run.runtime("division by zero");
        }
        return divisor;
    }

    private static BigInteger floorDivide(BigInteger a, BigInteger b) {
        BigInteger[] parts = a.divideAndRemainder(b);
        boolean below = parts[1].signum() != 0 && parts[1].signum() != b.signum();
        return below ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    private static double quotient(Rendering run, BigInteger a, BigInteger b) {
        nonZero(run, b);
        if (a.abs().compareTo(MAX_EXACT_DOUBLE) <= 0 && b.abs().compareTo(MAX_EXACT_DOUBLE) <= 0) {
            return a.doubleValue() / b.doubleValue();
        }
        // 66 bits of the quotient and whether there is more decide how it rounds to the 53 of a double.
        int shift = 66 - (a.abs().bitLength() - b.abs().bitLength());
        BigInteger[] parts =
                a.abs().shiftLeft(Math.max(0, shift)).divideAndRemainder(b.abs().shiftLeft(Math.max(0, -shift)));
        BigInteger bits = parts[1].signum() == 0 ? parts[0] : parts[0].setBit(0);
        double value = Math.scalb(bits.doubleValue(), -shift);
        return finite(run, (a.signum() < 0) == (b.signum() < 0) ? value : -value);
    }

    private static double finite(Rendering run, double value) {
        if (Double.isInfinite(value)) {
            throw run.runtime("a number too large for a float");
        }
        return value;
    }

    private static TemplateValue power(Rendering run, BigInteger base, BigInteger exponent) {
        if (exponent.signum() < 0) {
            nonZero(run, base);
            return new FloatValue(power(run, finite(run, base.doubleValue()), finite(run, exponent.doubleValue())));
        }
        boolean grows = base.bitLength() > 1 || base.equals(BigInteger.TWO.negate());
        BigInteger size =
                exponent.multiply(BigInteger.valueOf(Math.max(1, base.abs().bitLength() - 1)));
        if (grows && size.compareTo(BigInteger.valueOf(IntValue.MAX_BITS)) > 0) {
            throw run.limit("an integer of more than " + IntValue.MAX_BITS + " bits");
        }
        if (grows) {
            return run.integer(base.pow(exponent.intValueExact()));
        }
        boolean odd = exponent.testBit(0);
        return new IntValue(exponent.signum() == 0 ? BigInteger.ONE : odd ? base : base.multiply(base));
    }

    private static double floats(Rendering run, String operator, double x, double y) {
        if (y == 0 && (operator.equals("/") || operator.equals("//") || operator.equals("%"))) {
            throw run.runtime("division by zero");
        }
        return switch (operator) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            case "//" -> floorDivide(x, y);
            case "%" -> modulo(x, y);
            case "**" -> power(run, x, y);
            default -> throw new IllegalStateException(operator);
        };
    }

    private static double modulo(double x, double y) {
        double remainder = x % y;
        if (remainder == 0) {
            return Math.copySign(0.0, y);
        }
        return (remainder < 0) == (y < 0) ? remainder : remainder + y;
    }

    private static double floorDivide(double x, double y) {
        double remainder = x % y;
        double quotient = (x - remainder) / y;
        if (remainder != 0 && (remainder < 0) != (y < 0)) {
            quotient -= 1;
        }
        if (quotient == 0) {
            return Math.copySign(0.0, x / y);
        }
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    private static double power(Rendering run, double x, double y) {
        if (x == 0 && y < 0) {
            throw run.runtime("zero to a negative power");
        }
        if (x < 0 && y != Math.rint(y) && !Double.isInfinite(x)) {
            throw run.runtime("a negative number to a fractional power is no real number");
        }
        double value = x == 1 || y == 0 ? 1 : Math.pow(x, y);
        return Double.isInfinite(x) || Double.isInfinite(y) ? value : finite(run, value);
    }
}
