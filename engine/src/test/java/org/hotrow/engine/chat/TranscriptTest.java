package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.EngineException;
import org.hotrow.engine.FinishReason;
import org.hotrow.engine.RequestException;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.chat.Conversation.Turn;
import org.hotrow.modelloader.ModelFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptTest {
    private static final Settings DEFAULT =
            new Settings(Sampling.GREEDY, OptionalLong.empty(), 256, true, false, CacheOptions.DEFAULT);
    private static final Settings OTHER = new Settings(
            Sampling.GREEDY.withTemperature(0.7).withTopP(0.9).withTopK(5).withMinP(0.1),
            OptionalLong.of(Long.MIN_VALUE),
            7,
            false,
            true,
            CacheOptions.of(KvPolicy.OFFLOAD).withHotRows(OptionalInt.of(512)));

    @TempDir
    private Path folder;

    @Test
    void comesBackExactly() {
        Transcript saved = new Transcript(
                "demo",
                "abc",
                OTHER,
                "Be \"kind\".\n",
                List.of(
                        new Turn(
                                "Hi \uD83D\uDC4B\u0000\u2028",
                                true,
                                List.of(1, 2, 3),
                                "<think>a</think>b",
                                FinishReason.STOP),
                        new Turn("And?", false, List.of(4), "", FinishReason.CANCELLED)));
        Path file = folder.resolve("chat.json");
        saved.save(file);
        assertThat(Transcript.load(file, DEFAULT)).isEqualTo(saved);
        Transcript empty = new Transcript("demo", "abc", DEFAULT, null, List.of());
        empty.save(file);
        assertThat(Transcript.load(file, OTHER).settings().seed()).isEmpty();
        assertThat(Transcript.load(file, DEFAULT)).isEqualTo(empty);
        assertThat(folder).isDirectoryNotContaining("glob:**/.hotrow-*");
    }

    @Test
    void whatCannotBeWrittenIsSaid() {
        Transcript empty = new Transcript("demo", "abc", DEFAULT, null, List.of());
        assertThatThrownBy(() -> empty.save(folder.resolve("no/chat.json")))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("no/chat.json: can't be written");
    }

    private void assertRefused(String from, String to, String message) throws IOException {
        Path file = folder.resolve("bad.json");
        new Transcript("demo", "abc", OTHER, null, List.of(new Turn("Hi", true, List.of(1), "x", FinishReason.STOP)))
                .save(file);
        String json = Files.readString(file);
        assertThat(json).contains(from);
        Files.writeString(file, json.replace(from, to));
        assertThatThrownBy(() -> Transcript.load(file, DEFAULT))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("bad.json")
                .hasMessageContaining(message);
    }

    @Test
    void badFilesAreRefusedByField() throws IOException {
        assertRefused("hotrow-chat", "other", "format");
        assertRefused("\"version\":1", "\"version\":2", "version");
        assertRefused("\"role\":\"user\"", "\"role\":\"tool\"", "role");
        assertRefused("\"assistant\"", "\"user\"", "role");
        assertRefused("\"finish_reason\":\"stop\"", "\"finish_reason\":\"bored\"", "finish_reason");
        assertRefused("[1]", "[-1]", "output_ids");
        assertRefused("\"top_p\":0.9", "\"top_p\":1.5", "top_p");
        assertRefused("\"max_tokens\":7", "\"max_tokens\":0", "max_tokens");
        assertRefused("{\"role\":\"user\",\"content\":\"Hi\"},", "", "messages");
    }

    @Test
    void whatIsNoSavedConversationIsRefusedInWords() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "Hello");
        assertThatThrownBy(() -> Transcript.load(text, DEFAULT))
                .isInstanceOf(RequestException.class)
                .hasMessage(text + ": is no JSON, expected a file that /save wrote");
        assertThatThrownBy(() -> Transcript.load(folder, DEFAULT))
                .isInstanceOf(RequestException.class)
                .hasMessage(folder + ": is a folder, expected a file that /save wrote");
    }
}
