package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filters for values of any type. */
final class ValueFilters {
    static final Map<String, Builtin> ALL = Map.ofEntries(
            Map.entry("attr", Builtin.of(ValueFilters::attr, 1, "name")),
            Map.entry("d", Builtin.of(ValueFilters::orDefault, 0, "default_value", "boolean")),
            Map.entry("default", Builtin.of(ValueFilters::orDefault, 0, "default_value", "boolean")),
            Map.entry("e", Builtin.textFilter((run, text, _) -> HtmlText.escape(run, text), 0)),
            Map.entry("escape", Builtin.textFilter((run, text, _) -> HtmlText.escape(run, text), 0)),
            Map.entry("forceescape", Builtin.textFilter((run, text, _) -> HtmlText.escape(run, text.asPlain()), 0)),
            Map.entry("format", Builtin.variadic(ValueFilters::format)),
            Map.entry("safe", Builtin.textFilter((_, text, _) -> text.asEscaped(), 0)),
            Map.entry("string", Builtin.textFilter((_, text, _) -> text, 0)),
            Map.entry(
                    "tojson",
                    Builtin.of(ValueFilters::toJson, 0, "ensure_ascii", "indent", "separators", "sort_keys")));

    private ValueFilters() {}

    private static TemplateValue attr(Rendering run, TemplateValue value, BoundArguments arguments) {
        String name = arguments.text(0).chars();
        TemplateValue own = Attributes.own(run, value, name);
        return own == null ? UndefinedValue.attribute(value, name) : own;
    }

    private static TemplateValue orDefault(Rendering run, TemplateValue value, BoundArguments arguments) {
        boolean absent = value instanceof UndefinedValue || (arguments.isTrue(1, false) && !value.isTrue());
        return absent ? arguments.get(0, TemplateText.EMPTY) : value;
    }

    private static TemplateValue format(Rendering run, TemplateValue value, BoundArguments arguments) {
        TemplateText format = Printing.text(run, value);
        Arguments given = arguments.all();
        if (given.named().isEmpty()) {
            return PercentFormat.apply(run, format, SequenceValue.tuple(given.positional()));
        }
        if (!given.positional().isEmpty()) {
            throw run.runtime("format takes arguments by position or by name, not both");
        }
        Map<Object, DictValue.Entry> members = new LinkedHashMap<>();
        given.named().forEach((name, member) -> DictValue.put(members, name, TemplateText.untrusted(name), member));
        return PercentFormat.apply(run, format, new DictValue(members));
    }

    private static TemplateValue toJson(Rendering run, TemplateValue value, BoundArguments arguments) {
        TemplateValue indent = arguments.findSome(1);
        String item = indent == null ? ", " : ",";
        String key = ": ";
        TemplateValue separators = arguments.findSome(2);
        if (separators != null) {
            if (!(separators instanceof SequenceValue pair)
                    || pair.items().size() != 2
                    || !(pair.items().get(0) instanceof TemplateText itemSeparator)
                    || !(pair.items().get(1) instanceof TemplateText keySeparator)) {
                throw arguments.wrong(2, "two texts");
            }
            item = itemSeparator.chars();
            key = keySeparator.chars();
        }
        return JsonOutput.write(
                run,
                value,
                new JsonOutput.Layout(
                        arguments.isTrue(0, false),
                        indent(run, indent, arguments),
                        item,
                        key,
                        arguments.isTrue(3, false)));
    }

    private static @Nullable String indent(Rendering run, @Nullable TemplateValue indent, BoundArguments arguments) {
        return switch (indent) {
            case null -> null;
            case TemplateText text -> text.chars();
            case NumberValue number
            when number.isInteger() -> {
                BigInteger width = number.toInteger();
                yield " ".repeat(run.repetitions(1, width));
            }
            default -> throw arguments.wrong(1, "an integer or text");
        };
    }
}
