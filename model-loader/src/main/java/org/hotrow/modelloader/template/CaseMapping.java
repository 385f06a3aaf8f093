package org.hotrow.modelloader.template;

import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** Upper, lower and title case as Python has them, by the full mappings of Unicode. */
final class CaseMapping {
    private CaseMapping() {}

    /** {@code text} with other letters; see {@link TemplateText#replacedBy} for their marks. */
    static TemplateText apply(Rendering run, TemplateText text, UnaryOperator<String> mapping) {
        run.reserveChars(text.length());
        return text.replacedBy(mapping.apply(text.chars()));
    }

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** The first character as in a title, all others lower. */
    static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int end = Character.charCount(text.codePointAt(0));
        // The whole text is lowered at once, as a final sigma depends on what stands before it.
        String lower = lower(text);
        String lowerFirst = lower(text.substring(0, end));
        return title(text.codePointAt(0)) + lower.substring(lowerFirst.length());
    }

    /** As {@code str.title()}: a letter that follows none begins a word. */
    static String title(String text) {
        StringBuilder title = new StringBuilder(text.length());
        int wordStart = -1;
        for (int at = 0; at <= text.length(); ) {
            int c = at < text.length() ? text.codePointAt(at) : ' ';
            boolean letter = isCased(c);
            if (letter && wordStart < 0) {
                wordStart = at;
            } else if (!letter) {
                if (wordStart >= 0) {
                    title.append(capitalize(text.substring(wordStart, at)));
                    wordStart = -1;
                }
                if (at < text.length()) {
                    title.appendCodePoint(c);
                }
            }
            at += Character.charCount(c);
        }
        return title.toString();
    }

    /** As the filter {@code title}: a word follows white space or an opening bracket or a hyphen. */
    static String titleWords(String text) {
        StringBuilder title = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int from = at;
            boolean between = isBetweenWords(text.charAt(at));
            while (at < text.length() && isBetweenWords(text.charAt(at)) == between) {
                at++;
            }
            if (between) {
                title.append(text, from, at);
            } else {
                int first = from + Character.charCount(text.codePointAt(from));
                title.append(upper(text.substring(from, first))).append(lower(text.substring(first, at)));
            }
        }
        return title.toString();
    }

    private static boolean isBetweenWords(char c) {
        return c == '-' || c == '(' || c == '{' || c == '[' || c == '<' || CodePoints.isSpace(c);
    }

    static String swapCase(String text) {
        StringBuilder swapped = new StringBuilder(text.length());
        // The whole text is lowered at once, as a final sigma depends on what stands before it.
        String lower = lower(text);
        int lowerAt = 0;
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            String character = Character.toString(c);
            int lowerEnd = lowerAt + lower(character).length();
            if (Character.isUpperCase(c)) {
                swapped.append(lower, lowerAt, lowerEnd);
            } else {
                swapped.append(Character.isLowerCase(c) ? upper(character) : character);
            }
            at += character.length();
            lowerAt = lowerEnd;
        }
        return swapped.toString();
    }

    /** Lower case that makes more spellings one: {@code ß} is {@code ss}. */
    static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        text.codePoints().forEach(c -> folded.append(lower(upper(Character.toString(c)))));
        return folded.toString();
    }

    /** Whether {@code text} has a letter with case and all such letters are of {@code wanted}. */
    static boolean isAll(String text, IntPredicate wanted) {
        return text.codePoints().anyMatch(CaseMapping::isCased)
                && text.codePoints().filter(CaseMapping::isCased).allMatch(wanted);
    }

    private static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    private static String title(int c) {
        int simple = Character.toTitleCase(c);
        String upper = upper(Character.toString(c));
        boolean expands = upper.length() > Character.charCount(c);
        if (simple != c || !expands) {
            return Character.toString(simple);
        }
        int first = Character.charCount(upper.codePointAt(0));
        return upper.substring(0, first) + lower(upper.substring(first));
    }
}
