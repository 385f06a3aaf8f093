package org.hotrow.modelloader.template;

import java.math.BigInteger;

/** A number: integer, float or (as in Python) boolean. */
sealed interface NumberValue extends TemplateValue permits IntValue, FloatValue, BoolValue {

    /** This number as a float; infinite if it is an integer beyond the range. */
    double toDouble();

    /** This number as an integer, if it is one or a boolean; a float is refused. */
    BigInteger toInteger();

    default boolean isInteger() {
        return !(this instanceof FloatValue);
    }
}
