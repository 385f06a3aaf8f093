package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.FarthestBelow;
import org.hotrow.allocator.HotMap;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Slots of hot rows over random steps, against the hot maps: requests of one row, of several that are verified together, and
 * of a prompt's rows in as many groups as it takes. Only the scores of a request's first row in the step count.
 */
class CpuHotRowsTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int SEATS = 3;
    private static final int MOST_ROWS = 4;
    private static final int TOKENS = 600;

    private final Random random = new Random(7);

    @ParameterizedTest
    @CsvSource({"64, LRU", "64, SCORE", "128, SCORE", "256, SCORE"})
    void agreesWithHotMaps(int slots, Replacement replacement) {
        CacheConfig config =
                new CacheConfig(KvPolicy.HYBRID, 40, slots, 30, TOKENS, SEATS, CacheConfig.NONE, 3).with(replacement);
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-bf16"));
                Workers workers = new Workers(1);
                KvCache cache = new KvCache(model.config(), FORMAT, config, 0, KvCache.Memory.here())) {
            World world = new World(
                    cache, slots, replacement, model.config().indexer().topK(), workers);
            for (int i = 0; i < 300; i++) {
                world.step();
            }
            assertThat(world.dropped > 0).as("dropped guesses").isEqualTo(slots < 256);
            assertThat(world.groups > 450).as("more groups than steps").isEqualTo(slots < 256);
            assertThat(world.rows.hits()).isPositive();
        }
    }

    private final class World {
        private final StepArrays step = new StepArrays(SEATS * MOST_ROWS, SEATS * MOST_ROWS, SEATS, 10, 3, 4);
        private final KvCache cache;
        private final List<Integer> anchors;
        private final HotMap[][] maps;
        private final CpuHotRows rows;
        private final int slots;
        private final int k;
        private int dropped;
        private int groups;

        World(KvCache cache, int slots, Replacement replacement, int k, Workers workers) {
            this.cache = cache;
            this.slots = slots;
            this.k = k;
            anchors = cache.geometry().anchorLayers();
            rows = new CpuHotRows(step, cache, anchors, workers);
            maps = new HotMap[SEATS][anchors.size()];
            for (HotMap[] ofSeat : maps) {
                Arrays.setAll(
                        ofSeat,
                        unit -> new HotMap(
                                slots,
                                replacement == Replacement.LRU ? new ExactLru(slots) : new FarthestBelow(slots, 0.5f)));
            }
            Arrays.setAll(step.hostTable, i -> 1 + i);
            Arrays.setAll(step.hotTable, i -> 1 + i);
        }

        void step() {
            step.clear();
            if (random.nextInt(30) == 0) {
                int seat = random.nextInt(SEATS);
                cache.hot().reset(seat);
                Arrays.stream(maps[seat]).forEach(HotMap::reset);
            }
            int first = random.nextInt(SEATS);
            for (int i = 0; i < SEATS; i++) {
                int many = random.nextInt(MOST_ROWS + 1);
                int guesses = random.nextBoolean() ? 0 : 1;
                for (int t = 0; t < many; t++) {
                    step.addRow((first + i) % SEATS, 0, TOKENS - MOST_ROWS + t, false);
                    step.guessed[step.rows() - 1] = guesses * t > 0;
                }
            }
            int unit = random.nextInt(anchors.size());
            CpuInts positions = selections();
            float[][] scores = new float[step.rows()][];
            // Workers may tell the rows in any order.
            for (int t = step.rows() - 1; t >= 0; t--) {
                scores[t] = new float[2 + TOKENS];
                for (int p = 0; p < TOKENS; p++) {
                    scores[t][2 + p] = random.nextInt(40) / 4f - 3;
                }
                rows.score(anchors.get(unit), t, scores[t], 2, TOKENS);
            }
            CpuInts found = CpuInts.of(step.maxRows, k);
            rows.resolve(anchors.get(unit), positions, found);
            groups += rows.groups();
            for (int t = 0; t < step.rows(); ) {
                t = check(unit, t, positions, scores[t], found);
            }
        }

        private CpuInts selections() {
            CpuInts positions = CpuInts.of(step.maxRows, k);
            for (int t = 0; t < step.rows(); t++) {
                int around = random.nextInt(TOKENS - 3 * k);
                TreeSet<Integer> some = new TreeSet<>();
                while (some.size() < k) {
                    some.add(around + random.nextInt(3 * k));
                }
                int i = positions.at(t);
                for (int position : some) {
                    positions.data()[i++] = position;
                }
            }
            return positions;
        }

        /** The rows of a request from t on; the result is the row behind them. */
        private int check(int unit, int t, CpuInts positions, float[] scores, CpuInts found) {
            int seat = step.request[t];
            int end = t;
            while (end < step.rows() && step.request[end] == seat) {
                end++;
            }
            float[] known = Arrays.copyOfRange(scores, 2, scores.length);
            for (int from = t; from < end; ) {
                TreeSet<Integer> union = new TreeSet<>();
                int to = from;
                do {
                    Arrays.stream(list(positions, to++)).forEach(union::add);
                } while (to < end && fits(union, list(positions, to)));
                int[] group = Arrays.copyOfRange(positions.data(), positions.at(from), positions.at(to - 1) + k);
                int[] slotOf = new int[group.length];
                if (from == t) {
                    maps[seat][unit].resolve(group, group.length, slotOf, known);
                } else {
                    maps[seat][unit].resolve(group, group.length, slotOf);
                }
                int[] expected = Arrays.stream(slotOf)
                        .map(slot -> step.hotTable[seat * step.maxHotBlocks + slot / 64] * 64 + slot % 64)
                        .toArray();
                assertThat(Arrays.copyOfRange(found.data(), found.at(from), found.at(to - 1) + k))
                        .isEqualTo(expected);
                from = to;
                if (to < end && step.guessed[to]) {
                    assertThat(step.dropped[to]).isTrue();
                    assertThat(list(found, to)).containsOnly(-1);
                    dropped += end - to;
                    from = end;
                }
            }
            return end;
        }

        private boolean fits(Set<Integer> union, int[] more) {
            Set<Integer> both = new HashSet<>(union);
            Arrays.stream(more).forEach(both::add);
            return both.size() <= slots;
        }

        private int[] list(CpuInts of, int row) {
            return Arrays.copyOfRange(of.data(), of.at(row), of.at(row) + k);
        }
    }
}
