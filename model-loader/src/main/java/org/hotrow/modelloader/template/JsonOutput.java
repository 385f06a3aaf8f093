package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** JSON as Python's {@code json.dumps} writes it. All of it is untrusted text. */
final class JsonOutput {
    private final Rendering run;
    private final Layout layout;
    private final TextBuilder out;

    /**
     * How JSON is laid out.
     *
     * @param indent what each level is indented by on lines of its own; null for everything on one line
     */
    record Layout(
            boolean asciiOnly, @Nullable String indent, String itemSeparator, String keySeparator, boolean sortKeys) {}

    private JsonOutput(Rendering run, Layout layout) {
        this.run = run;
        this.layout = layout;
        this.out = new TextBuilder(run);
    }

    static TemplateText write(Rendering run, TemplateValue value, Layout layout) {
        JsonOutput json = new JsonOutput(run, layout);
        json.value(value, 0);
        return json.out.build();
    }

    private void value(TemplateValue value, int level) {
        run.charge(1);
        switch (value) {
            case TemplateText text -> string(text.chars());
            case DictValue dict -> container("{", "}", members(dict), level, entry -> member(entry, level + 1));
            case SequenceValue sequence -> container("[", "]", sequence.items(), level, item -> value(item, level + 1));
            case IntValue _, FloatValue _, BoolValue _, NoneValue _ -> out.append(scalar(value));
            default -> throw notJson(value);
        }
    }

    private TemplateException notJson(TemplateValue value) {
        if (value instanceof UndefinedValue undefined) {
            return run.runtime("no JSON for something undefined: " + undefined.problem());
        }
        return run.runtime("a value of type " + value.typeName() + " has no JSON");
    }

    private String scalar(TemplateValue value) {
        return switch (value) {
            case NoneValue _ -> "null";
            case BoolValue bool -> bool.isTrue() ? "true" : "false";
            case IntValue number -> run.integer(number.value()).value().toString();
            case FloatValue number -> {
                String text = FloatText.of(run, number.value());
                yield text.endsWith("inf") ? text.replace("inf", "Infinity") : text.equals("nan") ? "NaN" : text;
            }
            default -> throw notJson(value);
        };
    }

    private List<DictValue.Entry> members(DictValue dict) {
        List<DictValue.Entry> members = new ArrayList<>(dict.entries());
        if (layout.sortKeys()) {
            members.sort((a, b) -> Comparison.compare(run, a.key(), b.key()));
        }
        return members;
    }

    private void member(DictValue.Entry entry, int level) {
        string(entry.key() instanceof TemplateText text ? text.chars() : scalar(entry.key()));
        out.append(layout.keySeparator());
        value(entry.value(), level);
    }

    private <T> void container(String open, String close, List<T> items, int level, Consumer<T> write) {
        run.descend();
        String separator = open;
        for (T item : items) {
            out.append(separator);
            lineBreak(level + 1);
            write.accept(item);
            separator = layout.itemSeparator();
        }
        if (items.isEmpty()) {
            out.append(open);
        } else {
            lineBreak(level);
        }
        out.append(close);
        run.ascend();
    }

    private void lineBreak(int level) {
        String indent = layout.indent();
        if (indent != null) {
            out.append("\n");
            for (int i = 0; i < level; i++) {
                out.append(indent);
            }
        }
    }

    private void string(String chars) {
        out.append("\"");
        for (int at = 0; at < chars.length(); at++) {
            char c = chars.charAt(at);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\f' -> out.append("\\f");
                case '\b' -> out.append("\\b");
                default -> {
                    if (c < 0x20 || (layout.asciiOnly() && c > 0x7e)) {
                        out.append("\\u" + HexFormat.of().toHexDigits(c));
                    } else {
                        out.fill(c, 1);
                    }
                }
            }
        }
        out.append("\"");
    }
}
