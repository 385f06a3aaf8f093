package org.hotrow.modelloader.template;

import java.math.BigDecimal;
import java.util.List;

/** Equality, order and membership as Python has them. */
final class Comparison {
    private Comparison() {}

    static boolean holds(Rendering run, String operator, TemplateValue left, TemplateValue right) {
        return switch (operator) {
            case "==" -> equal(run, left, right);
            case "!=" -> !equal(run, left, right);
            case "in" -> contains(run, right, left);
            case "not in" -> !contains(run, right, left);
            case "<" -> ordered(run, left, right, "<");
            case ">" -> ordered(run, right, left, ">");
            case "<=" -> !isNan(left, right) && !ordered(run, right, left, "<=");
            case ">=" -> !isNan(left, right) && !ordered(run, left, right, ">=");
            default -> throw new IllegalStateException(operator);
        };
    }

    static boolean equal(Rendering run, TemplateValue left, TemplateValue right) {
        run.charge(1);
        return switch (left) {
            case NumberValue a -> right instanceof NumberValue b && !isNan(a, b) && compareNumbers(run, a, b) == 0;
            case TemplateText a -> {
                run.chargeChars(a.length());
                yield right instanceof TemplateText b && a.chars().equals(b.chars());
            }
            case SequenceValue a ->
                right instanceof SequenceValue b && a.isList() == b.isList() && equalItems(run, a, b);
            case DictValue a -> right instanceof DictValue b && a.size() == b.size() && equalMembers(run, a, b);
            case RangeValue a -> right instanceof RangeValue b && equalRanges(a, b);
            case UndefinedValue _ -> right instanceof UndefinedValue;
            case DictView a -> {
                if (right instanceof DictView && a.part() != DictView.Part.VALUES) {
                    throw run.runtime("views of mappings can't be compared here; make them lists");
                }
                yield identical(a, right);
            }
            case CallableValue _ -> {
                if (right instanceof CallableValue) {
                    throw run.runtime("functions can't be compared");
                }
                yield false;
            }
            case NoneValue _, IteratorValue _, NamespaceValue _, LoopValue _ -> identical(left, right);
        };
    }

    private static boolean equalItems(Rendering run, SequenceValue a, SequenceValue b) {
        if (a.items().size() != b.items().size()) {
            return false;
        }
        run.descend();
        boolean equal = true;
        for (int i = 0; equal && i < a.items().size(); i++) {
            equal = identicalOrEqual(run, a.items().get(i), b.items().get(i));
        }
        run.ascend();
        return equal;
    }

    private static boolean equalMembers(Rendering run, DictValue a, DictValue b) {
        run.descend();
        boolean equal = true;
        for (var member : a.members().entrySet()) {
            TemplateValue other = b.get(member.getKey());
            equal = other != null && identicalOrEqual(run, member.getValue().value(), other);
            if (!equal) {
                break;
            }
        }
        run.ascend();
        return equal;
    }

    /** As in Python's containers, a value is equal to itself, even if it is not a number. */
    private static boolean identicalOrEqual(Rendering run, TemplateValue a, TemplateValue b) {
        return identical(a, b) || equal(run, a, b);
    }

    @SuppressWarnings("ReferenceEquality") // what Python's "is" asks
    static boolean identical(TemplateValue a, TemplateValue b) {
        return a == b;
    }

    private static boolean equalRanges(RangeValue a, RangeValue b) {
        return a.count() == b.count()
                && (a.count() == 0 || a.start().equals(b.start()))
                && (a.count() < 2 || a.step().equals(b.step()));
    }

    /** Whether {@code left} comes before {@code right}; values without an order are refused. */
    private static boolean ordered(Rendering run, TemplateValue left, TemplateValue right, String operator) {
        if (isNan(left, right)) {
            return false;
        }
        return compare(run, left, right, operator) < 0;
    }

