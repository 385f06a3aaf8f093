package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The arithmetic of a run, on made-up times. */
class RunSummaryTest {
    private static final long START = 5_000_000_000L;
    private static final long MILLI = 1_000_000;

    private final RunSummary summary = new RunSummary(START);

    private String json(long end) {
        return JsonReport.line(json -> summary.write(json, CacheCounters.ZERO, SpeculationCounters.ZERO, end));
    }

    private static RunResult result(FinishReason reason, int prompt, int cached, int output, long millis) {
        return new RunResult(
                Optional.of("x"),
                Collections.nCopies(output, 1),
                "",
                reason,
                Optional.empty(),
                prompt,
                cached,
                OptionalLong.of(millis * MILLI),
                OptionalLong.of(10 * millis * MILLI),
                output < 2 ? OptionalLong.empty() : OptionalLong.of(2 * millis * MILLI),
                1);
    }

    @Test
    void requestsAreCountedByTheirEnds() {
        summary.add(result(FinishReason.STOP, 10, 4, 3, 1));
        summary.add(result(FinishReason.LENGTH, 20, 0, 5, 1));
        summary.add(result(FinishReason.LENGTH, 30, 8, 1, 1));
        summary.add(RunResult.refused(Optional.empty(), "no"));
        summary.add(RunResult.cancelled("y"));
        assertThat(json(START + 2_000 * MILLI))
                .contains(
                        "\"requests\":{\"total\":5,\"stop\":1,\"length\":2,\"cancelled\":1,\"error\":1}",
                        "\"wall_s\":2.0",
                        "\"usage\":{\"prompt_tokens\":60,\"completion_tokens\":9,\"cached_tokens\":12}",
                        "\"output_tokens_per_s\":4.5",
                        "\"total_tokens_per_s\":34.5",
                        "\"preemptions\":3",
                        "\"sessions_encoded_anew\":0",
                        "\"hot_lookups\":0");
        assertThat(summary.done()).isEqualTo(5);
    }

    @Test
    void runningRequestsAreWeighedByTime() {
        summary.running(2, START);
        summary.running(1, START + 10 * MILLI);
        summary.running(0, START + 30 * MILLI);
        assertThat(json(START + 40 * MILLI)).contains("\"mean_running\":1.0,\"peak_running\":2");
    }

    @Test
    void whatStillRunsAtTheEndCounts() {
        summary.running(3, START + 10 * MILLI);
        assertThat(json(START + 40 * MILLI)).contains("\"mean_running\":2.25,\"peak_running\":3");
    }

    @Test
    void percentilesAreThoseOfTheTimes() {
        for (int i = 1; i <= 100; i++) {
            summary.add(result(FinishReason.STOP, 1, 0, i == 1 ? 1 : 2, i));
        }
        String json = json(START + 1);
        // Three digits: a value stands for those up to 0.1 % above.
        assertThat(json)
                .containsPattern(
                        "\"queue_ms\":\\{\"p50\":50\\.0\\d*,\"p90\":90\\.0\\d*,\"p99\":99\\.0\\d*,\"max\":100\\.")
                .containsPattern("\"ttft_ms\":\\{\"p50\":500\\.[0-4]\\d*,\"p90\":900\\.[0-8]\\d*,")
                .containsPattern("\"tpot_ms\":\\{\"p50\":102\\.0\\d*,");
    }

    @Test
    void whatThereIsNotIsLeftOut() {
        summary.add(RunResult.refused(Optional.of("x"), "no"));
        assertThat(json(START)).doesNotContain("queue_ms", "ttft_ms", "tpot_ms", "null", "NaN");
        assertThat(JsonReport.line(RunResult.refused(Optional.empty(), "no")::write))
                .isEqualTo("{\"output_ids\":[],\"text\":\"\",\"finish_reason\":\"error\",\"error\":\"no\",\"usage\":"
                        + "{\"prompt_tokens\":0,\"completion_tokens\":0,\"cached_tokens\":0},\"timing\":{},"
                        + "\"preemptions\":0}\n");
    }

    @Test
    void theBarShowsHowFarARunIs() {
        assertThat(RunBar.line(3, 12, 4, 500, 2_000_000_000L))
                .isEqualTo("run [######                  ] 3 of 12 done, 4 running, 500 tok, 250.0 tok/s");
    }
}
