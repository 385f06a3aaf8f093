package org.hotrow.modelloader.template;

import java.math.BigDecimal;
import java.math.MathContext;

/** Floats as Python's {@code repr} writes them: the fewest digits that give the same number, nearest to it. */
final class FloatText {
    private FloatText() {}

    static String of(Rendering run, double value) {
        run.chargeDecimal();
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String sign = value < 0 || (value == 0 && 1 / value < 0) ? "-" : "";
        return sign + (value == 0 ? "0.0" : positive(Math.abs(value)));
    }

    private static String positive(double value) {
        BigDecimal decimal = shortest(value);
        String digits = decimal.unscaledValue().toString();
        // The value is 0.DIGITS * 10^point.
        int point = digits.length() - decimal.scale();
        if (point > 16 || point < -3) {
            String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
            int exponent = point - 1;
            String padded = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : "" + Math.abs(exponent);
            return digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + padded;
        }
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        if (point >= digits.length()) {
            return digits + "0".repeat(point - digits.length()) + ".0";
        }
        return digits.substring(0, point) + "." + digits.substring(point);
    }

    /** Java's own text is the shortest too, except that it has two digits where one would do ({@code 4.9E-324}). */
    private static BigDecimal shortest(double value) {
        BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (decimal.precision() == 2) {
            BigDecimal exact = new BigDecimal(value);
            BigDecimal one = exact.round(new MathContext(1));
            if (one.doubleValue() == value) {
                return one.stripTrailingZeros();
            }
        }
        return decimal;
    }
}
