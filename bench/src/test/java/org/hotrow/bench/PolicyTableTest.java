package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.HotMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two short streams of a quarter of the published size. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyTableTest {
    private static final int K = 512;
    private static final int STEPS = 160;
    private static final int WARM_UP = 60;
    private static final int ONCE = PolicyTable.SIZES.indexOf(1.0);
    private static final int TWICE = PolicyTable.SIZES.indexOf(2.0);

    private final List<Recording> recordings = List.of(recording(1), recording(2));
    private final PolicyTable table = new PolicyTable();

    @BeforeAll
    void fill() {
        recordings.forEach(recording -> table.add("short", recording));
    }

    private static Recording recording(long seed) {
        return Recording.of(new SelectionStream(MissRates.LOCALITY, K, 40 * K, STEPS, seed), STEPS, WARM_UP);
    }

    private static int row(String policy) {
        assertThat(PolicyTable.NAMES).contains(policy);
        return PolicyTable.NAMES.indexOf(policy);
    }

    @Test
    void leastRecentlyUsedIsAsInMissRates() {
        for (int size = 0; size < PolicyTable.SIZES.size(); size++) {
            int slots = (int) (PolicyTable.SIZES.get(size) * K);
            double mean = recordings.stream()
                    .mapToDouble(of -> MissRates.missRate(of.lists(), WARM_UP, new HotMap(slots, new ExactLru(slots))))
                    .average()
                    .orElseThrow();
            assertThat(table.rate("short", 0, size)).isCloseTo(mean, within(1e-12));
        }
    }

    /** A region of one selection holds that selection, whatever was replaced; above, Belady's misses are the fewest. */
    @Test
    void nothingMissesLessThanBelady() {
        int belady = row("needed latest (Belady)");
        for (int policy = 0; policy < belady; policy++) {
            assertThat(table.rate("short", policy, ONCE)).isEqualTo(table.rate("short", 0, ONCE));
            for (int size = ONCE + 1; size < PolicyTable.SIZES.size(); size++) {
                assertThat(table.rate("short", policy, size)).isGreaterThan(table.rate("short", belady, size));
            }
        }
    }

    /** They are told scores: without any they are the least recently used. */
    @Test
    void scoresTellWhatIsFarthestBelow() {
        double lru = table.rate("short", 0, TWICE);
        assertThat(table.rate("short", row("FarthestBelow 0.5"), TWICE)).isLessThan(0.95 * lru);
        assertThat(table.rate("short", row("BarelySelected 0.1"), TWICE)).isNotEqualTo(lru);
    }

    @Test
    void linesSayRatesAndChanges() {
        int below = row("FarthestBelow 0.5");
        List<List<String>> lines = table.lines();
        assertThat(lines).hasSize(1 + PolicyTable.NAMES.size()).allMatch(line -> line.size() == 8);
        assertThat(lines.getFirst())
                .startsWith("selections", "policy", "1x top-k", "1.5x top-k", "2x top-k", "3x top-k", "4x top-k");
        double lru = 100 * table.rate("short", 0, TWICE);
        double rate = 100 * table.rate("short", below, TWICE);
        assertThat(lines.get(1).get(4)).isEqualTo(String.format(Locale.ROOT, "%.1f %%", lru));
        assertThat(lines.get(1 + below).subList(0, 2)).containsExactly("short", "FarthestBelow 0.5");
        assertThat(lines.get(1 + below).get(4))
                .isEqualTo(String.format(Locale.ROOT, "%.1f %% (%+.1f %%)", rate, 100 * (rate - lru) / lru));
    }

    /** The last column is of each recording alone. */
    @Test
    void changesOfRecordingsAreASpread() {
        int below = row("FarthestBelow 0.5");
        double[] changes = recordings.stream()
                .mapToDouble(recording -> {
                    PolicyTable alone = new PolicyTable();
                    alone.add("one", recording);
                    return 100 * (alone.rate("one", below, TWICE) / alone.rate("one", 0, TWICE) - 1);
                })
                .sorted()
                .toArray();
        assertThat(changes[0]).isLessThan(changes[1] - 0.1);
        assertThat(table.lines().get(1 + below).getLast())
                .isEqualTo(String.format(Locale.ROOT, "%+.1f to %+.1f %%", changes[0], changes[1]));
        assertThat(table.lines().get(1).getLast()).isEmpty();
    }

    @Test
    void theReportReadsIt(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("policies.csv");
        table.write(csv);
        System.setProperty("java.awt.headless", "true");
        new ReportPage(new BenchRun(Map.of("profile", "quick"), List.of()), Optional.of(csv), false).write(folder);
        List<List<String>> lines = table.lines();
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| " + String.join(" | ", lines.getFirst())
                        + " |\n|---|---|---|---|---|---|---|---|\n| short | ")
                .endsWith("| " + String.join(" | ", lines.getLast()) + " |\n");
    }

    @Test
    void takesArguments() {
        assertThat(PolicyOptions.parse("--policies")).isEqualTo(new PolicyOptions(Optional.empty(), 2));
        assertThat(PolicyOptions.parse("--texts", "5", "--policies", "--csv", "a.csv"))
                .isEqualTo(new PolicyOptions(Optional.of(Path.of("a.csv")), 5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--texts 2               | --texts: only with --policies",
                "--policies --texts 0    | --texts: '0', expected 1 to 5",
                "--policies --texts 6    | --texts: '6', expected 1 to 5",
                "--policies --texts two  | --texts: 'two', expected 1 to 5",
                "--policies --csv        | --csv: a value is missing",
                "--policies --csv no/a.c | --csv: 'no/a.c', expected a file in a folder that exists",
                "--policies --csv src    | --csv: 'src', expected a file in a folder that exists",
                "--policies --text 2     | --text: unknown argument",
            })
    void refusesOthers(String arguments, String message) {
        assertThatThrownBy(() -> PolicyOptions.parse(arguments.split(" "))).hasMessage(message);
        assertThat(MissRates.run(arguments.split(" "))).isEqualTo(2);
    }
}
