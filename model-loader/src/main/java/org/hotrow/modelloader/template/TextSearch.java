package org.hotrow.modelloader.template;

/**
 * Finds a text in others in time linear in their lengths, whatever they are: short ones by the JDK's search, longer ones
 * by Knuth, Morris and Pratt. Offsets are those of Java strings.
 */
final class TextSearch {
    private static final int SHORT = 16;

    private final String wanted;
    /** For each prefix of {@code wanted}, the length of its longest proper prefix that is also its end. */
    private final int[] borders;

    TextSearch(Rendering run, String wanted) {
        run.chargeChars(wanted.length());
        this.wanted = wanted;
        this.borders = wanted.length() <= SHORT ? new int[0] : borders(wanted);
    }

    private static int[] borders(String wanted) {
        int[] borders = new int[wanted.length()];
        int matched = 0;
        for (int i = 1; i < wanted.length(); i++) {
            while (matched > 0 && wanted.charAt(i) != wanted.charAt(matched)) {
                matched = borders[matched - 1];
            }
            if (wanted.charAt(i) == wanted.charAt(matched)) {
                matched++;
            }
            borders[i] = matched;
        }
        return borders;
    }

    int length() {
        return wanted.length();
    }

    /** The offset of the first occurrence that begins at {@code from} or later, or -1. */
    int find(String text, int from) {
        if (borders.length == 0) {
            return text.indexOf(wanted, from);
        }
        int matched = 0;
        for (int i = from; i < text.length(); i++) {
            while (matched > 0 && text.charAt(i) != wanted.charAt(matched)) {
                matched = borders[matched - 1];
            }
            if (text.charAt(i) == wanted.charAt(matched)) {
                matched++;
            }
            if (matched == wanted.length()) {
                return i - matched + 1;
            }
        }
        return -1;
    }
}
