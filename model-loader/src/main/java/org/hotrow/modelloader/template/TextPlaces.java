package org.hotrow.modelloader.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code find}, {@code count}, {@code startswith} and their kin: where in a text, or between two places of it. */
final class TextPlaces {
    /** The part of a text that is searched; offsets are those of Java strings. */
    private record Part(String chars, int from, int to, boolean exists) {
        String text() {
            return chars.substring(from, to);
        }
    }

    private TextPlaces() {}

    static TemplateValue find(Rendering run, TemplateText text, BoundArguments arguments) {
        return IntValue.of(place(run, text, arguments, false));
    }

    static TemplateValue findLast(Rendering run, TemplateText text, BoundArguments arguments) {
        return IntValue.of(place(run, text, arguments, true));
    }

    static TemplateValue index(Rendering run, TemplateText text, BoundArguments arguments) {
        return IntValue.of(found(run, place(run, text, arguments, false)));
    }

    static TemplateValue indexLast(Rendering run, TemplateText text, BoundArguments arguments) {
        return IntValue.of(found(run, place(run, text, arguments, true)));
    }

    private static int found(Rendering run, int place) {
        if (place < 0) {
            throw run.runtime("a text that is not in the text");
        }
        return place;
    }

    private static int place(Rendering run, TemplateText text, BoundArguments arguments, boolean last) {
        String wanted = arguments.text(0).chars();
        Part part = part(run, text, arguments);
        if (!part.exists()) {
            return -1;
        }
        int at = last
                ? TextSplitting.lastOccurrence(run, part.text(), wanted)
                : new TextSearch(run, wanted).find(part.text(), 0);
        return at < 0 ? -1 : part.chars().codePointCount(0, part.from() + at);
    }

    static TemplateValue count(Rendering run, TemplateText text, BoundArguments arguments) {
        String wanted = arguments.text(0).chars();
        Part part = part(run, text, arguments);
        if (!part.exists()) {
            return IntValue.of(0);
        }
        String chars = part.text();
        if (wanted.isEmpty()) {
            return IntValue.of(CodePoints.count(chars) + 1L);
        }
        TextSearch search = new TextSearch(run, wanted);
        int count = 0;
        for (int at = search.find(chars, 0); at >= 0; at = search.find(chars, at + wanted.length())) {
            count++;
        }
        return IntValue.of(count);
    }

    static TemplateValue startsWith(Rendering run, TemplateText text, BoundArguments arguments) {
        Part part = part(run, text, arguments);
        return BoolValue.of(part.exists() && affixes(run, arguments).stream().anyMatch(part.text()::startsWith));
    }

    static TemplateValue endsWith(Rendering run, TemplateText text, BoundArguments arguments) {
        Part part = part(run, text, arguments);
        return BoolValue.of(part.exists() && affixes(run, arguments).stream().anyMatch(part.text()::endsWith));
    }

    /** The one text or the tuple of texts that is asked for. */
    private static List<String> affixes(Rendering run, BoundArguments arguments) {
        if (arguments.get(0) instanceof SequenceValue tuple && !tuple.isList()) {
            run.charge(tuple.items().size());
            return tuple.items().stream()
                    .map(item -> {
                        if (item instanceof TemplateText text) {
                            run.chargeChars(text.length());
                            return text.chars();
                        }
                        throw arguments.wrong(0, "a tuple of texts");
                    })
                    .toList();
        }
        String affix = arguments.text(0).chars();
        run.chargeChars(affix.length());
        return List.of(affix);
    }

    /** The part between the arguments {@code start} and {@code end}, which count from the end if negative. */
    private static Part part(Rendering run, TemplateText text, BoundArguments arguments) {
        run.chargeChars(text.length());
        String chars = text.chars();
        if (arguments.findSome(1) == null && arguments.findSome(2) == null) {
            return new Part(chars, 0, chars.length(), true);
        }
        int count = CodePoints.count(chars);
        int from = bound(arguments, 1, count, 0);
        int to = Math.min(bound(arguments, 2, count, count), count);
        if (from > to) {
            return new Part(chars, 0, 0, false);
        }
        int start = chars.offsetByCodePoints(0, from);
        return new Part(chars, start, chars.offsetByCodePoints(start, to - from), true);
    }

    private static int bound(BoundArguments arguments, int index, int count, int missing) {
        @Nullable TemplateValue given = arguments.findSome(index);
        if (given == null) {
            return missing;
        }
        int place = arguments.size(index, missing);
        return place < 0 ? (int) Math.max(0L, (long) place + count) : place;
    }
}
