package org.hotrow.modelloader.template;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code object.name} and {@code object[index]}: attributes from a fixed list per type, items of lists, mappings and
 * text; whatever else is asked for is undefined. There is no way from here to anything of Java.
 */
final class Attributes {
    /** Methods that would change the value: they exist, but not for templates. */
    private static final Set<String> CHANGE_LIST =
            Set.of("append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove");

    private static final Set<String> CHANGE_DICT = Set.of("clear", "pop", "popitem", "setdefault", "update");

    /** What Python has and this doesn't: to be refused, since "undefined" would be wrong. */
    private static final Map<Class<? extends TemplateValue>, Set<String>> MISSING = Map.of(
            TemplateText.class,
            Set.of(
                    "encode",
                    "translate",
                    "maketrans",
                    "isidentifier",
                    "format",
                    "format_map",
                    "isascii",
                    "isprintable",
                    "istitle",
                    "isdecimal",
                    "isnumeric"),
            SequenceValue.class,
            Set.of("copy"),
            DictValue.class,
            Set.of("fromkeys"),
            DictView.class,
            Set.of("isdisjoint", "mapping"),
            RangeValue.class,
            Set.of("count", "index", "start", "stop", "step"),
            IteratorValue.class,
            Set.of("close", "send", "throw", "gi_running", "gi_yieldfrom", "gi_suspended"),
            CallableValue.class,
            Set.of("name", "arguments", "caller", "catch_kwargs", "catch_varargs", "explicit_caller"),
            IntValue.class,
            Set.of(
                    "real",
                    "imag",
                    "numerator",
                    "denominator",
                    "bit_length",
                    "bit_count",
                    "conjugate",
                    "to_bytes",
                    "from_bytes",
                    "as_integer_ratio"),
            BoolValue.class,
            Set.of(
                    "real",
                    "imag",
                    "numerator",
                    "denominator",
                    "bit_length",
                    "bit_count",
                    "conjugate",
                    "to_bytes",
                    "from_bytes",
                    "as_integer_ratio"),
            FloatValue.class,
            Set.of("real", "imag", "conjugate", "hex", "fromhex", "is_integer", "as_integer_ratio"));

    private Attributes() {}

    /** {@code object.name}: an attribute, else the member of a mapping, else undefined. */
    static TemplateValue get(Rendering run, TemplateValue object, String name) {
        TemplateValue own = own(run, object, name);
        if (own instanceof UndefinedValue denied && isHidden(name) && member(object, name) != null) {
            throw run.undefined(denied);
        }
        if (own != null) {
            return own;
        }
        TemplateValue member = member(object, name);
        return member == null ? UndefinedValue.attribute(object, name) : member;
    }

    /** {@code object[index]}: an item, else an attribute of that name, else undefined. */
    static TemplateValue item(Rendering run, TemplateValue object, TemplateValue index) {
        if (object instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        TemplateValue item = findItem(run, object, index);
        if (item != null) {
            return item;
        }
        if (index instanceof TemplateText name) {
            TemplateValue own = own(run, object, name.chars());
            return own == null ? UndefinedValue.attribute(object, name.chars()) : own;
        }
        return UndefinedValue.item(object);
    }

    /** The attribute that a value has by its type, or null. */
    static @Nullable TemplateValue own(Rendering run, TemplateValue object, String name) {
        if (object instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (isHidden(name)) {
            return UndefinedValue.denied(object, name);
        }
        if (MISSING.getOrDefault(object.getClass(), Set.of()).contains(name)) {
            throw run.runtime("'" + name + "' of a value of type " + object.typeName() + " is not supported");
        }
        return switch (object) {
            case TemplateText text -> {
                CallableValue method = method(run, object, TextMethods.ALL, name);
                if (method != null && text.isEscaped()) {
                    throw run.runtime("methods of escaped text are not supported");
                }
                yield method;
            }
            case SequenceValue sequence
            when sequence.isList() && CHANGE_LIST.contains(name) -> UndefinedValue.denied(object, name);
            case SequenceValue sequence
            when sequence.kind() == SequenceValue.Kind.GROUP && name.equals("grouper") ->
                sequence.items().get(0);
            case SequenceValue sequence
            when sequence.kind() == SequenceValue.Kind.GROUP && name.equals("list") ->
                sequence.items().get(1);
            case SequenceValue _ -> method(run, object, SequenceMethods.ALL, name);
            case DictValue _ when CHANGE_DICT.contains(name) -> UndefinedValue.denied(object, name);
            case DictValue _ -> method(run, object, DictMethods.ALL, name);
            case LoopValue loop -> loop.attribute(name);
            case NamespaceValue namespace -> {
                TemplateValue value = namespace.get(name);
                yield value != null && name.startsWith("_") ? UndefinedValue.denied(object, name) : value;
            }
            default -> null;
        };
    }

    private static boolean isHidden(String name) {
        return name.startsWith("__") && name.endsWith("__");
    }

    private static @Nullable CallableValue method(
            Rendering run, TemplateValue object, Map<String, Builtin> methods, String name) {
        Builtin method = methods.get(name);
        if (method == null) {
            return null;
        }
        return new CallableValue(name, arguments -> method.apply(run, name, object, arguments));
    }

    private static @Nullable TemplateValue member(TemplateValue object, String name) {
        return object instanceof DictValue dict ? dict.get(name) : null;
    }

    private static @Nullable TemplateValue findItem(Rendering run, TemplateValue object, TemplateValue index) {
        return switch (object) {
            case DictValue dict -> isHashable(index) ? dict.get(HashKey.of(run, index)) : null;
            case SequenceValue sequence -> {
                int place = place(index, sequence.items().size());
                yield place < 0 ? null : sequence.items().get(place);
            }
            case RangeValue range -> {
                int place = place(index, range.count());
                yield place < 0 ? null : new IntValue(range.at(place));
            }
            case TemplateText text -> character(run, text, index);
            default -> null;
        };
    }

    private static boolean isHashable(TemplateValue index) {
        return !(index instanceof DictValue) && !(index instanceof SequenceValue sequence && sequence.isList());
    }

    private static @Nullable TemplateValue character(Rendering run, TemplateText text, TemplateValue index) {
        run.chargeChars(text.length());
        String chars = text.chars();
        int place = place(index, CodePoints.count(chars));
        if (place < 0) {
            return null;
        }
        int offset = chars.offsetByCodePoints(0, place);
        TemplateText character = text.slice(offset, chars.offsetByCodePoints(offset, 1));
        return text.isEscaped() ? character.asEscaped() : character;
    }

    /** The place that an index means in something of {@code size}, or -1. */
    private static int place(TemplateValue index, int size) {
        if (!(index instanceof NumberValue number) || !number.isInteger()) {
            return -1;
        }
        if (number.toInteger().bitLength() >= Integer.SIZE) {
            return -1;
        }
        long place = number.toInteger().longValue();
        if (place < 0) {
            place += size;
        }
        return place >= 0 && place < size ? (int) place : -1;
    }
}
