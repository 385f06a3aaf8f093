package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.stream.Collectors;
import org.hotrow.modelloader.template.TemplateLimits;
import org.hotrow.modelloader.template.TemplateValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChatJsonTest {
    @TempDir
    private Path folder;

    private static String printed(TemplateValue value) {
        return ChatTemplate.compile("{{ x | tojson }} {{ x }}", "test")
                .render(Map.of("x", value), TemplateLimits.DEFAULT, Clock.systemUTC())
                .stream()
                .map(TextPart::text)
                .collect(Collectors.joining());
    }

    @Test
    void keepsOrderOfMembersAndKindsOfNumbers() {
        String json =
                "{\"z\": 1, \"a\": [1.0, -0, 1e2, 12345678901234567890123, true, false, null, \"é\\u00e9\"], \"m\": {}}";
        assertThat(printed(ChatJson.parse(json, Path.of("x.json"), "")))
                .isEqualTo(
                        "{\"z\": 1, \"a\": [1.0, 0, 100.0, 12345678901234567890123, true, false, null, \"éé\"], \"m\": {}}"
                                + " {'z': 1, 'a': [1.0, 0, 100.0, 12345678901234567890123, True, False, None, 'éé'], 'm': {}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "nul", "{\"a\": 1, \"a\": 2}", "1 2", "NaN", "\"\ud800\""})
    void refusesWhatIsNoJson(String text) {
        assertThatThrownBy(() -> ChatJson.parse(text, Path.of("tools.json"), "part"))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageStartingWith("tools.json: part: ");
    }

    @Test
    void refusesDeepNesting() {
        assertThatThrownBy(() -> ChatJson.parse("[".repeat(100_000), Path.of("x.json"), ""))
                .isInstanceOf(ModelFormatException.class);
    }

    @Test
    void readsAFileOfMessages() throws IOException {
        Path file = folder.resolve("chat.json");
        Files.writeString(file, "[{\"role\": \"user\", \"content\": \"hi\"}, {}]");
        assertThat(ChatJson.readMessages(file))
                .hasSize(2)
                .first()
                .satisfies(message -> assertThat(message.keySet()).containsExactly("role", "content"));
        assertThat(printed(ChatJson.read(file))).startsWith("[{\"role\": \"user\", \"content\": \"hi\"}, {}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1]", "[{\"role\": \"user\"}, []]", "null"})
    void refusesAFileOfSomethingElse(String text) throws IOException {
        Path file = folder.resolve("chat.json");
        Files.writeString(file, text);
        assertThatThrownBy(() -> ChatJson.readMessages(file))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("chat.json: messages: expected a ");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatThrownBy(() -> ChatJson.read(folder.resolve("none.json")))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("none.json: can't be read");
    }
}
