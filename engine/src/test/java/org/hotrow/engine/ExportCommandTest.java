package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From one run to another by a file. */
class ExportCommandTest {
    private static final String MODEL = Golden.resource("glm-tiny/tiny-fp8").toString();
    private static final String PROMPT = Arrays.stream(ModelAndText.SPARSE.ints("input_ids"))
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(","));
    private static final int LENGTH = ModelAndText.SPARSE.ints("input_ids").length;

    @TempDir
    private Path folder;

    private static CommandRun run(String command, String... flags) {
        Stream<String> model = Stream.of(command, "--model", MODEL);
        return CommandRun.hotrow(Stream.concat(model, Arrays.stream(flags)).toArray(String[]::new));
    }

    private static CommandRun generate(String... flags) {
        String[] greedy = {"--max-new-tokens", "12", "--temperature", "0", "--ignore-eos", "--json"};
        return run(
                "generate",
                Stream.concat(Arrays.stream(greedy), Arrays.stream(flags)).toArray(String[]::new));
    }

    private static String outputIds(CommandRun run) {
        assertThat(run.code()).as(run.err()).isZero();
        var found = Pattern.compile("\"output_ids\":\\[([0-9,]+)]").matcher(run.out());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @ParameterizedTest
    @CsvSource({
        "fp8, ''",
        "bf16, ''",
        "fp32, ''",
        "fp8, --kv-policy offload",
        "fp8, --kv-policy recompute",
        "fp8, --kv-policy resident",
        "fp8, --kv-blocks 6 --device-buffer-size 64",
        "bf16, --kv-blocks 6 --device-buffer-size 64"
    })
    void anotherRunGoesOnFromTheFile(String dtype, String flags) throws IOException {
        Path file = folder.resolve("prefill");
        CommandRun export = run("export", "--prompt-ids", PROMPT, "--kv-dtype", dtype, "--out", file.toString());
        assertThat(export.code()).as(export.err()).isZero();
        assertThat(export.out()).isEmpty();
        assertThat(export.err()).contains("prompt " + LENGTH + " tok", file.toString());
        String expected = outputIds(generate("--prompt-ids", PROMPT, "--kv-dtype", dtype));
        for (String prompt : new String[] {"--prompt-ids " + PROMPT, ""}) {
            String[] all = ("--import " + file + " --kv-dtype " + dtype + " " + prompt + " " + flags)
                    .trim()
                    .split(" +");
            CommandRun imported = generate(all);
            assertThat(outputIds(imported)).isEqualTo(expected);
            assertThat(imported.out()).contains("\"cached_tokens\":" + (LENGTH - 1) + "}");
            assertThat(imported.out()).doesNotContain("\"bytes_imported\":0");
        }
        assertThat(folder.toFile().list()).containsExactly("prefill");
    }

    /** With drafts a file has rows of the MTP layer; without them it is for caches that have none. */
    @Test
    void draftsGoOnFromAFileThatHasTheirRows() {
        String[] files = {
            folder.resolve("without").toString(), folder.resolve("with").toString()
        };
        assertThat(run("export", "--prompt-ids", PROMPT, "--out", files[0]).code())
                .isZero();
        assertThat(run("export", "--prompt-ids", PROMPT, "--speculative-tokens", "2", "--out", files[1])
                        .code())
                .isZero();
        CommandRun imported = generate("--import", files[1], "--speculative-tokens", "3");
        assertThat(outputIds(imported)).isEqualTo(outputIds(generate("--prompt-ids", PROMPT)));
        assertThat(imported.out()).contains("\"cached_tokens\":" + (LENGTH - 1) + "}");
        for (String[] wrong : new String[][] {{files[0], "1"}, {files[1], "0"}}) {
            CommandRun refused = generate("--import", wrong[0], "--speculative-tokens", wrong[1]);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err())
                    .contains(wrong[0] + ": geometry: is \"layers=", "layers=4", "layers=5", "--speculative-tokens");
        }
    }

    @Test
    void refusesAFileOfAnotherFormat() {
        Path file = folder.resolve("prefill");
        assertThat(run("export", "--prompt-ids", "1,2,3", "--out", file.toString())
                        .code())
                .isZero();
        CommandRun refused = generate("--import", file.toString(), "--kv-dtype", "fp32");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains(file + ": geometry: is \"layers=4 rows=fp8:656")
                .contains("rows=fp32:2304");
        CommandRun unlike = generate("--import", file.toString(), "--prompt-ids", "2,2,3");
        assertThat(unlike.code()).isEqualTo(2);
        assertThat(unlike.err()).contains("begins with 1 and the prompt with 2 at [0]");
        CommandRun small = generate("--import", file.toString(), "--kv-blocks", "2");
        assertThat(small.code()).isEqualTo(2);
        assertThat(small.err()).contains("needs a pool of 3 blocks", "--kv-blocks");
        CommandRun none = generate("--import", folder.resolve("none").toString(), "--prompt-ids", "1");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("none: is missing");
    }

    @Test
    void refusesNamesThatNoFileCanHaveBeforeItLoads() {
        for (String out : new String[] {folder.resolve("no/x").toString(), folder.toString(), "/dev/null"}) {
            CommandRun refused = run("export", "--prompt-ids", "1,2,3", "--out", out);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("--out " + out);
        }
        assertThat(run("export", "--prompt-ids", "1,2,3").err()).contains("--out");
        assertThat(run("export", "--out", folder.resolve("x").toString()).code())
                .isEqualTo(2);
    }

    @Test
    void replacesAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("prefill"), "old");
        assertThat(run("export", "--prompt-ids", "1,2,3", "--out", file.toString())
                        .code())
                .isZero();
        assertThat(outputIds(generate("--import", file.toString())))
                .isEqualTo(outputIds(generate("--prompt-ids", "1,2,3")));
        assertThat(folder.toFile().list()).containsExactly("prefill");
    }
}
