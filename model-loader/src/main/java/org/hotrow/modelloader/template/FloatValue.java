package org.hotrow.modelloader.template;

import java.math.BigInteger;

/** A double precision number. */
record FloatValue(double value) implements NumberValue {
    @Override
    public boolean isTrue() {
        return value != 0;
    }

    @Override
    public String typeName() {
        return "float";
    }

    @Override
    public double toDouble() {
        return value;
    }

    @Override
    public BigInteger toInteger() {
        throw new IllegalStateException("a float is no integer");
    }
}
