package org.hotrow.modelloader;

import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Patterns by the grammar of {@link RegexSyntax}, and short texts of the characters that they speak of. */
final class RandomPattern {
    private static final String[] LITERALS = {
        "a",
        "b",
        "c",
        "'",
        " ",
        "1",
        "s",
        "K",
        "\u00E9",
        "\u4E2D",
        "\uD83D\uDE00",
        "\\n",
        "\\r",
        "\\.",
        "\\-",
        "\\\\",
        "\\[",
        "/"
    };
    private static final String[] SETS = {
        "\\s", "\\S", "\\d", "\\D", "\\p{L}", "\\p{N}", "\\P{L}", "\\p{M}", "\\p{Lu}", "\\p{Ll}", "\\p{P}", "\\p{S}",
        "\\p{Z}"
    };
    private static final String[] CASELESS = {"(?i:'s|'t)", "(?i:k)", "(?i:ab)", "(?i:'re|A)", "(?i:s)"};
    private static final String[] QUANTIFIERS = {
        "?", "*", "+", "??", "*?", "+?", "?+", "*+", "++", "{1,3}", "{2}", "{1,}", "{0,2}"
    };
    private static final String[] TEXTS = {
        "a",
        "b",
        "c",
        "aaa",
        "s",
        "S",
        "\u017F",
        "k",
        "K",
        "\u212A",
        "A",
        "\u0130",
        "'re",
        "'",
        " ",
        "  ",
        "\n",
        "\r",
        "\u0085",
        "\u00A0",
        "\u2028",
        "1",
        "23",
        "\uD835\uDFD8",
        "\u00E9",
        "e\u0301",
        "\u4E2D",
        "\uD83D\uDE00",
        ".",
        "-",
        "\\",
        "[",
        "/"
    };

    private final Random random;

    RandomPattern(long seed) {
        random = new Random(seed);
    }

    /** A pattern; not all of them pass the check, since groups may match nothing. */
    String next() {
        return alternatives(3);
    }

    String text() {
        return repeat(14, "", () -> pick(TEXTS));
    }

    private String alternatives(int depth) {
        return repeat(3, "|", () -> repeat(3, "", () -> item(depth)));
    }

    private String item(int depth) {
        String item = switch (random.nextInt(depth > 0 ? 8 : 4)) {
            case 0, 1 -> pick(LITERALS);
            case 2 -> pick(SETS);
            case 3 -> members();
            case 4 -> "(" + alternatives(depth - 1) + ")";
            case 5 -> "(?:" + alternatives(depth - 1) + ")";
            case 6 -> pick(CASELESS);
            default -> (random.nextBoolean() ? "(?=" : "(?!") + alternatives(depth - 1) + ")";
        };
        return random.nextInt(3) == 0 ? item + pick(QUANTIFIERS) : item;
    }

    private String members() {
        String members = repeat(3, "", () -> switch (random.nextInt(4)) {
            case 0 -> pick(SETS);
            case 1 -> "a-c";
            case 2 -> "0-9";
            default -> pick(LITERALS);
        });
        String dash = random.nextInt(8) == 0 ? "-" : "";
        return (random.nextInt(3) == 0 ? "[^" : "[") + members + dash + "]";
    }

    private String repeat(int atMost, String separator, Supplier<String> part) {
        return Stream.generate(part).limit(1 + random.nextInt(atMost)).collect(Collectors.joining(separator));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
