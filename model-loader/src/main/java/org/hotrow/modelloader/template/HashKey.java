package org.hotrow.modelloader.template;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The Java object under which a value is found in a mapping: equal for values that Python takes for equal, whatever
 * their type ({@code 1}, {@code 1.0} and {@code true} are one key).
 */
final class HashKey {
    private record OfTuple(List<Object> items) {}

    private enum OfUndefined {
        UNDEFINED
    }

    private HashKey() {}

    /** The key of {@code value}; a list, a mapping or another value that has none is refused. */
    static Object of(Rendering run, TemplateValue value) {
        run.charge(1);
        return switch (value) {
            case TemplateText text -> {
                run.chargeChars(text.length());
                yield text.chars();
            }
            case FloatValue number -> ofFloat(number.value());
            case NumberValue number -> number.toInteger();
            case NoneValue none -> none;
            case UndefinedValue _ -> OfUndefined.UNDEFINED;
            case SequenceValue tuple
            when !tuple.isList() -> {
                run.descend();
                List<Object> items = new ArrayList<>();
                tuple.items().forEach(item -> items.add(of(run, item)));
                run.ascend();
                yield new OfTuple(items);
            }
            default -> throw run.runtime("a value of type " + value.typeName() + " can't be a key");
        };
    }

    private static Object ofFloat(double value) {
        boolean integral = value == Math.rint(value) && !Double.isInfinite(value);
        return integral ? new BigDecimal(value).toBigInteger() : value;
    }
}
