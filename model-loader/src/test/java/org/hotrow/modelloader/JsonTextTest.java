package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

class JsonTextTest {
    private static final Path FILE = Path.of("x.json");

    private static void read(byte[] bytes) {
        JsonText.read(FILE, "", new ByteArrayInputStream(bytes), 1000, 100, JsonParser::skipChildren);
    }

    private static void read(String text) {
        read(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{}x", "{} {}", "{\"a\":1,\"a\":2}", "[1,]", "nul", "\uFEFF{}", "{'a':1}"})
    void refusesBrokenText(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageStartingWith("x.json: ");
    }

    @Test
    void refusesMalformedUtf8() {
        for (byte[] bad :
                new byte[][] {{'"', (byte) 0xFF, '"'}, {'"', (byte) 0xC0, (byte) 0xAF, '"'}, {'"', (byte) 0xE2}}) {
            assertThatThrownBy(() -> read(bad)).isInstanceOf(ModelFormatException.class);
        }
    }

    @Test
    void boundsDepthNamesStringsNumbersAndLength() {
        read("[".repeat(64) + "]".repeat(64));
        for (String text : new String[] {
            "[".repeat(65) + "]".repeat(65),
            "[".repeat(10_000),
            "{\"" + "n".repeat(100_000) + "\":1}",
            "\"" + "s".repeat(100_000) + "\"",
            "1".repeat(65),
            "[" + " ".repeat(100_000) + "]"
        }) {
            assertThatThrownBy(() -> read(text)).as(text.substring(0, 10)).isInstanceOf(ModelFormatException.class);
        }
    }

    @Test
    void showsControlCharactersEscaped() {
        assertThat(ModelFormatException.quote("a\u001b[31m\n\u202e")).isEqualTo("\"a\\u001b[31m\\u000a\\u202e\"");
        assertThat(ModelFormatException.quote("n".repeat(1_000_000))).hasSizeLessThan(200);
    }
}
