package org.hotrow.modelloader;

import java.text.Normalizer;
import java.util.BitSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Where NFC of JDK 25 (Unicode 16) and of the tokenizers library 0.21 to 0.23 (Unicode 9) differ: characters assigned
 * since then. A mark among them is sorted and composed as a mark by the JDK only; a composite is taken apart and put
 * together by the JDK only.
 */
final class NfcDifferences {
    private static final Pattern RANGE = Pattern.compile("([0-9A-F]+)(?:-([0-9A-F]+))?");

    static final BitSet MARKS =
            ranges("7FD 897-89F 8CA-8D3 9FE C3C D3B-D3C EBA 1715 1ABF-1ACE 1DF6-1DFA A82C 10D24-10D27"
                    + " 10D69-10D6D 10EAB-10EAC 10EFD-10EFF 10F46-10F50 10F82-10F85 11070 1133B 113CE-113D0 1145E 11839-1183A"
                    + " 1193D-1193E 11943 119E0 11A34 11A47 11A99 11D42 11D44-11D45 11D97 11F41-11F42 1612F 16FF0-16FF1 1E08F"
                    + " 1E130-1E136 1E2AE 1E2EC-1E2EF 1E4EC-1E4EF 1E5EE-1E5EF");
    static final BitSet COMPOSITES =
            ranges("105C9 105E4 11383 11385 1138E 11391 113C5 113C7-113C8 11938 16121-16128 16D68-16D6A");

    private static final BitSet ALL = new BitSet();

    static {
        ALL.or(MARKS);
        COMPOSITES.stream().forEach(composite -> {
            ALL.set(composite);
            Normalizer.normalize(Character.toString(composite), Normalizer.Form.NFD)
                    .codePoints()
                    .filter(part -> part >= 0x10000)
                    .forEach(ALL::set);
        });
    }

    private NfcDifferences() {}

    /** Whether the two may differ on text with this character. */
    static boolean concerns(int codePoint) {
        return ALL.get(codePoint);
    }

    private static BitSet ranges(String text) {
        BitSet set = new BitSet();
        for (MatchResult range : RANGE.matcher(text).results().toList()) {
            String last = range.group(2) == null ? range.group(1) : range.group(2);
            set.set(Integer.parseInt(range.group(1), 16), Integer.parseInt(last, 16) + 1);
        }
        return set;
    }
}
