package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.time.Clock;

/** The state of one rendering: where it is, what it has used and what it may use. */
final class Rendering {
    private static final int CHARS_PER_STEP = 64;
    private static final int DECIMAL_STEPS = 10;
    /** Expressions and blocks under evaluation at once, per level of {@link TemplateLimits#depth()}. */
    private static final int NESTING_PER_DEPTH = 3;

    private final String templateName;
    private final TemplateLimits limits;
    private final Clock clock;
    private long steps;
    private int nesting;
    private int calls;
    private int line = 1;

    Rendering(String templateName, TemplateLimits limits, Clock clock) {
        this.templateName = templateName;
        this.limits = limits;
        this.clock = clock;
    }

    TemplateLimits limits() {
        return limits;
    }

    Clock clock() {
        return clock;
    }

    /** Notes which line is at work. */
    void at(int newLine) {
        line = newLine;
    }

    /** Goes one level deeper, on the same line. */
    int enter() {
        return enter(line);
    }

    /** Begins what stands on {@code newLine}; gives the line to go back to with {@link #leave}. */
    int enter(int newLine) {
        int outer = line;
        line = newLine;
        charge(1);
        if (++nesting > NESTING_PER_DEPTH * limits.depth()) {
            throw limit("nested too deeply");
        }
        return outer;
    }

    void leave(int outerLine) {
        nesting--;
        line = outerLine;
    }

    /** Begins a call of a macro or a step down into a value. */
    void descend() {
        if (++calls > limits.depth()) {
            throw limit("calls or values nested more than " + limits.depth() + " deep");
        }
    }

    void ascend() {
        calls--;
    }

    void charge(long work) {
        steps += work;
        if (steps > limits.steps()) {
            throw limit("took more than " + limits.steps() + " steps");
        }
    }

    /** Accounts for {@code chars} characters that are made, compared or searched. */
    void chargeChars(long chars) {
        charge(chars / CHARS_PER_STEP);
    }

    /** Makes sure, before it is made, that a value may have so many characters. */
    void reserveChars(long chars) {
        if (chars > limits.valueChars()) {
            throw limit("a value of " + chars + " characters, more than " + limits.valueChars());
        }
        chargeChars(chars);
    }

    /** Makes sure, before they are made, that a list may have so many items; gives their number. */
    int reserveItems(long count) {
        if (count > limits.valueChars()) {
            throw limit("a list of " + count + " items, more than " + limits.valueChars());
        }
        charge(count);
        return (int) count;
    }

    /** How often something of {@code size} fits into a value when it is to be repeated {@code times}; none if negative. */
    int repetitions(long size, BigInteger times) {
        if (times.bitLength() >= Long.SIZE) {
            throw limit("a number of repetitions beyond any size");
        }
        if (times.signum() <= 0 || size == 0) {
            return 0;
        }
        if (times.multiply(BigInteger.valueOf(size)).compareTo(BigInteger.valueOf(limits.valueChars())) > 0) {
            throw limit("a value repeated beyond a size of " + limits.valueChars());
        }
        return times.intValueExact();
    }

    /** An integer result, unless it is beyond the size that an integer may have. */
    IntValue integer(BigInteger value) {
        if (value.bitLength() > IntValue.MAX_BITS) {
            throw limit("an integer of more than " + IntValue.MAX_BITS + " bits");
        }
        chargeInteger(value);
        return new IntValue(value);
    }

    /** Accounts for exact decimal arithmetic with a float. */
    void chargeDecimal() {
        charge(DECIMAL_STEPS);
    }

    /** Accounts for calculating with or printing an integer, which takes time by the square of its size. */
    void chargeInteger(BigInteger value) {
        long words = value.bitLength() / Long.SIZE;
        charge(words * words / Long.SIZE);
    }

    TemplateException fail(TemplateException.Kind kind, String detail) {
        return new TemplateException(kind, templateName, line, detail);
    }

    TemplateException runtime(String detail) {
        return fail(TemplateException.Kind.RUNTIME, detail);
    }

    TemplateException limit(String detail) {
        return fail(TemplateException.Kind.LIMIT, detail);
    }

    /** The failure of using {@code undefined} as if it were something. */
    TemplateException undefined(UndefinedValue undefined) {
        return fail(
                undefined.denied() ? TemplateException.Kind.SECURITY : TemplateException.Kind.UNDEFINED,
                undefined.problem());
    }
}
