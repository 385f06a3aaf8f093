package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The methods of text. */
final class TextMethods {
    static final Map<String, Builtin> ALL = Map.ofEntries(
            Map.entry("capitalize", cased(CaseMapping::capitalize)),
            Map.entry("casefold", cased(CaseMapping::fold)),
            Map.entry("center", padded(TextPadding::center)),
            Map.entry("count", Builtin.textMethod(TextPlaces::count, 1, "sub", "start", "end")),
            Map.entry("endswith", Builtin.textMethod(TextPlaces::endsWith, 1, "suffix", "start", "end")),
            Map.entry("expandtabs", Builtin.textFilter(TextMethods::expandTabs, 0, "tabsize")),
            Map.entry("find", Builtin.textMethod(TextPlaces::find, 1, "sub", "start", "end")),
            Map.entry("index", Builtin.textMethod(TextPlaces::index, 1, "sub", "start", "end")),
            Map.entry("isalnum", Builtin.textMethod(CharacterKinds::isAlphanumeric, 0)),
            Map.entry("isalpha", Builtin.textMethod(CharacterKinds::isAlphabetic, 0)),
            Map.entry("isdigit", Builtin.textMethod(CharacterKinds::isDigit, 0)),
            Map.entry("islower", Builtin.textMethod(CharacterKinds::isLower, 0)),
            Map.entry("isspace", Builtin.textMethod(CharacterKinds::isSpace, 0)),
            Map.entry("isupper", Builtin.textMethod(CharacterKinds::isUpper, 0)),
            Map.entry("join", Builtin.textMethod(TextMethods::join, 1, "iterable")),
            Map.entry("ljust", padded(TextPadding::left)),
            Map.entry("lower", cased(CaseMapping::lower)),
            Map.entry("lstrip", Builtin.textMethod(TextStripping::start, 0, "chars")),
            Map.entry("partition", Builtin.textMethod(TextSplitting::partition, 1, "sep")),
            Map.entry("removeprefix", Builtin.textMethod(TextStripping::removePrefix, 1, "prefix")),
            Map.entry("removesuffix", Builtin.textMethod(TextStripping::removeSuffix, 1, "suffix")),
            Map.entry("replace", Builtin.textMethod(TextMethods::replace, 2, "old", "new", "count")),
            Map.entry("rfind", Builtin.textMethod(TextPlaces::findLast, 1, "sub", "start", "end")),
            Map.entry("rindex", Builtin.textMethod(TextPlaces::indexLast, 1, "sub", "start", "end")),
            Map.entry("rjust", padded(TextPadding::right)),
            Map.entry("rpartition", Builtin.textMethod(TextSplitting::partitionFromEnd, 1, "sep")),
            Map.entry("rsplit", Builtin.textFilter(TextSplitting::splitFromEnd, 0, "sep", "maxsplit")),
            Map.entry("rstrip", Builtin.textMethod(TextStripping::end, 0, "chars")),
            Map.entry("split", Builtin.textFilter(TextSplitting::split, 0, "sep", "maxsplit")),
            Map.entry("splitlines", Builtin.textFilter(TextSplitting::splitLines, 0, "keepends")),
            Map.entry("startswith", Builtin.textMethod(TextPlaces::startsWith, 1, "prefix", "start", "end")),
            Map.entry("strip", Builtin.textMethod(TextStripping::both, 0, "chars")),
            Map.entry("swapcase", cased(CaseMapping::swapCase)),
            Map.entry("title", cased(CaseMapping::title)),
            Map.entry("upper", cased(CaseMapping::upper)),
            Map.entry(
                    "zfill",
                    Builtin.textMethod(
                            (run, text, arguments) -> TextPadding.zeros(run, text, arguments.integer(0, 0)),
                            1,
                            "width")));

    private interface Padding {
        TemplateText pad(Rendering run, TemplateText text, BigInteger width, int fill);
    }

    private TextMethods() {}

    private static Builtin cased(UnaryOperator<String> mapping) {
        return Builtin.textMethod((run, text, _) -> CaseMapping.apply(run, text, mapping), 0);
    }

    private static Builtin padded(Padding padding) {
        return Builtin.textMethod(
                (run, text, arguments) -> {
                    String fill =
                            arguments.find(1) == null ? " " : arguments.text(1).chars();
                    if (CodePoints.count(fill) != 1) {
                        throw run.runtime("a filling must be one character");
                    }
                    return padding.pad(run, text, arguments.integer(0, 0), fill.codePointAt(0));
                },
                1,
                "width",
                "fillchar");
    }

    private static TemplateValue join(Rendering run, TemplateText separator, BoundArguments arguments) {
        TextBuilder joined = new TextBuilder(run);
        boolean first = true;
        for (TemplateValue item : Iteration.items(run, arguments.get(0))) {
            if (!(item instanceof TemplateText text)) {
                throw run.runtime("join needs text, not a value of type " + item.typeName());
            }
            if (!first) {
                joined.append(separator);
            }
            joined.append(text);
            first = false;
        }
        return joined.build();
    }

    private static TemplateValue replace(Rendering run, TemplateText text, BoundArguments arguments) {
        return replace(run, text, arguments.text(0), arguments.text(1), arguments.size(2, -1));
    }

    /** {@code text} with {@code old} replaced, at most {@code count} times unless that is negative. */
    static TemplateText replace(
            Rendering run, TemplateText text, TemplateText old, TemplateText replacement, int count) {
        run.chargeChars(text.length());
        int most = count < 0 ? Integer.MAX_VALUE : count;
        if (!old.isTrue()) {
            return interleave(run, text, replacement, most);
        }
        TextSearch search = new TextSearch(run, old.chars());
        TextBuilder replaced = new TextBuilder(run);
        int start = 0;
        int done = 0;
        int at = most == 0 ? -1 : search.find(text.chars(), 0);
        while (at >= 0) {
            replaced.append(text, start, at).append(replacement);
            start = at + old.length();
            done++;
            at = done == most ? -1 : search.find(text.chars(), start);
        }
        return replaced.append(text, start, text.length()).build();
    }

    /** What replacing nothing does: the replacement comes before every character and at the end. */
    private static TemplateText interleave(Rendering run, TemplateText text, TemplateText inserted, int most) {
        TextBuilder out = new TextBuilder(run);
        int done = 0;
        for (TemplateText character : CodePoints.list(run, text)) {
            if (done < most) {
                out.append(inserted);
                done++;
            }
            out.append(character);
        }
        return (done < most ? out.append(inserted) : out).build();
    }

    private static TemplateValue expandTabs(Rendering run, TemplateText text, BoundArguments arguments) {
        int size = run.repetitions(1, arguments.integer(0, 8));
        TextBuilder expanded = new TextBuilder(run);
        int column = 0;
        List<TemplateText> characters = CodePoints.list(run, text);
        for (TemplateText character : characters) {
            switch (character.chars()) {
                case "\t" -> {
                    int width = size == 0 ? 0 : size - column % size;
                    expanded.fill(' ', width);
                    column += width;
                }
                case "\n", "\r" -> {
                    expanded.append(character);
                    column = 0;
                }
                default -> {
                    expanded.append(character);
                    column++;
                }
            }
        }
        return expanded.build();
    }
}
