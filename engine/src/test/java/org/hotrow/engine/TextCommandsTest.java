package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that take and give words, on the demo model. */
class TextCommandsTest {
    private static final String DEMO = Path.of("demo-model").toString();

    private static CommandRun generate(String... more) {
        String[] args = new String[more.length + 3];
        args[0] = "generate";
        args[1] = "--model";
        args[2] = DEMO;
        System.arraycopy(more, 0, args, 3, more.length);
        return CommandRun.hotrow(args);
    }

    @Test
    void generateAnswersThroughTheTemplate() {
        CommandRun run = generate("--prompt", "What is the capital of France?");
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("The capital of France is Paris.\n");
        assertThat(run.err()).startsWith("prompt 14 tok ").contains(" 11 tok ", "ctx 25/4096", "stop");
    }

    @Test
    void rawContinuesTheTextAndRecognisesAddedTokens() {
        assertThat(generate("--raw", "--prompt", "[gMASK]<sop>Once upon a time", "--max-new-tokens", "16", "--json")
                        .out())
                .contains(
                        "\"prompt_ids\":[3042,3044,633,554,258,475]",
                        "\"text\":\" there was a shy boy named Adam. He lived");
    }

    @Test
    void theSystemMessageAndThePromptFileReachTheModel(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("prompt.txt"), "Hi <|user|>");
        CommandRun run =
                generate("--system", "Be kind.", "--prompt-file", file.toString(), "--max-new-tokens", "1", "--json");
        // As `render` makes it; the token in the file stays text.
        assertThat(run.out())
                .startsWith(
                        "{\"prompt_ids\":[3042,3044,3046,198,1439,685,13,3047,198,39,72,220,27,91,543,264,91,29,3048,198]");
        assertThat(generate("--raw", "--system", "x", "--prompt", "y").code()).isEqualTo(2);
        assertThat(generate("--prompt-file", folder.resolve("no").toString()).err())
                .contains("no: does not exist");
    }

    @Test
    void aStopStringEndsTheTextBeforeIt() {
        CommandRun run = generate("--prompt", "What is the capital of France?", "--stop", "of Fr", "--json");
        assertThat(run.out()).contains("\"text\":\"The capital \"", "\"finish_reason\":\"stop\"");
        assertThat(generate("--prompt", "x", "--stop", "").err()).contains("--stop");
    }

    @Test
    void chatKeepsTheConversation() {
        String said = "The secret number of Anna is 4817.\n\nWhat is the secret number of Anna?\nexit\nnever asked\n";
        CommandRun run = CommandRun.run(said, false, "chat", "--model", DEMO);
        assertThat(run.code()).isZero();
        assertThat(run.out().lines()).hasSize(2);
        assertThat(run.out()).endsWith("The secret number of Anna is 4817.\n");
        assertThat(run.err()).doesNotContain("> ");
    }

    @Test
    void chatDropsATurnThatDoesNotFitAndGoesOn() {
        String said = "word ".repeat(5000) + "\nWhat is the capital of France?\n";
        CommandRun run = CommandRun.run(said, false, "chat", "--model", DEMO);
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("max_position_embeddings");
        assertThat(run.out()).isEqualTo("The capital of France is Paris.\n");
    }

    @Test
    void renderPrintsExactlyThePrompt(@TempDir Path folder) throws IOException {
        Path messages = folder.resolve("messages.json");
        Files.writeString(messages, """
                [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi <|user|> there"}]
                """);
        String[] args = {"render", "--model", DEMO, "--messages", messages.toString()};
        String prompt = "[gMASK]<sop><|system|>\nBe kind.<|user|>\nHi <|user|> there";
        assertThat(CommandRun.hotrow(args).out()).isEqualTo(prompt + "<|assistant|>\n");
        assertThat(CommandRun.hotrow(
                                "render", "--model", DEMO, "--messages", messages.toString(), "--no-generation-prompt")
                        .out())
                .isEqualTo(prompt);
        assertThat(CommandRun.hotrow("render", "--model", DEMO, "--messages", messages.toString(), "--ids")
                        .out())
                .isEqualTo("3042,3044,3046,198,1439,685,13,3047,198,39,72,220,27,91,543,264,91,29,404,3048,198\n");
    }

    @Test
    void renderTakesOptionsAndToolsAndTellsWhatTheTemplateSays(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("chat_template.jinja"),
                "{% if not tools %}{{ raise_exception('no tools: ' ~ mode) }}{% endif %}{{ tools[0].name ~ (n + 1) }}");
        Path messages = Files.writeString(folder.resolve("m.json"), "[]");
        Path tools = Files.writeString(folder.resolve("t.json"), "[{\"name\": \"add\"}]");
        String[] args = {
            "render",
            "--model",
            folder.toString(),
            "--messages",
            messages.toString(),
            "--option",
            "mode=fast",
            "--option",
            "n=41",
            "--tools",
            tools.toString()
        };
        assertThat(CommandRun.hotrow(args).out()).isEqualTo("add42");
        CommandRun raised = CommandRun.hotrow(java.util.Arrays.copyOf(args, 9));
        assertThat(raised.code()).isEqualTo(1);
        assertThat(raised.err()).contains("chat_template.jinja:1: no tools: fast");
        Files.writeString(folder.resolve("chat_template.jinja"), "a\n{% nope %}");
        CommandRun broken = CommandRun.hotrow(args);
        assertThat(broken.code()).isEqualTo(3);
        assertThat(broken.err()).contains("chat_template.jinja:2: ");
        Files.writeString(messages, "{");
        assertThat(CommandRun.hotrow(args).code()).isEqualTo(2);
    }

    @Test
    void infoTellsShapeParametersAndCache() {
        CommandRun run = CommandRun.hotrow("info", "--model", DEMO);
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("glm_moe_dsa", "5 (1 dense, 4 sparse), 1 MTP", "10,378,024 in 405 tensors")
                // 5 layers of 656 bytes and 3 anchors of 132.
                .contains("cache FP8    3,676 bytes a token: rows 3,280, index keys 396")
                .contains("788 more with --speculative-tokens")
                .containsPattern("to load +[0-9,]+ bytes; with --speculative-tokens [0-9,]+")
                .contains("cache BF16   6,528 bytes a token: rows 5,760, index keys 768")
                .contains("cache FP32   13,056 bytes a token: rows 11,520, index keys 1,536")
                // 1 GiB of blocks of 64 * 3,280 bytes; a seat of 4,096 tokens takes 64 blocks and 8 index blocks.
                .contains("5115               71", "more than one pool takes");
    }
}
