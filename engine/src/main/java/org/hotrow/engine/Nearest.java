package org.hotrow.engine;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The word that somebody meant who wrote another one: the fewest letters to add, drop, replace or swap. */
public final class Nearest {
    private static final int FAR = 3;

    private Nearest() {}

    /** The nearest of {@code words}, the first among equals, if any is near. */
    public static Optional<String> of(String written, List<String> words) {
        return words.stream()
                .filter(word -> distance(written, word) < Math.min(FAR, Math.max(2, word.length() - 1))
                        || (written.length() > 1 && word.startsWith(written)))
                .min(Comparator.comparingInt(word -> distance(written, word)));
    }

    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : least(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int least(int[][] d, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, d[i - 2][j - 2] + 1) : least;
    }
}
