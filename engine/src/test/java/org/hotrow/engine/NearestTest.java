package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> WORDS = List.of(
            "/help", "/set", "/show", "/system", "/clear", "/regen", "/undo", "/save", "/load", "/file", "/stats",
            "/quit");

    @ParameterizedTest
    @CsvSource({
        "/hepl,/help",
        "/hlep,/help",
        "/sav,/save",
        "/sho,/show",
        "/claer,/clear",
        "/regenerate,",
        "/xyzzy,",
        "/exi,"
    })
    void findsTheCommandThatWasMeant(String written, String meant) {
        assertThat(Nearest.of(written, WORDS).orElse(null)).isEqualTo(meant);
    }

    @Test
    void countsLettersAddedDroppedReplacedAndSwapped() {
        assertThat(Nearest.distance("abc", "abc")).isZero();
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("acb", "abc")).isEqualTo(1);
        assertThat(Nearest.distance("abd", "abc")).isEqualTo(1);
        assertThat(Nearest.distance("abcd", "abc")).isEqualTo(1);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    }
}
