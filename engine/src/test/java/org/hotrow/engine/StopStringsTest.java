package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StopStringsTest {
    private static String run(List<String> stops, String... pieces) {
        StopStrings stop = new StopStrings(stops);
        StringBuilder text = new StringBuilder();
        for (String piece : pieces) {
            text.append(stop.push(piece));
        }
        return text.append(stop.finish()).append(stop.hit() ? "|" : "").toString();
    }

    @Test
    void endAtTheFirstStopAlsoAcrossPieces() {
        assertThat(run(List.of(), "a", "b")).isEqualTo("ab");
        assertThat(run(List.of("END"), "go E", "N", "D on")).isEqualTo("go |");
        assertThat(run(List.of("END"), "go E", "N", "Z on")).isEqualTo("go ENZ on");
        assertThat(run(List.of("END"), "go E", "N")).isEqualTo("go EN");
        assertThat(run(List.of("aab"), "aa", "aab")).isEqualTo("aa|");
        assertThat(run(List.of("x", "yx"), "ay", "x")).isEqualTo("a|");
        assertThat(run(List.of("abcd", "bc"), "a", "b", "c")).isEqualTo("a|");
        assertThat(run(List.of("\n\n"), "one\n", "\ntwo")).isEqualTo("one|");
    }

    @Test
    void holdBackOnlyWhatMayBeABeginning() {
        StopStrings stop = new StopStrings(List.of("END"));
        assertThat(stop.push("the E")).isEqualTo("the ");
        assertThat(stop.push("E")).isEqualTo("E");
        assertThat(stop.push("xt")).isEqualTo("Ext");
        assertThat(stop.push("END")).isEmpty();
        assertThat(stop.push("more")).isEmpty();
        assertThat(stop.hit()).isTrue();
    }

    /** However a text is cut into pieces, the result is the text up to the first stop string that is complete. */
    @Test
    void doNotDependOnThePieces() {
        Random random = new Random(1);
        for (int round = 0; round < 5000; round++) {
            List<String> stops = random.ints(1 + random.nextInt(3), 1, 4)
                    .mapToObj(length -> letters(random, length))
                    .toList();
            String text = letters(random, 12);
            int end = -1;
            for (int length = 1; length <= text.length() && end < 0; length++) {
                String part = text.substring(0, length);
                end = stops.stream()
                        .mapToInt(part::indexOf)
                        .filter(at -> at >= 0)
                        .min()
                        .orElse(-1);
            }
            String expected = end < 0 ? text : text.substring(0, end) + "|";
            assertThat(run(stops, text.split(""))).as("%s in %s", stops, text).isEqualTo(expected);
        }
    }

    private static String letters(Random random, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append("ab".charAt(random.nextInt(2)));
        }
        return letters.toString();
    }

    @Test
    void refuseAnEmptyStopString() {
        assertThatThrownBy(() -> new StopStrings(List.of("a", ""))).isInstanceOf(IllegalArgumentException.class);
    }
}