    /** The order of two values as a sort needs it. */
    static int compare(Rendering run, TemplateValue left, TemplateValue right) {
        if (isNan(left, right)) {
            throw run.runtime("nan has no place in an order");
        }
        return compare(run, left, right, "<");
    }

    private static int compare(Rendering run, TemplateValue left, TemplateValue right, String operator) {
        run.charge(1);
        if (left instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (right instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (left instanceof NumberValue a && right instanceof NumberValue b) {
            return compareNumbers(run, a, b);
        }
        if (left instanceof TemplateText a && right instanceof TemplateText b) {
            run.chargeChars(Math.min(a.length(), b.length()));
            return CodePoints.compare(a.chars(), b.chars());
        }
        if (left instanceof SequenceValue a && right instanceof SequenceValue b && a.isList() == b.isList()) {
            return compareItems(run, a.items(), b.items(), operator);
        }
        throw run.runtime("'" + operator + "' between values of types " + left.typeName() + " and " + right.typeName());
    }

    private static int compareItems(Rendering run, List<TemplateValue> a, List<TemplateValue> b, String operator) {
        run.descend();
        int shorter = Math.min(a.size(), b.size());
        int order = Integer.compare(a.size(), b.size());
        for (int i = 0; i < shorter; i++) {
            if (!identicalOrEqual(run, a.get(i), b.get(i))) {
                if (isNan(a.get(i), b.get(i))) {
                    throw run.runtime("nan has no place in an order");
                }
                order = compare(run, a.get(i), b.get(i), operator);
                break;
            }
        }
        run.ascend();
        return order;
    }

    private static int compareNumbers(Rendering run, NumberValue a, NumberValue b) {
        if (a.isInteger() && b.isInteger()) {
            return a.toInteger().compareTo(b.toInteger());
        }
        if (!a.isInteger() && !b.isInteger()) {
            double x = a.toDouble();
            double y = b.toDouble();
            return x < y ? -1 : x > y ? 1 : 0;
        }
        if (a.isInteger()) {
            return -compareNumbers(run, b, a);
        }
        run.chargeDecimal();
        run.chargeInteger(b.toInteger());
        double x = a.toDouble();
        return Double.isInfinite(x) ? (x > 0 ? 1 : -1) : new BigDecimal(x).compareTo(new BigDecimal(b.toInteger()));
    }

    private static boolean isNan(TemplateValue a, TemplateValue b) {
        return (a instanceof FloatValue x && Double.isNaN(x.value()) && b instanceof NumberValue)
                || (b instanceof FloatValue y && Double.isNaN(y.value()) && a instanceof NumberValue);
    }

    /** Whether {@code item in container}. */
    static boolean contains(Rendering run, TemplateValue container, TemplateValue item) {
        return switch (container) {
            case TemplateText text -> {
                if (!(item instanceof TemplateText part)) {
                    throw run.runtime("only text can be in text, not a value of type " + item.typeName());
                }
                run.chargeChars(text.length());
                yield new TextSearch(run, part.chars()).find(text.chars(), 0) >= 0;
            }
            case DictValue dict -> dict.get(HashKey.of(run, item)) != null;
            case DictView view
            when view.part() == DictView.Part.KEYS -> view.dict().get(HashKey.of(run, item)) != null;
            case RangeValue range
            when item instanceof NumberValue number && number.isInteger() -> range.contains(number.toInteger());
            case SequenceValue _, DictView _, RangeValue _, IteratorValue _, UndefinedValue _ ->
                isAmong(run, Iteration.iterator(run, container), item);
            case NumberValue _, NoneValue _, NamespaceValue _, LoopValue _, CallableValue _ ->
                throw run.runtime("nothing is in a value of type " + container.typeName());
        };
    }

    private static boolean isAmong(Rendering run, IteratorValue items, TemplateValue item) {
        for (TemplateValue next = items.next(); next != null; next = items.next()) {
            if (identicalOrEqual(run, next, item)) {
                return true;
            }
        }
        return false;
    }
}
