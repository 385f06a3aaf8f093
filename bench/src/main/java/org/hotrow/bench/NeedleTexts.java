package org.hotrow.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hotrow.modelloader.Tokenizer;

/**
 * Texts of prose with four secret numbers, one of which is asked for, for the demo model. A seed gives one text.
 *
 * <pre>
 * question, 300 tokens of prose, fact asked for, distance tokens of prose, question | answer
 * </pre>
 *
 * The other three facts stand between sentences anywhere in the prose, so finding the number takes telling names apart.
 */
final class NeedleTexts {
    private static final int BEFORE = 300;
    private static final int DIGITS = 4;
    private static final List<String> NAMES =
            List.of("Anna", "Lily", "Emma", "Lucy", "Ruth", "Alice", "Tom", "Ben", "Leo", "Oscar", "Theo", "Walter");

    private final Tokenizer tokenizer;
    private final List<String> sentences;

    /** @param prose text whose sentences fill the texts */
    NeedleTexts(Tokenizer tokenizer, String prose) {
        this.tokenizer = tokenizer;
        sentences = Arrays.stream(prose.split("(?<=[.;!?]) |\n+"))
                .filter(sentence -> sentence.length() > 30 && !sentence.contains("secret number"))
                .toList();
    }

    /** A text whose fact is about {@code distance} tokens before the question; it ends with the answer's last digit. */
    int[] text(int distance, long seed) {
        Random random = new Random(seed);
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        List<String> before = prose(BEFORE, random);
        List<String> after = prose(distance, random);
        for (String other : names.subList(1, DIGITS)) {
            List<String> place = random.nextInt(BEFORE + distance) < BEFORE ? before : after;
            place.add(random.nextInt(place.size() + 1), fact(other, random));
        }
        String asked = fact(names.getFirst(), random);
        return tokenizer.encode("[gMASK]<sop><|user|>\nRead this text and remember the facts.\n\n"
                + String.join(" ", before) + " " + asked + " " + String.join(" ", after)
                + "\n\nWhat is the secret number of " + names.getFirst() + "?<|assistant|>\n"
                + asked.substring(0, asked.length() - 1));
    }

    /** Whether the likeliest tokens after each token of a text are its own last four: the digits of the number. */
    static boolean found(int[] text, int[] likeliest) {
        int first = text.length - DIGITS;
        return Arrays.equals(text, first, text.length, likeliest, first - 1, text.length - 1);
    }

    private List<String> prose(int tokens, Random random) {
        List<String> prose = new ArrayList<>();
        for (int left = tokens; left > 0; ) {
            String sentence = sentences.get(random.nextInt(sentences.size()));
            prose.add(sentence);
            left -= tokenizer.encode(sentence).length;
        }
        return prose;
    }

    private static String fact(String name, Random random) {
        return "The secret number of " + name + " is " + random.nextInt(1000, 10_000) + ".";
    }
}
