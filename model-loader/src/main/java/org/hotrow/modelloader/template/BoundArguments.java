package org.hotrow.modelloader.template;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The arguments of one call of something built in, by the index of their parameter. */
final class BoundArguments {
    private final Rendering run;
    private final String callee;
    private final Parameters parameters;
    private final Arguments all;
    private final @Nullable TemplateValue[] values;

    BoundArguments(
            Rendering run, String callee, Parameters parameters, Arguments all, @Nullable TemplateValue[] values) {
        this.run = run;
        this.callee = callee;
        this.parameters = parameters;
        this.all = all;
        this.values = values;
    }

    /** Everything as it was given, for a callee that takes whatever it is given. */
    Arguments all() {
        return all;
    }

    /** The value of an argument, or null if it was not given. */
    @Nullable
    TemplateValue find(int index) {
        return values[index];
    }

    /** The value of an argument, or null if it was not given or is none. */
    @Nullable
    TemplateValue findSome(int index) {
        TemplateValue value = values[index];
        return value == NoneValue.NONE ? null : value;
    }

    TemplateValue get(int index, TemplateValue fallback) {
        TemplateValue value = values[index];
        return value == null ? fallback : value;
    }

    /** The value of a required argument. */
    TemplateValue get(int index) {
        TemplateValue value = values[index];
        if (value == null) {
            throw new IllegalStateException("argument " + index + " of " + callee + " is not a required one");
        }
        return value;
    }

    boolean isTrue(int index, boolean fallback) {
        TemplateValue value = values[index];
        return value == null ? fallback : value.isTrue();
    }

    /** An argument that must be text. */
    TemplateText text(int index) {
        if (get(index) instanceof TemplateText text) {
            return text;
        }
        throw wrong(index, "text");
    }

    BigInteger integer(int index, long fallback) {
        TemplateValue value = values[index];
        if (value == null) {
            return BigInteger.valueOf(fallback);
        }
        if (value instanceof NumberValue number && number.isInteger()) {
            return number.toInteger();
        }
        throw wrong(index, "an integer");
    }

    /** An integer argument, cut to the range of an int. */
    int size(int index, int fallback) {
        BigInteger value = integer(index, fallback);
        return value.bitLength() < Integer.SIZE
                ? value.intValue()
                : value.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    }

    TemplateException wrong(int index, String expected) {
        TemplateValue value = values[index];
        String found = value == null ? "nothing" : "a value of type " + value.typeName();
        return run.runtime("argument '" + parameters.names().get(index) + "' of " + callee + " must be " + expected
                + ", not " + found);
    }
}
