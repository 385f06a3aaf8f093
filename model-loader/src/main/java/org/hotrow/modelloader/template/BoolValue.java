package org.hotrow.modelloader.template;

import java.math.BigInteger;

/** True or False; in arithmetic 1 or 0. */
enum BoolValue implements NumberValue {
    FALSE,
    TRUE;

    static BoolValue of(boolean value) {
        return value ? TRUE : FALSE;
    }

    @Override
    public boolean isTrue() {
        return this == TRUE;
    }

    @Override
    public String typeName() {
        return "bool";
    }

    @Override
    public double toDouble() {
        return isTrue() ? 1 : 0;
    }

    @Override
    public BigInteger toInteger() {
        return isTrue() ? BigInteger.ONE : BigInteger.ZERO;
    }
}
