package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;

/** Values as text: what {@code str()} and {@code repr()} of Python give. */
final class Printing {
    private Printing() {}

    /** The text that printing {@code value} gives. Only text keeps its marks; all else is untrusted. */
    static TemplateText text(Rendering run, TemplateValue value) {
        return switch (value) {
            case TemplateText text -> text;
            case UndefinedValue _ -> TemplateText.EMPTY;
            default -> {
                TextBuilder out = new TextBuilder(run);
                represent(run, value, out);
                yield out.build();
            }
        };
    }

    /** Appends what {@code repr()} gives for {@code value}. */
    static void represent(Rendering run, TemplateValue value, TextBuilder out) {
        run.charge(1);
        switch (value) {
            case TemplateText text -> {
                if (text.isEscaped()) {
                    throw run.runtime("escaped text within a list or mapping can't be printed");
                }
                quote(text.chars(), out);
            }
            case IntValue number ->
                out.append(run.integer(number.value()).value().toString());
            case FloatValue number -> out.append(FloatText.of(run, number.value()));
            case BoolValue bool -> out.append(bool.isTrue() ? "True" : "False");
            case NoneValue _ -> out.append("None");
            case UndefinedValue _ -> out.append("Undefined");
            case SequenceValue sequence -> sequence(run, sequence, out);
            case DictValue dict -> dict(run, dict, out);
            case DictView view -> {
                out.append(view.typeName()).append("([");
                items(run, view.toList(), out);
                out.append("])");
            }
            case RangeValue range -> {
                String step = range.step().equals(BigInteger.ONE) ? "" : ", " + range.step();
                out.append("range(" + range.start() + ", " + range.stop() + step + ")");
            }
            case IteratorValue _, NamespaceValue _, LoopValue _, CallableValue _ ->
                throw run.runtime("a value of type " + value.typeName() + " can't be printed"
                        + (value instanceof IteratorValue ? "; make it a list" : ""));
        }
    }

    private static void sequence(Rendering run, SequenceValue sequence, TextBuilder out) {
        out.append(sequence.isList() ? "[" : "(");
        items(run, sequence.items(), out);
        boolean lone = !sequence.isList() && sequence.items().size() == 1;
        out.append(sequence.isList() ? "]" : lone ? ",)" : ")");
    }

    private static void items(Rendering run, List<TemplateValue> items, TextBuilder out) {
        run.descend();
        String separator = "";
        for (TemplateValue item : items) {
            out.append(separator);
            represent(run, item, out);
            separator = ", ";
        }
        run.ascend();
    }

    private static void dict(Rendering run, DictValue dict, TextBuilder out) {
        run.descend();
        String separator = "{";
        for (DictValue.Entry entry : dict.entries()) {
            out.append(separator);
            represent(run, entry.key(), out);
            out.append(": ");
            represent(run, entry.value(), out);
            separator = ", ";
        }
        out.append(dict.size() == 0 ? "{}" : "}");
        run.ascend();
    }

    private static void quote(String chars, TextBuilder out) {
        String quote = chars.indexOf('\'') >= 0 && chars.indexOf('"') < 0 ? "\"" : "'";
        out.append(quote);
        for (int at = 0; at < chars.length(); ) {
            int c = chars.codePointAt(at);
            at += Character.charCount(c);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c == quote.charAt(0)) {
                        out.append("\\").append(quote);
                    } else if (isPrintable(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append(escape(c));
                    }
                }
            }
        }
        out.append(quote);
    }

    private static String escape(int c) {
        HexFormat hex = HexFormat.of();
        return c < 0x100
                ? "\\x" + hex.toHexDigits((byte) c)
                : c < 0x10000 ? "\\u" + hex.toHexDigits((char) c) : "\\U" + hex.toHexDigits(c);
    }

    private static boolean isPrintable(int c) {
        return c == ' '
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }
}
