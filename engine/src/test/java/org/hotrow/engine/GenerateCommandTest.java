package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as its users see it: what is on which stream, and the exit code. */
class GenerateCommandTest {
    private static final String FP8 = Golden.resource("glm-tiny/tiny-fp8").toString();
    private static final Golden DENSE = new Golden("glm-tiny/golden_fp8.safetensors", "dense.");

    private static final String SPARSE_PROMPT =
            join(new Golden("glm-tiny/golden_fp8.safetensors", "sparse.").ints("input_ids"));

    private static String ids(String name) {
        return join(DENSE.ints(name));
    }

    private static String join(int[] ids) {
        return Arrays.stream(ids).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static CommandRun generate(String model, String... more) {
        List<String> args = new ArrayList<>(List.of("generate", "--model", model));
        args.addAll(List.of(more));
        return CommandRun.hotrow(args.toArray(String[]::new));
    }

    /** With the cache that the reference has. */
    private static CommandRun exact(String model, String... more) {
        List<String> args = new ArrayList<>(List.of(more));
        args.addAll(List.of("--kv-dtype", "fp32"));
        return generate(model, args.toArray(String[]::new));
    }

    @Test
    void jsonHoldsTheReferenceTokens() {
        CommandRun outcome = exact(
                FP8,
                "--prompt-ids",
                ids("input_ids"),
                "--max-new-tokens",
                "16",
                "--temperature",
                "0",
                "--ignore-eos",
                "--json");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith("{\"prompt_ids\":[" + ids("input_ids") + "],\"output_ids\":[" + ids("greedy_tokens")
                        + "],\"text\":\"")
                .contains(
                        "\"finish_reason\":\"length\"",
                        "\"usage\":{\"prompt_tokens\":56,\"completion_tokens\":16,\"cached_tokens\":0}",
                        "\"timing\":{\"load_ms\":",
                        "\"ttft_ms\":",
                        "\"prefill_tokens_per_s\":",
                        "\"decode_tokens_per_s\":")
                .endsWith("}}\n");
    }

    @Test
    void threadsAndStepSizeNeverChangeTheIds() {
        for (String[] flags : new String[][] {
            {"--threads", "1", "--max-batched-tokens", "1"},
            {"--threads", "2", "--max-batched-tokens", "13"},
            {"--threads", "3", "--max-batched-tokens", "1000"}
        }) {
            List<String> args = new ArrayList<>(List.of(
                    "--prompt-ids",
                    ids("input_ids"),
                    "--max-new-tokens",
                    "16",
                    "--temperature",
                    "0",
                    "--ignore-eos",
                    "--json"));
            args.addAll(List.of(flags));
            assertThat(exact(FP8, args.toArray(String[]::new)).out()).contains("[" + ids("greedy_tokens") + "]");
        }
    }

    @Test
    void withoutTokenizerTheIdsAreTheText(@TempDir Path folder) throws IOException {
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Files.delete(model.resolve("tokenizer.json"));
        CommandRun outcome = exact(
                model.toString(),
                "--prompt-ids",
                ids("input_ids"),
                "--max-new-tokens",
                "16",
                "--temperature",
                "0",
                "--ignore-eos");
        assertThat(outcome.out()).isEqualTo(ids("greedy_tokens").replace(',', ' ') + "\n");
        assertThat(outcome.err()).startsWith("prompt 56 tok ").endsWith("length\n");
    }

    @Test
    void stopsAfterAStopIdUnlessToldNotTo(@TempDir Path folder) throws IOException {
        int third = DENSE.ints("greedy_tokens")[2];
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Files.writeString(model.resolve("generation_config.json"), "{\"eos_token_id\": [" + third + "]}");
        String[] args = {"--prompt-ids", ids("input_ids"), "--max-new-tokens", "16", "--json"};
        String[] greedy = ids("greedy_tokens").split(",");
        CommandRun stopped = exact(model.toString(), args);
        assertThat(stopped.out())
                .contains(
                        "\"output_ids\":[" + String.join(",", Arrays.copyOf(greedy, 3)) + "]",
                        "\"stop\"",
                        "\"completion_tokens\":3");
        String[] on =
                Stream.concat(Arrays.stream(args), Stream.of("--ignore-eos")).toArray(String[]::new);
        assertThat(exact(model.toString(), on).out()).contains("[" + ids("greedy_tokens") + "]", "\"length\"");
    }

    @Test
    void theContextEndsTheTextCleanly(@TempDir Path folder) throws IOException {
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Path config = model.resolve("config.json");
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("\"max_position_embeddings\": 4096", "\"max_position_embeddings\": 70"));
        CommandRun outcome = generate(
                model.toString(), "--prompt-ids", ids("input_ids"), "--temperature", "0", "--ignore-eos", "--json");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("\"completion_tokens\":14", "\"finish_reason\":\"length\"");
        String[] tooLong = Stream.generate(() -> "1").limit(70).toArray(String[]::new);
        CommandRun refused = generate(model.toString(), "--prompt-ids", String.join(",", tooLong));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--prompt-ids", "70 tokens", "max_position_embeddings");
    }

