package org.hotrow.modelloader;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Text that looks for trouble: all scripts, marks, spaces, digits, emoji, controls, unassigned and private characters. */
final class RandomText {
    private static final int[] ASSIGNED = codePoints(c -> Character.getType(c) != Character.UNASSIGNED);
    private static final int[] LETTERS = codePoints(Character::isLetter);
    static final int[] MARKS = codePoints(c -> switch (Character.getType(c)) {
        case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
        default -> false;
    });
    private static final int[] NUMBERS = codePoints(c -> switch (Character.getType(c)) {
        case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
        default -> false;
    });
    private static final int[] SPACES =
            "\t\n\u000B\f\r\u001C\u001F \u0085\u00A0\u1680\u180E\u2000\u2003\u200A\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF"
                    .codePoints()
                    .toArray();
    private static final int[] EMOJI =
            "\uD83D\uDE00\uD83D\uDC69\u200D\uD83D\uDCBB\uD83C\uDFFD\uFE0F\u20E3\uD83C\uDDE9\uD83C\uDDEA\u2764#0"
                    .codePoints()
                    .toArray();
    private static final String[] ASCII = {
        "the",
        " The",
        "hello",
        " world",
        "It's",
        "it'\u017F",
        "they'D",
        "'ll",
        "'",
        "\"",
        " (",
        ");",
        "...",
        "!!",
        "//",
        "=",
        "x=1",
        "12",
        "345",
        "6789",
        "_",
        "<|",
        "|>",
        "<think>",
        "\r\n",
        "\n\n",
        "  ",
        "    ",
        " \n",
        "\t",
        "\u0000",
        "qzx",
        " qzx",
        "int",
        "return",
        "\u4F60\u597D",
        "\u4E16\u754C",
        "caf\u00E9",
        "e\u0301"
    };

    private final Random random;
    private final List<String> words;
    private final IntPredicate allowed;

    /**
     * @param words to be mixed in, such as the added tokens of a file
     * @param allowed leaves characters out
     */
    RandomText(long seed, List<String> words, IntPredicate allowed) {
        this.random = new Random(seed);
        this.words = words;
        this.allowed = allowed;
    }

    String next() {
        StringBuilder text = new StringBuilder();
        for (int items = random.nextInt(24); items > 0; items--) {
            String item = item();
            text.append(item.repeat(random.nextInt(8) == 0 ? 1 + random.nextInt(6) : 1));
        }
        String all = text.toString();
        return random.nextInt(8) == 0 ? filtered(Normalizer.normalize(all, Normalizer.Form.NFD)) : all;
    }

    private String item() {
        return filtered(
                switch (random.nextInt(10)) {
                    case 0 -> Character.toString(random.nextInt(0x110000));
                    case 1 -> pick(ASSIGNED);
                    case 2 -> pick(LETTERS) + pick(MARKS);
                    case 3 -> pick(LETTERS) + pick(LETTERS).toUpperCase(Locale.ROOT);
                    case 4 -> pick(SPACES);
                    case 5 -> pick(NUMBERS);
                    case 6 -> pick(EMOJI) + pick(EMOJI);
                    case 7 -> word();
                    default -> ASCII[random.nextInt(ASCII.length)];
                });
    }

    /** A word, whole or cut. */
    private String word() {
        if (words.isEmpty()) {
            return "";
        }
        String word = words.get(random.nextInt(words.size()));
        return switch (random.nextInt(4)) {
            case 0 -> word.substring(0, random.nextInt(word.length()));
            case 1 -> word.substring(random.nextInt(word.length()));
            default -> word;
        };
    }

    private String pick(int[] codePoints) {
        return Character.toString(codePoints[random.nextInt(codePoints.length)]);
    }

    /** Without surrogates, alone they are no text, and without what is not allowed. */
    private String filtered(String text) {
        return text.codePoints()
                .filter(c -> Character.getType(c) != Character.SURROGATE && allowed.test(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static int[] codePoints(IntPredicate kind) {
        return IntStream.range(0, 0x110000)
                .filter(c -> Character.getType(c) != Character.SURROGATE && kind.test(c))
                .toArray();
    }
}
