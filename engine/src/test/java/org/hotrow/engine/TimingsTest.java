package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts that follow one another without a gap, on a clock that the test sets. */
class TimingsTest {
    private static final Pattern LINE = Pattern.compile("(?m)^(.+?) +(-?\\d+) ms$");
    private static final String FP8 = Golden.resource("glm-tiny/tiny-fp8").toString();

    private long now = 1_000;
    private final Timings timings = new Timings(() -> now);

    private void endAt(long millis, String part) {
        now = millis;
        timings.end(part);
    }

    @Test
    void partsBeginWhereTheOneBeforeEnds() {
        endAt(1_020, "command line");
        endAt(1_050, "model opened");
        assertThat(timings.lines(null, 960))
                .containsExactly(
                        "JVM                  40 ms",
                        "command line         20 ms",
                        "model opened         30 ms",
                        "total                90 ms");
    }

    @Test
    void theLauncherComesFirstWhereItToldItsStart() {
        endAt(1_020, "command line");
        assertThat(timings.lines(900_400L, 960))
                .containsExactly(
                        "launcher             60 ms",
                        "JVM                  40 ms",
                        "command line         20 ms",
                        "total               120 ms");
    }

    @Test
    void theFirstTokenEndsTheLastPart() {
        TokenListener listener = timings.until(id -> id == 7);
        now = 1_100;
        listener.prefilled();
        now = 1_101;
        assertThat(listener.accept(7)).isTrue();
        endAt(1_300, "second token");
        assertThat(listener.accept(8)).isFalse();
        assertThat(timings.lines(null, 1_000))
                .containsExactly(
                        "JVM                   0 ms",
                        "prefill             100 ms",
                        "first token           1 ms",
                        "total               101 ms");
    }

    private static void assertParts(String err, String... parts) {
        List<MatchResult> lines = LINE.matcher(err).results().toList();
        assertThat(lines).extracting(line -> line.group(1)).containsExactly(parts);
        assertThat(lines.subList(0, lines.size() - 1).stream()
                        .mapToLong(line -> Long.parseLong(line.group(2)))
                        .sum())
                .isEqualTo(Long.parseLong(lines.getLast().group(2)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void generatePrintsPartsThatAddUpToTheTotal(String json) {
        CommandRun run = CommandRun.hotrow(
                ("generate --model " + FP8 + " --prompt-ids 1,2,3 --max-new-tokens 2 --ignore-eos --timings " + json)
                        .split(" "));
        assertThat(run.code()).isZero();
        assertParts(
                run.err(),
                "JVM",
                "command line",
                "model opened",
                "prompt encoded",
                "weights loaded",
                "prefill",
                "first token",
                "total");
        assertThat(run.out()).doesNotContain("total");
    }

    @Test
    void chatPrintsThemAfterTheFirstTurnOnly() {
        String model = "demo-model";
        CommandRun run =
                CommandRun.run("Hello\nHello\n", false, "chat", "--model", model, "--max-new-tokens", "1", "--timings");
        assertThat(run.code()).isZero();
        assertParts(
                run.err(),
                "JVM",
                "command line",
                "model opened",
                "weights loaded",
                "input awaited",
                "prompt encoded",
                "prefill",
                "first token",
                "total");
    }

    @Test
    void nothingIsPrintedUnasked() {
        CommandRun run = CommandRun.hotrow(
                "generate", "--model", FP8, "--prompt-ids", "1,2,3", "--max-new-tokens", "1", "--ignore-eos");
        assertThat(run.err()).doesNotContain(" ms");
    }
}
