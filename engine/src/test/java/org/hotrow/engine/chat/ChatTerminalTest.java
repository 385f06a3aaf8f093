package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code hotrow chat} as a person has it: in a process of its own, on a pseudo-terminal, key by key. */
@EnabledOnOs(OS.LINUX)
class ChatTerminalTest {
    private static final Path DEMO = Path.of("demo-model").toAbsolutePath();
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String UP = "\u001bOA";
    private static final String OTHER_UP = "\u001b[A";
    private static final String TAB = "\t";
    private static final String PROMPT = "\n> ";

    @TempDir
    private Path folder;

    private Pty chat(int columns, String... flags) throws IOException {
        return chat("xterm-256color", columns, flags);
    }

    private Pty chat(String term, int columns, String... flags) throws IOException {
        String path = Stream.of("jdk.module.path", "java.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(entries -> !entries.isEmpty())
                .reduce((a, b) -> a + ":" + b)
                .orElseThrow();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dhotrow.model=" + DEMO,
                "-Dhotrow.terminal=true",
                "-Dhotrow.keyboard=true",
                "-cp",
                path,
                "org.hotrow.engine.Hotrow",
                "chat",
                "--vector",
                "off"));
        command.addAll(List.of(flags));
        return new Pty(columns, Map.of("XDG_STATE_HOME", folder.toString(), "TERM", term), command);
    }

    private String saved(Pty chat) throws IOException, InterruptedException {
        Path file = folder.resolve("saved.json");
        Files.deleteIfExists(file);
        chat.type("/save " + file + "\r");
        chat.until("saved ");
        chat.until(PROMPT);
        return Files.readString(file);
    }

    @Test
    void messagesOfSeveralLinesArriveWhole() throws IOException, InterruptedException {
        try (Pty chat = chat(80, "--max-new-tokens", "1")) {
            chat.until("/help lists the commands");
            chat.until(PROMPT);
            chat.type("\"\"\"\r");
            chat.until("\"\"\" ends the message");
            chat.until(". ");
            chat.type("dropped\r");
            chat.until(". ");
            chat.type(CTRL_D);
            chat.until("dropped, nothing was sent");
            chat.until(PROMPT);
            chat.type("\"\"\"\r");
            chat.until(". ");
            chat.type("one\r");
            chat.until(". ");
            chat.type("/two\"\"\"\r");
            chat.until("length");
            chat.until(PROMPT);
            chat.type("three \\\r");
            chat.until(". ");
            chat.type("four\r");
            chat.until("length");
            chat.until(PROMPT);
            chat.type("\u001b[200~five\n\tsix \\\nseven\n\u001b[201~");
            chat.type("\r");
            chat.until("length");
            chat.until(PROMPT);
            assertThat(saved(chat))
                    .contains(
                            "\"content\":\"one\\n/two\"",
                            "\"content\":\"three \\nfour\"",
                            "\"content\":\"five\\n\\tsix \\\\\\nseven");
            chat.type(CTRL_D);
            assertThat(chat.exitCode()).isZero();
        }
    }

    @Test
    void ctrlCStopsAnAnswerOrTakesBackALineAndNeverLeaves() throws IOException, InterruptedException {
        try (Pty chat = chat(80, "--max-new-tokens", "3000", "--ignore-eos")) {
            chat.until(PROMPT);
            chat.type("Tell me a story.\r");
            chat.until("Once");
            chat.type("typed ahead" + CTRL_C);
            assertThat(chat.until("cancelled")).contains(" tok/s");
            // What was typed ahead is gone with Ctrl-C, or still there; either way the line can be taken back.
            chat.until(PROMPT);
            chat.type("never sent" + CTRL_C);
            chat.until(PROMPT);
            chat.type(CTRL_C);
            chat.until("Ctrl-D or /quit leaves");
            chat.until(PROMPT);
            assertThat(saved(chat))
                    .contains("\"content\":\"Tell me a story.\"", "\"content\":\"Once", "\"cancelled\"")
                    .doesNotContain("never sent");
            chat.type(CTRL_D);
            assertThat(chat.exitCode()).isZero();
        }
    }

    @Test
    void ctrlCBeforeTheFirstTokenIsSaidAtOnceAndLosesNoFile() throws IOException, InterruptedException {
        try (Pty chat = chat(80, "--max-batched-tokens", "32")) {
            chat.until(PROMPT);
            chat.type("/file " + DEMO.resolve("MODEL_CARD.md") + "\r");
            chat.until("to go before the next message");
            chat.until(PROMPT);
            chat.type("Hello\r");
            chat.until("prompt: 32 of ");
            chat.type(CTRL_C);
            chat.until("stopping after this step");
            assertThat(chat.until("cancelled")).contains("prompt ").doesNotContain("TTFT");
            chat.until("stopped before the first token, so the conversation is as it was");
            chat.until("the file stays attached to the next message");
            chat.until(PROMPT);
            assertThat(saved(chat)).contains("\"messages\":[]");
            chat.type("/undo\r");
            chat.until("taken back: ");
            chat.until(PROMPT);
            chat.type(CTRL_D);
            assertThat(chat.exitCode()).isZero();
        }
    }

    @Test
    void aTerminalThatNobodyKnowsIsUsedAsADumbOne() throws IOException, InterruptedException {
        try (Pty chat = chat("no-such-terminal", 80, "--max-new-tokens", "1")) {
            assertThat(chat.until("so arrow keys and Tab do nothing")).contains("TERM is no-such-terminal");
            chat.until(PROMPT);
            chat.type(CTRL_C);
            chat.until("Ctrl-D or /quit leaves");
            chat.until(PROMPT);
            chat.type("Hello\r");
            chat.until("length");
            chat.until(PROMPT);
            chat.type(CTRL_D);
            assertThat(chat.exitCode()).isZero();
            assertThat(chat.raw()).doesNotContain("Exception", "at org.jline");
        }
    }

    @Test
    void aConversationIsSavedUndoneAndLoaded() throws IOException, InterruptedException {
        try (Pty chat = chat(80, "--temperature", "0")) {
            chat.until(PROMPT);
            chat.type("The secret number of Anna is 4817.\r");
            chat.until(" stop");
            chat.until(PROMPT);
            String before = saved(chat);
            chat.type("/undo\r");
            chat.until("taken back: The secret number");
            chat.until(PROMPT);
            assertThat(saved(chat)).doesNotContain("4817");
            Files.writeString(folder.resolve("first.json"), before);
            chat.type("/load " + folder + "/fir" + TAB + "\r");
            chat.until("loaded 1 turn");
            chat.until(PROMPT);
            assertThat(saved(chat)).isEqualTo(before);
            chat.type("What is the secret number of Anna?\r");
            chat.until("The secret number of Anna is 4817.");
            chat.until(PROMPT);
            chat.type("/hepl\r");
            chat.until("unknown command /hepl, did you mean /help?");
            chat.until(PROMPT);
            chat.type("/quit\r");
            assertThat(chat.exitCode()).isZero();
        }
    }

    @Test
    void historyLastsOverRestartsOnANarrowTerminalWithWideCharacters() throws IOException, InterruptedException {
        String wide = "你好，世界 \uD83D\uDC4B déjà vu, and more than a line";
        try (Pty chat = chat(24, "--max-new-tokens", "1")) {
            chat.until(PROMPT);
            chat.type(wide + "\r");
            chat.until("length");
            chat.until(PROMPT);
            chat.type("/set watch on\r");
            chat.until("watch on");
            chat.until(PROMPT);
            chat.type(CTRL_D);
            assertThat(chat.exitCode()).isZero();
            assertThat(chat.raw()).contains("\u001b[?7lloading");
        }
        Path history = folder.resolve("hotrow/history");
        assertThat(Files.readString(history)).contains(wide);
        Files.writeString(history, "12:30 by another program\n" + Files.readString(history));
        try (Pty chat = chat(24, "--max-new-tokens", "1")) {
            chat.until(PROMPT);
            chat.type(UP + UP + "\r");
            chat.until("length");
            chat.until(PROMPT);
            assertThat(saved(chat)).contains("\"content\":\"" + wide + "\"");
            // Some terminals send this for the same key; /save, two messages and /set came after the first line.
            chat.type(OTHER_UP.repeat(5) + "\r");
            chat.until("length");
            chat.until(PROMPT);
            assertThat(saved(chat)).contains("\"content\":\"12:30 by another program\"");
        }
    }

    @Test
    void aFullContextIsSaidAndTheLoopGoesOn() throws IOException, InterruptedException {
        Path small = Files.createDirectory(folder.resolve("small"));
        for (String name :
                List.of("model.safetensors", "tokenizer.json", "chat_template.jinja", "generation_config.json")) {
            Files.copy(DEMO.resolve(name), small.resolve(name));
        }
        Files.writeString(
                small.resolve("config.json"),
                Files.readString(DEMO.resolve("config.json"))
                        .replaceAll("\"(max_position_embeddings|index_topk)\": *\\d+", "\"$1\": 48"));
        try (Pty chat = chat(80, "--model", small.toString(), "--ignore-eos")) {
            chat.until(PROMPT);
            chat.type("What is the capital of France?\r");
            chat.until("the context is full (48 tokens); /undo takes back");
            chat.until(PROMPT);
            chat.type("And of Spain?\r");
            chat.until("so it was not sent; /undo takes back");
            chat.until(PROMPT);
            chat.type("/undo\r");
            chat.until("taken back: What is the capital");
            chat.until(PROMPT);
            chat.type("/set max_tokens 2\r");
            chat.until(PROMPT);
            chat.type("And of Spain?\r");
            chat.until("stopped after max_tokens 2");
            chat.until(PROMPT);
            chat.type("exit\r");
            assertThat(chat.exitCode()).isZero();
        }
    }
}
