package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.ModelConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs of many requests as their users see them. */
class RunCommandTest {
    private static final String FP8 = Golden.resource("glm-tiny/tiny-fp8").toString();
    private static final int[] TEXT = new Golden("glm-tiny/golden_fp8.safetensors", "sparse.").ints("input_ids");

    private static CommandRun run(String model, String requests, String... more) {
        List<String> args = new ArrayList<>(List.of("run", "--requests", "-", "--model", model));
        args.addAll(List.of(more));
        return CommandRun.run(requests, false, args.toArray(String[]::new));
    }

    private static String ids(int from, int to) {
        return Arrays.stream(TEXT, from, to).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static String request(String id, String ids, String more) {
        return "{\"id\": \"" + id + "\", \"prompt_ids\": [" + ids + "]" + more + "}\n";
    }

    private static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }

    /** The line of a result. */
    private static String line(CommandRun run, String id) {
        return run.out()
                .lines()
                .filter(line -> line.startsWith("{\"id\":\"" + id + "\","))
                .findFirst()
                .orElseThrow(() -> new AssertionError(id + " in " + run));
    }

    private static String outputIds(String line) {
        return found("\"output_ids\":\\[([0-9,]*)\\]", line);
    }

    private static String summary(CommandRun run) {
        String last = run.out().lines().toList().getLast();
        assertThat(last).startsWith("{\"summary\":{");
        return last;
    }

