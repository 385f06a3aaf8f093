package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the cache's flags do to one command, seen from outside. The model selects 64 positions. */
class CacheFlagsTest {
    private static final String MODEL = Golden.resource("glm-tiny/tiny-fp8").toString();
    private static final int PROMPT = 900;
    private static final int GENERATED = 30;

    /** 930 tokens: 15 pages, and their keys in 2 index blocks of 576 tokens. */
    private static CommandRun generate(String... more) {
        String ids = IntStream.range(0, PROMPT)
                .map(i -> i * 37 % 340)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        List<String> args = new ArrayList<>(List.of(
                "generate",
                "--model",
                MODEL,
                "--prompt-ids",
                ids,
                "--max-new-tokens",
                "" + GENERATED,
                "--ignore-eos",
                "--temperature",
                "0",
                "--json"));
        args.addAll(List.of(more));
        return CommandRun.hotrow(args.toArray(String[]::new));
    }

    private static String outputIds(CommandRun run) {
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        Matcher ids = Pattern.compile("\"output_ids\":(\\[[0-9,]*\\])").matcher(run.out());
        assertThat(ids.find()).isTrue();
        return ids.group(1);
    }

    private static long counter(CommandRun run, String name) {
        Matcher value =
                Pattern.compile("\"kv\":\\{[^}]*\"" + name + "\":([0-9]+)").matcher(run.out());
        assertThat(value.find()).as(name).isTrue();
        return Long.parseLong(value.group(1));
    }

    @Test
    void withoutAFlagWhatMakesRoomIsTheDefault() {
        CacheFlags flags = new CacheFlags();
        CommandLine.populateCommand(flags);
        assertThat(flags.options().replacement()).isEqualTo(CacheOptions.DEFAULT_REPLACEMENT);
    }

    @ParameterizedTest
    @CsvSource({
        "hybrid, 18, false, true",
        "hybrid, 17, true, true",
        "hybrid, 7, true, true",
        "offload, 18, false, true",
        "recompute, 18, false, false",
        "resident, 18, false, false"
    })
    void thePolicyChangesTheCountersAndNotTheTokens(String policy, int blocks, boolean spills, boolean writesBack) {
        String expected = outputIds(generate());
        CommandRun run = generate("--kv-policy", policy, "--kv-blocks", "" + blocks, "--device-buffer-size", "64");
        assertThat(outputIds(run)).isEqualTo(expected);
        long lookups = counter(run, "hot_lookups");
        long hits = counter(run, "hot_hits");
        long rows = counter(run, "host_rows_read");
        assertThat(lookups > 0).isEqualTo(spills);
        assertThat(hits > 0).isEqualTo(spills);
        assertThat(hits).isLessThanOrEqualTo(lookups);
        // Two units, of one layer and of three.
        assertThat(rows).isBetween(lookups - hits, 3 * (lookups - hits));
        assertThat(counter(run, "host_bytes_read")).isEqualTo(656 * rows);
        assertThat(counter(run, "spilled_pages") > 0).isEqualTo(spills);
        assertThat(counter(run, "bytes_written_back") > 0).isEqualTo(writesBack);
        assertThat(counter(run, "peak_device_blocks")).isBetween(1L, blocks - 1L);
    }

    @Test
    void theSmallestPoolIsTheNumberThatTheRefusalNames() {
        CommandRun refused = generate("--kv-blocks", "6", "--device-buffer-size", "64");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains(
                        "the cache is too small: request of up to 930 tokens: needs a pool of 7 blocks, this one has 6")
                .contains("--kv-blocks");
        outputIds(generate("--kv-blocks", "7", "--device-buffer-size", "64"));

        // The default hot region is two selections.
        assertThat(generate("--kv-blocks", "7").err()).contains("needs a pool of 8 blocks");
        outputIds(generate("--kv-blocks", "8"));
    }

    @Test
    void aHostPoolThatIsTooSmallIsNamedWithItsPages() {
        CommandRun refused = generate("--kv-blocks", "10", "--host-pool-mib", "1");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("needs a pool of 18 blocks, this one has 10")
                .contains("or 8 blocks with 15 pages of host pool");
        outputIds(generate("--kv-blocks", "10", "--host-pool-mib", "4"));
        outputIds(generate("--kv-blocks", "10", "--host-pool-gib", "0.005"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--kv-blocks 1",
                "--kv-blocks -3",
                "--kv-blocks 2000000000",
                "--kv-blocks many",
                "--device-buffer-size 63",
                "--device-buffer-size 0",
                "--host-pool-gib 0",
                "--host-pool-gib -1",
                "--host-pool-gib 1e30",
                "--host-pool-gib NaN",
                "--host-pool-gib 0.0000001",
                "--host-pool-mib 0",
                "--host-pool-mib 1.5",
                "--host-pool-mib 5 --host-pool-gib 1",
                "--host-pool-mib 5 --kv-policy resident",
                "--host-pool-gib 1 --kv-policy recompute",
                "--kv-policy fast",
                "--fault host-row=-1",
                "--fault host-row=",
                "--fault host-row=3000000000",
                "--fault row=3"
            })
    void aValueThatCannotBeIsRefusedByItsFlag(String flags) {
        String[] words = flags.split(" ");
        CommandRun refused = generate(words);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains(words[0]);
        assertThat(refused.err().lines()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aDamagedHostRowShowsWhereRowsAreReadFrom() {
        String sound = outputIds(generate());
        String[] small = {"--kv-blocks", "7", "--device-buffer-size", "64", "--fault", ""};
        int changed = 0;
        for (int position : new int[] {3, 100, 250, 400, 600}) {
            small[5] = "host-row=" + position;
            changed += outputIds(generate(small)).equals(sound) ? 0 : 1;
            assertThat(outputIds(generate("--fault", small[5]))).isEqualTo(sound);
            assertThat(outputIds(generate("--fault", small[5], "--kv-policy", "offload")))
                    .isEqualTo(sound);
        }
        assertThat(changed).isPositive();
        small[5] = "host-row=" + (PROMPT + GENERATED);
        assertThat(outputIds(generate(small))).isEqualTo(sound);
    }
}
