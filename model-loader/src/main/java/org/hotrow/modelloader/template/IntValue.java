package org.hotrow.modelloader.template;

import java.math.BigInteger;

/** An integer of any size. */
record IntValue(BigInteger value) implements NumberValue {
    /**
     * Largest size of an integer: just under the 4,300 decimal digits beyond which Python refuses to print one.
     */
    static final int MAX_BITS = 14_284;

    static IntValue of(long value) {
        return new IntValue(BigInteger.valueOf(value));
    }

    @Override
    public boolean isTrue() {
        return value.signum() != 0;
    }

    @Override
    public String typeName() {
        return "int";
    }

    @Override
    public double toDouble() {
        return value.doubleValue();
    }

    @Override
    public BigInteger toInteger() {
        return value;
    }
}