    @Test
    void eachRequestSaysWhatItSaysAlone() {
        StringBuilder requests = new StringBuilder();
        Map<String, String> alone = new HashMap<>();
        int[][] parts = {{0, 3}, {0, 70}, {5, 100}, {3, 64}, {0, 150}, {40, 41}};
        for (int[] part : parts) {
            String id = "r" + part[0] + "-" + part[1];
            requests.append(request(id, ids(part[0], part[1]), ", \"seed\": 7, \"temperature\": 0.8"));
            alone.put(
                    id,
                    outputIds(CommandRun.hotrow(
                                    "generate",
                                    "--model",
                                    FP8,
                                    "--prompt-ids",
                                    ids(part[0], part[1]),
                                    "--seed",
                                    "7",
                                    "--temperature",
                                    "0.8",
                                    "--max-new-tokens",
                                    "12",
                                    "--ignore-eos",
                                    "--json")
                            .out()));
        }
        for (String[] flags : new String[][] {
            {"--max-seqs", "3", "--max-batched-tokens", "20"},
            {"--max-seqs", "1"},
            {"--kv-blocks", "9", "--device-buffer-size", "64"}
        }) {
            CommandRun run = run(
                    FP8,
                    requests.toString(),
                    Stream.concat(Stream.of("--max-new-tokens", "12", "--ignore-eos"), Arrays.stream(flags))
                            .toArray(String[]::new));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).hasLineCount(parts.length + 1);
            alone.forEach(
                    (id, said) -> assertThat(outputIds(line(run, id))).as(id).isEqualTo(said));
            assertThat(summary(run))
                    .contains("\"requests\":{\"total\":6,\"stop\":0,\"length\":6,\"cancelled\":0,\"error\":0}")
                    .contains("\"completion_tokens\":72", "\"queue_ms\":{\"p50\":", "\"kv\":{\"hot_lookups\":");
            int peak = Integer.parseInt(found("\"peak_running\":([0-9]+)", summary(run)));
            assertThat(peak).isEqualTo(flags[0].equals("--max-seqs") ? Integer.parseInt(flags[1]) : peak);
            double mean = Double.parseDouble(found("\"mean_running\":([0-9.]+)", summary(run)));
            assertThat(mean).isGreaterThan(0.1 * peak).isLessThanOrEqualTo(peak);
        }
    }

    @Test
    void aLineThatIsWrongFailsAloneAndTheExitCodeTells() {
        CommandRun run = run(
                FP8,
                request("a", "1,2", "") + "nonsense\n" + request("b", "1,999", "") + request("c", "", "")
                        + request("d", "3,4", ""),
                "--max-new-tokens",
                "2",
                "--ignore-eos");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).hasLineCount(6);
        assertThat(run.out()).contains("\"error\":\"-: line 2: is not valid JSON");
        assertThat(line(run, "b")).contains("line 3: prompt_ids[1]: is 999", "\"finish_reason\":\"error\"");
        assertThat(line(run, "c")).contains("line 4: the prompt is empty");
        assertThat(line(run, "a"))
                .contains("\"completion_tokens\":2", "\"length\"")
                .doesNotContain("\"error\"");
        assertThat(line(run, "d")).contains("\"completion_tokens\":2", "\"tpot_ms\":");
        assertThat(summary(run)).contains("{\"total\":5,\"stop\":0,\"length\":2,\"cancelled\":0,\"error\":3}");
    }

    @Test
    void whatNoCacheOrContextHoldsFailsAlone() {
        String longer = Stream.generate(() -> "1").limit(5000).collect(Collectors.joining(","));
        CommandRun run = run(
                FP8,
                request("long", longer, "")
                        + request("wide", ids(0, 150), ", \"max_new_tokens\": 900")
                        + request("fits", "1,2", ""),
                "--kv-blocks",
                "6",
                "--kv-policy",
                "resident",
                "--max-new-tokens",
                "2",
                "--ignore-eos");
        assertThat(run.code()).isEqualTo(1);
        assertThat(line(run, "long")).contains("line 1: ", "5000 tokens", "max_position_embeddings");
        assertThat(line(run, "wide")).contains("line 2: the cache is too small", "--kv-blocks");
        assertThat(line(run, "fits")).contains("\"completion_tokens\":2");
    }

    @Test
    void aSessionGoesOnFromItsGeneratedIdsAndFindsThem() {
        String say = ", \"session\": \"s\", \"max_new_tokens\": 60, \"temperature\": 1, \"seed\": ";
        CommandRun run =
                run(FP8, request("one", ids(0, 70), say + "1") + request("two", "5,6,7", say + "2"), "--ignore-eos");
        assertThat(run.code()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).startsWith("{\"id\":\"one\"");
        // 70 + 60 tokens, of which two whole pages have rows; the second of them is mostly generated.
        assertThat(lines.get(1))
                .startsWith("{\"id\":\"two\"")
                .contains("\"prompt_tokens\":133,\"completion_tokens\":60,\"cached_tokens\":128");
        CommandRun alone = run(
                FP8, request("x", ids(0, 70) + "," + outputIds(lines.get(0)) + ",5,6,7", say + "2"), "--ignore-eos");
        assertThat(outputIds(line(alone, "x"))).isEqualTo(outputIds(lines.get(1)));
    }

    @Test
    void aSessionOfMessagesAnswersInOrder() {
        String requests = """
                {"id": "1", "session": "s", "messages": [{"role": "user", "content": "The secret number of Anna is 4817."}]}
                {"id": "other", "prompt": "What is the capital of France?"}
                {"id": "2", "session": "s", "prompt": "What is the secret number of Anna?"}
                """;
        CommandRun run = run(DemoGolden.MODEL.toString(), requests, "--max-new-tokens", "40");
        assertThat(run.code()).as(run.out()).isZero();
        assertThat(line(run, "2")).contains("The secret number of Anna is 4817.");
        assertThat(line(run, "other")).contains("The capital of France is Paris.", "\"finish_reason\":\"stop\"");
        assertThat(run.out().indexOf("{\"id\":\"1\"")).isLessThan(run.out().indexOf("{\"id\":\"2\""));
        assertThat(summary(run)).contains("\"sessions_encoded_anew\":0", "\"peak_running\":2");
    }

    @Test
    void aTurnThatFailsLeavesNoTraceInItsSession() {
        String turn = ", \"session\": \"s\"";
        CommandRun run = run(
                FP8,
                request("a", "1,2", turn) + request("bad", "", turn.replace("s\"", "t\"")) + request("b", "3", turn),
                "--max-new-tokens",
                "3",
                "--ignore-eos");
        assertThat(line(run, "bad")).contains("\"error\"");
        assertThat(line(run, "b")).contains("\"prompt_tokens\":6,");
    }

    @Test
    void aRequestComesWhenItsLineSays() {
        CommandRun run = run(
                FP8,
                request("late", "1,2", ", \"arrival_ms\": 300") + request("now", "3,4", ""),
                "--max-new-tokens",
                "2",
                "--ignore-eos");
        assertThat(run.out().lines().map(line -> line.substring(0, 10))).startsWith("{\"id\":\"now", "{\"id\":\"lat");
        assertThat(Double.parseDouble(found("\"wall_s\":([0-9.]+)", summary(run))))
                .isGreaterThan(0.3);
        assertThat(Double.parseDouble(found("\"queue_ms\":([0-9.]+)", line(run, "late"))))
                .isLessThan(290);
        assertThat(summary(run)).contains("\"peak_running\":1");
    }

    @Test
    void resultsGoToAFile(@TempDir Path folder) throws IOException {
        Path requests = Files.writeString(folder.resolve("r.jsonl"), request("a", "1,2", ""));
        Path out = folder.resolve("out.jsonl");
        String[] args = {
            "run", "--model", FP8, "--requests", requests.toString(), "--out", out.toString(), "--max-new-tokens", "2"
        };
        CommandRun run = CommandRun.hotrow(args);
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(Files.readAllLines(out)).hasSize(2).last().asString().startsWith("{\"summary\":");
        args[6] = folder.toString();
        assertThat(CommandRun.hotrow(args).code()).isEqualTo(2);
        assertThat(CommandRun.hotrow(args).err()).contains("--out " + folder);
        args[6] = requests.toString();
        assertThat(CommandRun.hotrow(args).err()).contains("is the file of requests");
        assertThat(requests).content().contains("prompt_ids");
        args[4] = folder.resolve("no").toString();
        assertThat(CommandRun.hotrow(args).err()).contains("no: does not exist");
    }

    @Test
    void badFlagsAndResultsThatNobodyTakesAreErrors(@TempDir Path folder) throws IOException {
        assertThat(run(FP8, "", "--max-seqs", "0").code()).isEqualTo(2);
        assertThat(run(FP8, "", "--max-new-tokens", "0").err()).contains("--max-new-tokens");
        assertThat(CommandRun.hotrow("run", "--model", FP8).err()).contains("--requests");
        Path requests = Files.writeString(folder.resolve("r.jsonl"), request("a", "1,2", ""));
        CommandRun nobody = CommandRun.hotrowToNobody("run", "--model", FP8, "--requests", requests.toString());
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("stdout can't be written");
        assertThat(run(FP8, "").out())
                .startsWith("{\"summary\":{\"requests\":{\"total\":0,")
                .doesNotContain("NaN");
    }

    @Test
    void anInterruptedRunGivesWhatThereIs() {
        RequestFile file = RequestFile.parse(
                Path.of("r"),
                (request("a", "1,2", ", \"session\": \"s\"")
                                + request("b", "3", ", \"session\": \"s\"")
                                + request("c", "4", ", \"arrival_ms\": 1e9"))
                        .getBytes(StandardCharsets.UTF_8),
                ModelConfig.read(Path.of(FP8)));
        List<RunResult> results = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        long start = System.nanoTime();
        RunSummary summary = new RunSummary(start);
        try (Model model = Model.open(Path.of(FP8));
                Generator generator = new Generator(
                        model,
                        CacheFormat.of(KvDtype.FP8),
                        CacheOptions.DEFAULT,
                        300,
                        2,
                        Lanes.vector(),
                        2,
                        512,
                        LoadProgress.NONE)) {
            RunBar bar = new RunBar(
                    new Console(new BufferedReader(new StringReader("")), System.out, System.err, false, false),
                    3,
                    start);
            SamplingOptions defaults = new SamplingOptions();
            CommandLine.populateCommand(defaults, "--max-new-tokens", "200", "--ignore-eos");
            new RequestRun(model, generator, Optional.empty(), defaults, results::add, summary, bar, start)
                    .run(file.requests(), () -> asked.incrementAndGet() > 4);
        }
        assertThat(results).extracting(r -> r.id().orElseThrow()).containsExactly("a", "b", "c");
        assertThat(results).extracting(RunResult::finishReason).containsOnly(FinishReason.CANCELLED);
        assertThat(results.getFirst().outputIds()).hasSize(4);
        assertThat(results.get(1).outputIds()).isEmpty();
        assertThat(summary.count(FinishReason.CANCELLED)).isEqualTo(3);
    }

    @Test
    void requestsThatBeginWithAnImportTakeItsTokens(@TempDir Path folder) {
        String file = folder.resolve("prefill").toString();
        CommandRun exported =
                CommandRun.run("", false, "export", "--model", FP8, "--prompt-ids", ids(0, 128), "--out", file);
        assertThat(exported.code()).as("%s", exported).isZero();
        String requests =
                request("all", ids(0, 128), "") + request("more", ids(0, 150), "") + request("none", ids(1, 70), "");
        String[] flags = {"--max-new-tokens", "6", "--temperature", "0", "--ignore-eos"};
        CommandRun alone = run(FP8, requests, flags);
        CommandRun with = run(
                FP8,
                requests,
                Stream.concat(Stream.of("--import", file), Stream.of(flags)).toArray(String[]::new));
        for (String id : List.of("all", "more", "none")) {
            assertThat(outputIds(line(with, id))).isEqualTo(outputIds(line(alone, id)));
        }
        assertThat(line(with, "all")).contains("\"cached_tokens\":127");
        assertThat(line(with, "more")).contains("\"cached_tokens\":128");
        assertThat(line(with, "none")).contains("\"cached_tokens\":0");
        assertThat(run(FP8, requests, "--import", folder.resolve("none").toString())
                        .code())
                .isEqualTo(2);
    }

    @Test
    void theLargestMaxNewTokensIsThatOfTheContext() {
        String line = "{\"id\": \"a\", \"prompt_ids\": [5, 6], \"max_new_tokens\": %d, \"temperature\": 0}\n";
        CommandRun some = CommandRun.run(line.formatted(1_000_000), false, "run", "--requests", "-", "--model", FP8);
        CommandRun most =
                CommandRun.run(line.formatted(Integer.MAX_VALUE), false, "run", "--requests", "-", "--model", FP8);
        assertThat(some.code()).as(some.toString()).isZero();
        assertThat(most.code()).as(most.toString()).isZero();
    }

    @Test
    void requestsOfStdinMayReplaceAFileOfResults(@TempDir Path folder) throws IOException {
        Path out = Files.writeString(folder.resolve("out.jsonl"), "old");
        String line = "{\"id\": \"a\", \"prompt_ids\": [5, 6], \"max_new_tokens\": 2}\n";
        CommandRun run = CommandRun.run(line, false, "run", "--requests", "-", "--model", FP8, "--out", out.toString());
        assertThat(run.code()).as(run.toString()).isZero();
    }

    @Test
    void refusesToReplaceTheImportByResults(@TempDir Path folder) throws IOException {
        String prefill = folder.resolve("p.safetensors").toString();
        assertThat(CommandRun.hotrow("export", "--model", FP8, "--prompt-ids", "5,6,7,8", "--out", prefill)
                        .code())
                .isZero();
        long size = Files.size(Path.of(prefill));
        Path requests = Files.writeString(
                folder.resolve("r.jsonl"), "{\"id\": \"a\", \"prompt_ids\": [5, 6, 7, 8], \"max_new_tokens\": 2}\n");
        CommandRun run = CommandRun.hotrow(
                "run", "--requests", requests.toString(), "--model", FP8, "--import", prefill, "--out", prefill);
        assertThat(Files.size(Path.of(prefill))).as(run.toString()).isEqualTo(size);
        assertThat(run.code()).isEqualTo(2);
    }
}
