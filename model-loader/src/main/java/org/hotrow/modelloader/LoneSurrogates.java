package org.hotrow.modelloader;

/** Halves of surrogate pairs that stand alone in a Java string: no characters, so no UTF-8 either. */
final class LoneSurrogates {
    private static final char REPLACEMENT = '\uFFFD';

    private LoneSurrogates() {}

    /** Whether {@code text} has one. */
    static boolean in(String text) {
        return first(text, 0) < text.length();
    }

    /** The text with U+FFFD in the place of each of them. */
    static String replaced(String text) {
        int lone = first(text, 0);
        if (lone == text.length()) {
            return text;
        }
        StringBuilder repaired = new StringBuilder(text);
        for (; lone < text.length(); lone = first(text, lone + 1)) {
            repaired.setCharAt(lone, REPLACEMENT);
        }
        return repaired.toString();
    }

    /** The index of the first one at or after {@code from}; the length of the text if there is none. */
    private static int first(String text, int from) {
        int i = from;
        while (i < text.length()) {
            int codePoint = text.codePointAt(i);
            if (Character.getType(codePoint) == Character.SURROGATE) {
                return i;
            }
            i += Character.charCount(codePoint);
        }
        return i;
    }
}
