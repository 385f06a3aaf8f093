package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@code split} and its kin. Pieces keep the marks of their characters. */
final class TextSplitting {
    private TextSplitting() {}

    static TemplateValue split(Rendering run, TemplateText text, BoundArguments arguments) {
        int most = most(arguments);
        if (arguments.findSome(0) == null) {
            return SequenceValue.list(words(run, text, most));
        }
        return SequenceValue.list(split(run, text, separator(run, arguments), most));
    }

    static TemplateValue splitFromEnd(Rendering run, TemplateText text, BoundArguments arguments) {
        int most = most(arguments);
        List<TemplateText> pieces = new ArrayList<>();
        if (arguments.findSome(0) == null) {
            pieces.addAll(wordsFromEnd(run, text, most));
            return SequenceValue.list(pieces);
        }
        TemplateText separator = separator(run, arguments);
        List<Integer> found = occurrencesFromEnd(run, text.chars(), separator.chars(), most);
        int end = text.length();
        for (int at : found) {
            pieces.add(text.slice(at + separator.length(), end));
            end = at;
        }
        pieces.add(text.slice(0, end));
        Collections.reverse(pieces);
        return SequenceValue.list(pieces);
    }

    static TemplateValue partition(Rendering run, TemplateText text, BoundArguments arguments) {
        TemplateText separator = separator(run, arguments);
        run.chargeChars(text.length());
        int at = new TextSearch(run, separator.chars()).find(text.chars(), 0);
        if (at < 0) {
            return SequenceValue.tuple(text, TemplateText.EMPTY, TemplateText.EMPTY);
        }
        return SequenceValue.tuple(text.slice(0, at), separator, text.slice(at + separator.length(), text.length()));
    }

    static TemplateValue partitionFromEnd(Rendering run, TemplateText text, BoundArguments arguments) {
        TemplateText separator = separator(run, arguments);
        int at = lastOccurrence(run, text.chars(), separator.chars());
        if (at < 0) {
            return SequenceValue.tuple(TemplateText.EMPTY, TemplateText.EMPTY, text);
        }
        return SequenceValue.tuple(text.slice(0, at), separator, text.slice(at + separator.length(), text.length()));
    }

    static TemplateValue splitLines(Rendering run, TemplateText text, BoundArguments arguments) {
        return SequenceValue.list(lines(run, text, arguments.isTrue(0, false)));
    }

    /** The lines of {@code text}, ended by what Unicode calls a line end; nothing follows the last end. */
    static List<TemplateText> lines(Rendering run, TemplateText text, boolean keepEnds) {
        run.chargeChars(text.length());
        List<TemplateText> lines = new ArrayList<>();
        String chars = text.chars();
        int start = 0;
        for (int at = 0; at < chars.length(); at++) {
            char c = chars.charAt(at);
            if (isLineEnd(c)) {
                int next = c == '\r' && chars.startsWith("\n", at + 1) ? at + 2 : at + 1;
                add(run, lines, text.slice(start, keepEnds ? next : at));
                start = next;
                at = next - 1;
            }
        }
        if (start < chars.length()) {
            add(run, lines, text.slice(start, chars.length()));
        }
        return lines;
    }

    private static boolean isLineEnd(char c) {
        return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static void add(Rendering run, List<TemplateText> pieces, TemplateText piece) {
        run.charge(1);
        pieces.add(piece);
    }

    private static int most(BoundArguments arguments) {
        int most = arguments.size(1, -1);
        return most < 0 ? Integer.MAX_VALUE : most;
    }

    private static TemplateText separator(Rendering run, BoundArguments arguments) {
        TemplateText separator = arguments.text(0);
        if (!separator.isTrue()) {
            throw run.runtime("an empty separator");
        }
        return separator;
    }

    private static List<TemplateText> split(Rendering run, TemplateText text, TemplateText separator, int most) {
        run.chargeChars(text.length());
        TextSearch search = new TextSearch(run, separator.chars());
        List<TemplateText> pieces = new ArrayList<>();
        int start = 0;
        int at = most == 0 ? -1 : search.find(text.chars(), 0);
        while (at >= 0) {
            add(run, pieces, text.slice(start, at));
            start = at + separator.length();
            at = pieces.size() == most ? -1 : search.find(text.chars(), start);
        }
        add(run, pieces, text.slice(start, text.length()));
        return pieces;
    }

    /** The offset of the last occurrence, or -1. */
    static int lastOccurrence(Rendering run, String text, String wanted) {
        List<Integer> found = occurrencesFromEnd(run, text, wanted, 1);
        return found.isEmpty() ? -1 : found.getFirst();
    }

    /** Offsets of the last occurrences that don't overlap, from the end, at most {@code most}. */
    private static List<Integer> occurrencesFromEnd(Rendering run, String text, String separator, int most) {
        run.chargeChars(text.length());
        String backwards = reversed(text);
        TextSearch search = new TextSearch(run, reversed(separator));
        List<Integer> offsets = new ArrayList<>();
        int at = most == 0 ? -1 : search.find(backwards, 0);
        while (at >= 0) {
            run.charge(1);
            offsets.add(text.length() - at - separator.length());
            at = offsets.size() == most ? -1 : search.find(backwards, at + separator.length());
        }
        return offsets;
    }

    /** The units of a Java string from the last to the first; surrogates are not kept in order. */
    private static String reversed(String chars) {
        char[] units = new char[chars.length()];
        for (int i = 0; i < units.length; i++) {
            units[i] = chars.charAt(units.length - 1 - i);
        }
        return new String(units);
    }

    /** The pieces between runs of white space; the last of {@code most + 1} keeps its own. */
    private static List<TemplateText> words(Rendering run, TemplateText text, int most) {
        run.chargeChars(text.length());
        String chars = text.chars();
        List<TemplateText> words = new ArrayList<>();
        int at = skip(chars, 0, true);
        while (at < chars.length()) {
            int end = words.size() == most ? chars.length() : skip(chars, at, false);
            add(run, words, text.slice(at, end));
            at = skip(chars, end, true);
        }
        return words;
    }

    private static int skip(String chars, int from, boolean space) {
        int at = from;
        while (at < chars.length() && CodePoints.isSpace(chars.charAt(at)) == space) {
            at++;
        }
        return at;
    }

    private static List<TemplateText> wordsFromEnd(Rendering run, TemplateText text, int most) {
        run.chargeChars(text.length());
        String chars = text.chars();
        List<TemplateText> words = new ArrayList<>();
        int end = skipBack(chars, chars.length(), true);
        while (end > 0) {
            int start = words.size() == most ? 0 : skipBack(chars, end, false);
            add(run, words, text.slice(start, end));
            end = skipBack(chars, start, true);
        }
        Collections.reverse(words);
        return words;
    }

    private static int skipBack(String chars, int from, boolean space) {
        int at = from;
        while (at > 0 && CodePoints.isSpace(chars.charAt(at - 1)) == space) {
            at--;
        }
        return at;
    }
}
