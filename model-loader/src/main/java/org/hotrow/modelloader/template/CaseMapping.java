package org.hotrow.modelloader.template;

import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** Upper, lower and title case as Python has them, by the full mappings of Unicode. */
final class CaseMapping {
    /** What it costs to look at single characters, beyond what copying them does. */
    private static final long EXTRA_COST = 4;

    /** Punctuation that may stand within a word. */
    private static final String WITHIN_WORDS =
            "'.:·\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a";

    private CaseMapping() {}

    /** {@code text} with other letters; see {@link TemplateText#replacedBy} for their marks. */
    static TemplateText apply(Rendering run, TemplateText text, UnaryOperator<String> mapping) {
        run.reserveChars(text.length());
        run.chargeChars(EXTRA_COST * text.length());
        return text.replacedBy(mapping.apply(text.chars()));
    }

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    /** Letter by letter, except that a large sigma at the end of a word becomes the final small one. */
    static String lower(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        int done = 0;
        for (int sigma = text.indexOf('Σ'); sigma >= 0; sigma = text.indexOf('Σ', done)) {
            lower.append(text.substring(done, sigma).toLowerCase(Locale.ROOT));
            lower.append(endsWord(text, sigma) ? 'ς' : 'σ');
            done = sigma + 1;
        }
        return lower.append(text.substring(done).toLowerCase(Locale.ROOT)).toString();
    }

    private static boolean endsWord(String text, int at) {
        int before = at;
        while (before > 0 && isIgnored(text.codePointBefore(before))) {
            before -= Character.charCount(text.codePointBefore(before));
        }
        int after = at + 1;
        while (after < text.length() && isIgnored(text.codePointAt(after))) {
            after += Character.charCount(text.codePointAt(after));
        }
        return before > 0
                && isCased(text.codePointBefore(before))
                && !(after < text.length() && isCased(text.codePointAt(after)));
    }

    /** Whether a character plays no part in where words end. */
    private static boolean isIgnored(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.FORMAT,
                    Character.MODIFIER_LETTER,
                    Character.MODIFIER_SYMBOL -> true;
            default -> WITHIN_WORDS.indexOf(c) >= 0;
        };
    }

    private static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    /** A character in its text. */
    private interface CharacterMapping {
        /**
         * What becomes of it.
         *
         * @param previous the character before it, or -1
         * @param lower it in lower case, which depends on the text around it
         */
        String map(int previous, int c, String lower);
    }

    private static String map(String text, CharacterMapping mapping) {
        StringBuilder mapped = new StringBuilder(text.length());
        String lower = lower(text);
        int lowerAt = 0;
        int previous = -1;
        for (int at = 0; at < text.length(); at += Character.charCount(previous)) {
            int c = text.codePointAt(at);
            int lowerEnd = lowerAt + lower(Character.toString(c)).length();
            mapped.append(mapping.map(previous, c, lower.substring(lowerAt, lowerEnd)));
            lowerAt = lowerEnd;
            previous = c;
        }
        return mapped.toString();
    }

    /** The first character as in a title, all others lower. */
    static String capitalize(String text) {
        return map(text, (previous, c, lower) -> previous < 0 ? title(c) : lower);
    }

    /** As {@code str.title()}: a letter that follows none begins a word. */
    static String title(String text) {
        return map(text, (previous, c, lower) -> isCased(previous) ? lower : title(c));
    }

    static String swapCase(String text) {
        return map(text, (_, c, lower) -> {
            if (Character.isUpperCase(c)) {
                return lower;
            }
            return Character.isLowerCase(c) ? upper(Character.toString(c)) : Character.toString(c);
        });
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

    /** Lower case that makes more spellings one: {@code ß} is {@code ss}. */
    static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        text.codePoints().forEach(c -> folded.append(fold(c)));
        return folded.toString();
    }

    private static String fold(int c) {
        String character = Character.toString(c);
        if (c == 'ı') {
            return character;
        }
        boolean cherokee = Character.UnicodeScript.of(c) == Character.UnicodeScript.CHEROKEE;
        return cherokee ? upper(character) : lower(upper(lower(character)));
    }

    /** Whether {@code text} has a letter with case and all such letters are of {@code wanted}. */
    static boolean isAll(String text, IntPredicate wanted) {
        return text.codePoints().anyMatch(CaseMapping::isCased)
                && text.codePoints().filter(CaseMapping::isCased).allMatch(wanted);
    }

    private static String title(int c) {
        int simple = Character.toTitleCase(c);
        String upper = upper(Character.toString(c));
        boolean expands = upper.length() > Character.charCount(c);
        if (simple != c || !expands || Character.isTitleCase(c)) {
            return Character.toString(simple);
        }
        // One character becomes several: the first of them is large, except for the n of an n with apostrophe, and a
        // small iota stands below the letter.
        int first = Character.charCount(upper.codePointAt(0));
        String rest = c == 'ŉ' ? "N" : lower(upper.substring(first)).replace('ι', '\u0345');
        return upper.substring(0, first) + rest;
    }
}
