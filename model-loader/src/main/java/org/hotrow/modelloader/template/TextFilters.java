package org.hotrow.modelloader.template;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Filters that take anything as text and give text. */
final class TextFilters {
    static final Map<String, Builtin> ALL = Map.ofEntries(
            Map.entry("capitalize", cased(CaseMapping::capitalize)),
            Map.entry("center", Builtin.textFilter(TextFilters::center, 0, "width")),
            Map.entry("indent", Builtin.of(TextFilters::indent, 0, "width", "first", "blank")),
            Map.entry("lower", cased(CaseMapping::lower)),
            Map.entry("replace", Builtin.textFilter(TextFilters::replace, 2, "old", "new", "count")),
            Map.entry("title", cased(CaseMapping::titleWords)),
            Map.entry("trim", Builtin.textFilter(TextStripping::both, 0, "chars")),
            Map.entry("truncate", Builtin.of(TextFilters::truncate, 0, "length", "killwords", "end", "leeway")),
            Map.entry("upper", cased(CaseMapping::upper)));

    private TextFilters() {}

    private static Builtin cased(UnaryOperator<String> mapping) {
        return Builtin.textFilter((run, text, _) -> CaseMapping.apply(run, text, mapping), 0);
    }

    private static TemplateValue center(Rendering run, TemplateText text, BoundArguments arguments) {
        return TextPadding.center(run, text, arguments.integer(0, 80), ' ');
    }

    private static TemplateValue replace(Rendering run, TemplateText text, BoundArguments arguments) {
        TemplateText old = Printing.text(run, arguments.get(0));
        TemplateText replacement = Printing.text(run, arguments.get(1));
        int count = arguments.findSome(2) == null ? -1 : arguments.size(2, -1);
        return TextMethods.replace(run, text, old, replacement, count);
    }

    private static TemplateValue indent(Rendering run, TemplateValue value, BoundArguments arguments) {
        if (value instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (!(value instanceof TemplateText text)) {
            throw run.runtime("indent needs text, not a value of type " + value.typeName());
        }
        TextBuilder spaces = new TextBuilder(run);
        if (arguments.find(0) instanceof TemplateText given) {
            spaces.append(given);
        } else {
            spaces.fill(' ', run.repetitions(1, arguments.integer(0, 4)));
        }
        TemplateText indent = spaces.build();
        boolean first = arguments.isTrue(1, false);
        boolean blank = arguments.isTrue(2, false);
        TextBuilder out = new TextBuilder(run);
        // Of the empty lines at the end the last one does not count, as in Python's splitlines.
        List<TemplateText> lines = TextSplitting.lines(
                run, new TextBuilder(run).append(text).append("\n").build(), false);
        for (int i = 0; i < lines.size(); i++) {
            TemplateText line = lines.get(i);
            if (i > 0) {
                out.append("\n");
            }
            if (i == 0 ? first : blank || line.isTrue()) {
                out.append(indent);
            }
            out.append(line);
        }
        return out.build();
    }

    private static TemplateValue truncate(Rendering run, TemplateValue value, BoundArguments arguments) {
        if (!(value instanceof TemplateText text)) {
            throw run.runtime("truncate needs text, not a value of type " + value.typeName());
        }
        TemplateText end = arguments.find(2) == null ? TemplateText.untrusted("...") : arguments.text(2);
        long length = arguments.size(0, 255);
        long leeway = arguments.findSome(3) == null ? 5 : arguments.size(3, 5);
        int endLength = CodePoints.count(end.chars());
        if (length < endLength || leeway < 0) {
            throw run.runtime("truncate to less than nothing");
        }
        run.chargeChars(text.length());
        if (CodePoints.count(text.chars()) <= length + leeway) {
            return text;
        }
        TemplateText kept = text.slice(0, text.chars().offsetByCodePoints(0, (int) length - endLength));
        int lastSpace = kept.chars().lastIndexOf(' ');
        if (!arguments.isTrue(1, false) && lastSpace >= 0) {
            kept = kept.slice(0, lastSpace);
        }
        return new TextBuilder(run).append(kept).append(end).build();
    }
}