    @Test
    void theSeedDecidesWhatIsDrawn() {
        String[] drawn = new String[3];
        for (int i = 0; i < 3; i++) {
            drawn[i] = generate(
                            FP8,
                            "--prompt-ids",
                            "350,352",
                            "--max-new-tokens",
                            "20",
                            "--ignore-eos",
                            "--json",
                            "--seed",
                            i < 2 ? "5" : "6")
                    .out()
                    .replaceAll("\"timing\".*", "");
        }
        assertThat(drawn[1]).isEqualTo(drawn[0]);
        assertThat(drawn[2]).isNotEqualTo(drawn[0]);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --prompt-ids 1,2 --temperature -1            | temperature
            --prompt-ids 1,2 --temperature x             | --temperature
            --prompt-ids 1,2 --top-p 0                   | top-p
            --prompt-ids 1,2 --threads 0                 | --threads
            --prompt-ids 1,2 --max-new-tokens 0          | --max-new-tokens
            --prompt-ids 1,2 --max-batched-tokens 0      | --max-batched-tokens
            --prompt-ids 1,2 --kv-dtype fp99             | --kv-dtype
            --prompt-ids 1,2 --index-dtype fp99          | --index-dtype
            --prompt-ids 1,2 --no-such-flag              | --no-such-flag
            --prompt-ids 1,384                           | 384
            --prompt-ids 1,-1                            | -1
            --prompt-ids 1,,2                            | --prompt-ids
            --prompt-ids 99999999999                     | --prompt-ids
            --json                                       | --prompt-ids
            """)
    void badFlagsAreUsageErrorsThatNameTheFlag(String flags, String named) {
        CommandRun outcome = generate(FP8, flags.trim().split(" "));
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("hotrow generate: ").contains(named, "Try 'hotrow generate --help'");
    }

    @Test
    void aRefusedModelIsNamed(@TempDir Path folder) throws IOException {
        CommandRun missing = generate(folder.resolve("no").toString(), "--prompt-ids", "1");
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.err()).contains("model refused", "no");
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Path shard = model.resolve("model-00002-of-00002.safetensors");
        Files.write(shard, Arrays.copyOf(Files.readAllBytes(shard), 1000));
        CommandRun cut = generate(model.toString(), "--prompt-ids", "1");
        assertThat(cut.code()).isEqualTo(3);
        assertThat(cut.out()).isEmpty();
        assertThat(cut.err()).contains("model-00002-of-00002.safetensors");
    }

    @Test
    void anAnswerThatNobodyTakesIsAnError() {
        for (String form : new String[] {"--json", "--ignore-eos"}) {
            CommandRun outcome = CommandRun.hotrowToNobody(
                    "generate", "--model", FP8, "--prompt-ids", "1,2", "--max-new-tokens", "2", form);
            assertThat(outcome.code()).as(form).isEqualTo(1);
            assertThat(outcome.err())
                    .isEqualTo("hotrow: stdout can't be written: its reader is gone or the disk is full\n");
        }
    }

    @Test
    void aShapeThatNoBlockHoldsIsRefusedByItsFields(@TempDir Path folder) throws IOException {
        ZeroModel.write(folder, 64, 24);
        String[] bf16 = {"--prompt-ids", "1,2", "--max-new-tokens", "3", "--kv-dtype", "bf16"};
        CommandRun fits = generate(folder.toString(), bf16);
        assertThat(fits.out()).isEqualTo("0 0 0\n");
        for (int[] latentAndKey : new int[][] {{24, 64}, {63, 24}}) {
            ZeroModel.write(folder, latentAndKey[0], latentAndKey[1]);
            CommandRun refused = generate(folder.toString(), "--prompt-ids", "1,2");
            assertThat(refused.code()).isEqualTo(3);
            assertThat(refused.err())
                    .startsWith("hotrow: model refused: " + folder.resolve("config.json") + ": kv_lora_rank, ")
                    .contains("index_head_dim", "bytes")
                    .hasLineCount(1);
        }
    }

    @Test
    void aModelWithoutFp8RowsIsToldWhichFlagToPass(@TempDir Path folder) throws IOException {
        ZeroModel.write(folder, 64, 24);
        CommandRun refused = generate(folder.toString(), "--prompt-ids", "1,2");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .startsWith("hotrow generate: this model has no cache of --kv-dtype fp8: fp8 rows hold latent 512 and"
                        + " rope 64 values, this model has latent 64 and rope 8; pass --kv-dtype bf16\n");
        CommandRun mixed = generate(
                folder.toString(),
                "--prompt-ids",
                "1,2",
                "--kv-dtype",
                "bf16",
                "--index-dtype",
                "fp8",
                "--max-new-tokens",
                "3");
        assertThat(mixed.out()).isEqualTo("0 0 0\n");
    }

    @Test
    void theDtypesDecideWhatTheCacheHolds() {
        String[] prompt = {"--prompt-ids", SPARSE_PROMPT, "--max-new-tokens", "16", "--temperature", "0", "--json"};
        List<String> texts = new ArrayList<>();
        for (String[] flags : new String[][] {
            {}, {"--kv-dtype", "fp8"}, {"--index-dtype", "fp8"}, {"--index-dtype", "bf16"}, {"--kv-dtype", "fp32"}
        }) {
            String[] all =
                    Stream.concat(Arrays.stream(prompt), Arrays.stream(flags)).toArray(String[]::new);
            texts.add(generate(FP8, all).out().replaceAll("\"timing\".*", ""));
        }
        assertThat(texts.get(1)).isEqualTo(texts.get(0));
        assertThat(texts.get(2)).isEqualTo(texts.get(0));
        assertThat(texts.get(3)).isNotEqualTo(texts.get(0));
        assertThat(texts.get(4)).isNotEqualTo(texts.get(0)).isNotEqualTo(texts.get(3));
    }

    @Test
    void aRequestThatNoCacheHereHoldsIsRefusedBeforeAnythingIsLoaded(@TempDir Path folder) throws IOException {
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Path config = model.resolve("config.json");
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("\"max_position_embeddings\": 4096", "\"max_position_embeddings\": 16777216"));
        CommandRun outcome = exact(model.toString(), "--prompt-ids", "1,2", "--max-new-tokens", "2000000000");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith(
                        "hotrow generate: the cache is too small: request of up to 16777216 tokens: needs a pool of ")
                .contains("lower --max-new-tokens");
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void aLinkToATokenizerThatIsMissingIsRefused(@TempDir Path folder) throws IOException {
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Files.delete(model.resolve("tokenizer.json"));
        Files.createSymbolicLink(model.resolve("tokenizer.json"), Path.of("gone.json"));
        CommandRun outcome = generate(model.toString(), "--prompt-ids", "1,2", "--max-new-tokens", "1");
        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.err()).contains("tokenizer.json");
    }

    @Test
    void withoutTemperatureTheFileAloneDecidesWhetherToSample(@TempDir Path folder) throws IOException {
        Path model = copy(Path.of(FP8), folder.resolve("model"));
        Files.writeString(model.resolve("generation_config.json"), "{\"do_sample\": false, \"temperature\": 5}");
        String[] args = {
            "--prompt-ids", ids("input_ids"), "--max-new-tokens", "16", "--ignore-eos", "--json", "--top-k", "50"
        };
        assertThat(exact(model.toString(), args).out()).contains("[" + ids("greedy_tokens") + "]");
        Files.writeString(model.resolve("generation_config.json"), "{\"do_sample\": true, \"temperature\": 5}");
        assertThat(exact(model.toString(), args).out()).doesNotContain("[" + ids("greedy_tokens") + "]");
    }

    @Test
    void helpAndVersionAnswerOnStdout() {
        assertThat(CommandRun.hotrow("--help").out()).contains("generate");
        assertThat(CommandRun.hotrow("generate", "--help").out()).contains("--prompt-ids", "--max-new-tokens");
        assertThat(CommandRun.hotrow("--version").out()).startsWith("hotrow 0.1");
        CommandRun none = CommandRun.hotrow();
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("command");
    }

    @Test
    void theLoadingBarShowsBytesAndTimeOnATerminalOnly() {
        assertThat(LoadingBar.line(1_500_000, 3_000_000, 2_000_000_000L))
                .isEqualTo("loading [############            ]  50 %  1.5 of 3.0 MB  2 s left");
        String[] args = {
            "generate", "--model", FP8, "--prompt-ids", "1,2", "--max-new-tokens", "1", "--temperature", "0"
        };
        assertThat(CommandRun.run("", true, args).err()).contains("loading [", "\u001b[2mprompt 2 tok");
        assertThat(CommandRun.hotrow(args).err()).doesNotContain("loading", "\u001b");
    }

    static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }
}
