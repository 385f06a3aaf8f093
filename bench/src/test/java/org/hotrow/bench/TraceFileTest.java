package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.hotrow.bench.Conversation.Turn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFileTest {
    private static final String GOOD = """
            {"session":"a","block_tokens":64,"turns":[%s]}
            """;
    private static final String FIRST = turn(0, 130, 70, "[[1,2]]");

    @TempDir
    private Path folder;

    private static String turn(double t, int prompt, int output, String blocks) {
        return "{\"t\":" + t + ",\"prompt_tokens\":" + prompt + ",\"output_tokens\":" + output + ",\"blocks\":" + blocks
                + "}";
    }

    private List<Conversation> read(String text) throws IOException {
        return TraceFile.read(Files.writeString(folder.resolve("trace.jsonl"), text));
    }

    private static int[] ids(Turn turn) {
        int[] ids = new int[turn.prompt() + turn.output()];
        Arrays.setAll(ids, turn.ids());
        return ids;
    }

    @Test
    void readsEveryLine() throws IOException {
        String text = GOOD.formatted(FIRST + "," + turn(2.5, 200, 0, "[[1,2],[7,1]]")) + GOOD.formatted(FIRST);
        List<Conversation> conversations = read(text);
        assertThat(conversations).hasSize(2);
        Turn second = conversations.getFirst().turns().get(1);
        assertThat(second.start()).isEqualTo(2.5);
        assertThat(second.prompt()).isEqualTo(200);
        assertThat(second.output()).isZero();
        assertThat(second.promptIds()).hasSize(200);
    }

    @Test
    void readsGzip() throws IOException {
        Path file = folder.resolve("trace.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(GOOD.formatted(FIRST).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(TraceFile.read(file)).hasSize(1);
    }

    /** Blocks 1, 2 and then 9 instead of 3: the same tokens in the first 128 positions only. */
    @Test
    void equalBlocksAreEqualTokens() throws IOException {
        List<Turn> turns = read(GOOD.formatted(turn(0, 192, 10, "[[1,3]]") + "," + turn(1, 192, 10, "[[1,2],[9,1]]")))
                .getFirst()
                .turns();
        int[] first = ids(turns.get(0));
        int[] second = ids(turns.get(1));
        assertThat(Arrays.mismatch(first, second)).isEqualTo(128);
        assertThat(Arrays.equals(first, 128, 192, second, 128, 192)).isFalse();
        assertThat(Arrays.stream(first).distinct().count()).isGreaterThan(200);
    }

    /** The rest of a prompt and the output are what the next prompt has there, if it continues. */
    @Test
    void outputsAreFoundInTheNextPrompt() throws IOException {
        List<Turn> turns = read(GOOD.formatted(
                        FIRST + "," + turn(1, 190, 40, "[[1,2]]") + "," + turn(2, 320, 5, "[[1,5]]")))
                .getFirst()
                .turns();
        assertThat(ids(turns.get(2))).startsWith(ids(turns.get(0))).startsWith(ids(turns.get(1)));
    }

    @Test
    void sessionsShareNothing() throws IOException {
        List<Conversation> two = read(GOOD.formatted(FIRST) + GOOD.formatted(FIRST));
        int[] one = ids(two.get(0).turns().getFirst());
        int[] other = ids(two.get(1).turns().getFirst());
        for (int page = 0; page < 3; page++) {
            assertThat(Arrays.equals(one, 64 * page, 64 * page + 64, other, 64 * page, 64 * page + 64))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{|not JSON",
                "[]|expected an object",
                "{\"block_tokens\":64,\"turns\":[]}|at least one turn",
                "{\"turns\":[]}|block_tokens",
                "{\"block_tokens\":16,\"turns\":[]}|block_tokens: 16, expected 64",
                "{\"block_tokens\":64,\"turns\":[{\"t\":0}]}|turns[0].: expected fields",
                "{\"block_tokens\":64,\"turns\":[{\"t\":\"x\"}]}|turns[0].t: expected a number",
                "{\"block_tokens\":64,\"turns\":[{\"t\":-1}]}|turns[0].t: -1.0",
                "{\"block_tokens\":64,\"turns\":[{\"prompt_tokens\":0}]}|turns[0].prompt_tokens: 0, expected 1 to",
                "{\"block_tokens\":64,\"turns\":[{\"prompt_tokens\":1e3}]}|turns[0].prompt_tokens: expected an integer",
                "{\"block_tokens\":64,\"turns\":[{\"output_tokens\":99999999999999999999}]}|turns[0].output_tokens: expected",
                "{\"block_tokens\":64,\"turns\":[{\"blocks\":[[1,0]]}]}|turns[0].blocks: 0, expected 1 to",
                "{\"block_tokens\":64,\"turns\":[{\"blocks\":[[1,2,3]]}]}|turns[0].blocks: expected an array",
                "{\"block_tokens\":64,\"turns\":[{\"blocks\":[[1,2000000000]]}]}|turns[0].blocks: 2000000000, expected",
                "{\"block_tokens\":64,\"block_tokens\":64}|not JSON",
            })
    void refusesBadLinesByNumberAndField(String line, String problem) {
        assertThatThrownBy(() -> read(GOOD.formatted(FIRST) + line + "\n"))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("trace.jsonl, line 2: ")
                .hasMessageContaining(problem);
    }

    @Test
    void refusesBlocksThatAreNotThePromptsAndTimesThatGoBack() {
        assertThatThrownBy(() -> read(GOOD.formatted(turn(0, 130, 1, "[[1,3]]"))))
                .hasMessageContaining("line 1: turns[0].blocks: 3 blocks, expected 2");
        assertThatThrownBy(() -> read(GOOD.formatted(turn(5, 130, 1, "[[1,2]]") + "," + turn(4, 130, 1, "[[1,2]]"))))
                .hasMessageContaining("turns[1].t: 4.0, expected 5.0 or later");
        assertThatThrownBy(() -> read("")).isInstanceOf(TraceException.class).hasMessageContaining("no session");
        assertThatThrownBy(() -> TraceFile.read(folder.resolve("absent"))).isInstanceOf(UncheckedIOException.class);
    }
}
