package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.HotMap;
import org.hotrow.bench.DraftedRegion.Drafts;
import org.junit.jupiter.api.Test;

class DraftedRegionTest {
    private static final int K = 64;
    private static final int STEPS = 400;
    private static final int WARM_UP = 100;

    private static List<int[]> stream(long seed) {
        SelectionStream stream = new SelectionStream(MissRates.LOCALITY, K, 4000, STEPS, seed);
        return Stream.generate(stream::next).limit(STEPS).toList();
    }

    /** Token t selects {@code 10 t .. 10 t + 9}: nothing that another one does. */
    private static List<int[]> disjoint() {
        return IntStream.range(0, STEPS)
                .mapToObj(t -> IntStream.range(10 * t, 10 * t + 10).toArray())
                .toList();
    }

    @Test
    void withoutDraftsItMissesWhatTheTableOfMissRatesSays() {
        List<int[]> stream = stream(1);
        for (int hotRows : new int[] {K, 2 * K, 4 * K}) {
            DraftedRegion region = DraftedRegion.of(stream, WARM_UP, Drafts.NONE, hotRows, 1);
            double rate = MissRates.missRate(stream, WARM_UP, new HotMap(hotRows, new ExactLru(hotRows)));
            assertThat(region.misses() / K).isCloseTo(rate, within(1e-12));
            assertThat(region.union()).isEqualTo(K);
            assertThat(region.tokens()).isOne();
        }
    }

    /** By hand: 4 rows of 10, of which regions of 10 to 40 rows hold 1 to 4; who is dropped isn't accepted. */
    @Test
    void rowsBeyondTheRegionAreDropped() {
        for (int room = 1; room <= 4; room++) {
            DraftedRegion region = DraftedRegion.of(disjoint(), WARM_UP, new Drafts(3, 4), 10 * room, 1);
            assertThat(region.union()).isEqualTo(40);
            assertThat(region.largestUnion()).isEqualTo(40);
            assertThat(region.dropped()).isEqualTo(4 - room);
            assertThat(region.tokens()).isCloseTo(room, within(1e-9));
            assertThat(region.misses()).isEqualTo(10 * room);
        }
    }

    /** Rows that are loaded for a guess which is wrong are there when its token comes after all. */
    @Test
    void whatAWrongGuessLoadedIsFoundNext() {
        DraftedRegion region = DraftedRegion.of(disjoint(), WARM_UP, new Drafts(3, 1), 40, 1);
        assertThat(region.tokens()).isOne();
        assertThat(region.misses()).isEqualTo(10);
    }

    @Test
    void guessesAreAcceptedAsOftenAsSaid() {
        Drafts drafts = new Drafts(3, 2.5);
        double p = drafts.acceptance();
        assertThat(1 + p + p * p + p * p * p).isCloseTo(2.5, within(1e-9));
        double tokens = IntStream.range(0, 20)
                .mapToDouble(seed ->
                        DraftedRegion.of(disjoint(), 0, drafts, 40, seed).tokens())
                .average()
                .orElseThrow();
        assertThat(tokens).isCloseTo(2.5, within(0.05));
    }

    @Test
    void theAdaptiveSizeHoldsAllUnionsBefore() {
        assertThat(DraftedRegion.fitting(disjoint(), WARM_UP, new Drafts(3, 2)))
                .as("40 rows")
                .isEqualTo(64);
        List<int[]> stream = stream(2);
        int largest = IntStream.range(0, WARM_UP - 3)
                .map(t -> (int) stream.subList(t, t + 4).stream()
                        .flatMapToInt(Arrays::stream)
                        .distinct()
                        .count())
                .max()
                .orElseThrow();
        int fitting = DraftedRegion.fitting(stream, WARM_UP, new Drafts(3, 2));
        assertThat(fitting).isBetween(largest, largest + 63);
        assertThat(fitting % 64).isZero();
    }

    /** A smaller region seats more, reads more, and the table says both. */
    @Test
    void theTableHasSeatsAndWhatTheyRead() {
        List<List<String>> lines = HotSizes.lines(List.of(stream(1)), WARM_UP, List.of(10_240, 4_096));
        assertThat(lines)
                .hasSize(5)
                .allMatch(line -> line.size() == lines.getFirst().size());
        assertThat(lines.get(1).subList(0, 4)).containsExactly("0", "4096", "35", "41");
        assertThat(lines.get(2).subList(0, 4)).containsExactly("3", "10240", "20", "24");
        assertThat(lines.get(3).subList(0, 4)).containsExactly("3", "4096", "35", "40");
        assertThat(lines.getLast().get(1)).endsWith(" (adaptive)");
        assertThat(HotSizes.run("--cvs", "x")).isEqualTo(2);
        assertThat(HotSizes.run("--csv")).isEqualTo(2);
    }
}
