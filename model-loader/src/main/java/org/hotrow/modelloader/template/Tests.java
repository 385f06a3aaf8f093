package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The tests by name: what may follow {@code is}. */
final class Tests {
    private static final BigInteger LEAST_SHARED_INT = BigInteger.valueOf(-5);
    private static final BigInteger LAST_SHARED_INT = BigInteger.valueOf(256);

    private static final Map<String, Builtin> ALL = all();

    private Tests() {}

    private static Map<String, Builtin> all() {
        Map<String, Builtin> all = new HashMap<>();
        all.put("boolean", plain(value -> value instanceof BoolValue));
        all.put("callable", plain(Tests::isCallable));
        all.put("defined", plain(value -> !(value instanceof UndefinedValue)));
        all.put("escaped", plain(value -> value instanceof TemplateText text && text.isEscaped()));
        all.put("false", plain(value -> value == BoolValue.FALSE));
        all.put("float", plain(value -> value instanceof FloatValue));
        all.put("integer", plain(value -> value instanceof IntValue));
        all.put("iterable", plain(Iteration::isIterable));
        all.put("mapping", plain(value -> value instanceof DictValue));
        all.put("none", plain(value -> value == NoneValue.NONE));
        all.put("number", plain(value -> value instanceof NumberValue));
        all.put("sequence", plain(Tests::isSequence));
        all.put("string", plain(value -> value instanceof TemplateText));
        all.put("true", plain(value -> value == BoolValue.TRUE));
        all.put("undefined", plain(value -> value instanceof UndefinedValue));
        all.put(
                "divisibleby",
                Builtin.of((run, value, arguments) -> leaves(run, value, arguments.get(0), 0), 1, "num"));
        all.put("even", Builtin.of((run, value, _) -> leaves(run, value, IntValue.of(2), 0), 0));
        all.put("odd", Builtin.of((run, value, _) -> leaves(run, value, IntValue.of(2), 1), 0));
        all.put("filter", Builtin.of((run, value, _) -> BoolValue.of(Filters.isFilter(run, name(run, value))), 0));
        all.put("test", Builtin.of((run, value, _) -> BoolValue.of(exist(name(run, value))), 0));
        all.put("lower", Builtin.textFilter(CharacterKinds::isLower, 0));
        all.put("upper", Builtin.textFilter(CharacterKinds::isUpper, 0));
        all.put("sameas", Builtin.of(Tests::sameAs, 1, "other"));
        for (String operator : Set.of("==", "eq", "equalto")) {
            all.put(operator, comparison("=="));
        }
        for (String operator : Set.of("!=", "ne")) {
            all.put(operator, comparison("!="));
        }
        for (String operator : Set.of(">", "gt", "greaterthan")) {
            all.put(operator, comparison(">"));
        }
        for (String operator : Set.of("<", "lt", "lessthan")) {
            all.put(operator, comparison("<"));
        }
        for (String operator : Set.of(">=", "ge")) {
            all.put(operator, comparison(">="));
        }
        for (String operator : Set.of("<=", "le")) {
            all.put(operator, comparison("<="));
        }
        all.put("in", comparison("in"));
        return Map.copyOf(all);
    }

    private static Builtin plain(Predicate<TemplateValue> test) {
        return Builtin.of((_, value, _) -> BoolValue.of(test.test(value)), 0);
    }

    /** What has a length and items by index or key; undefined pretends to. */
    private static boolean isSequence(TemplateValue value) {
        return switch (value) {
            case TemplateText _, SequenceValue _, DictValue _, RangeValue _, UndefinedValue _ -> true;
            default -> false;
        };
    }

    /** A function, a loop (which calls itself if it is recursive), and undefined, which pretends to be one. */
    private static boolean isCallable(TemplateValue value) {
        return switch (value) {
            case CallableValue _, LoopValue _, UndefinedValue _ -> true;
            default -> false;
        };
    }

    private static Builtin comparison(String operator) {
        return Builtin.of(
                (run, value, arguments) -> BoolValue.of(Comparison.holds(run, operator, value, arguments.get(0))),
                1,
                "other");
    }

    static boolean exist(String name) {
        return ALL.containsKey(name);
    }

    static TemplateValue apply(Rendering run, String name, TemplateValue value, Arguments arguments) {
        Builtin test = ALL.get(name);
        if (test == null) {
            throw run.runtime("unknown test '" + name + "'");
        }
        return test.apply(run, name, value, arguments);
    }

    private static String name(Rendering run, TemplateValue value) {
        if (value instanceof TemplateText text) {
            return text.chars();
        }
        throw run.runtime("a name must be text, not a value of type " + value.typeName());
    }

    /** Whether {@code value % divisor} is {@code remainder}. */
    private static BoolValue leaves(Rendering run, TemplateValue value, TemplateValue divisor, int remainder) {
        TemplateValue actual = Arithmetic.apply(run, "%", value, divisor);
        return BoolValue.of(Comparison.equal(run, actual, IntValue.of(remainder)));
    }

    /** Whether both are one object in Python; where that depends on its implementation the question is refused. */
    private static TemplateValue sameAs(Rendering run, TemplateValue value, BoundArguments arguments) {
        TemplateValue other = arguments.get(0);
        if (value instanceof IntValue a && other instanceof IntValue b) {
            if (!a.equals(b)) {
                return BoolValue.FALSE;
            }
            if (a.value().compareTo(LEAST_SHARED_INT) >= 0 && a.value().compareTo(LAST_SHARED_INT) <= 0) {
                return BoolValue.TRUE;
            }
            throw run.runtime("sameas is not supported for large integers");
        }
        boolean unclear = (value instanceof TemplateText && other instanceof TemplateText)
                || (value instanceof FloatValue && other instanceof FloatValue)
                || (value instanceof UndefinedValue && other instanceof UndefinedValue)
                || (value instanceof CallableValue && other instanceof CallableValue);
        if (unclear) {
            throw run.runtime("sameas is not supported for values of type " + value.typeName());
        }
        return BoolValue.of(Comparison.identical(value, other));
    }
}
