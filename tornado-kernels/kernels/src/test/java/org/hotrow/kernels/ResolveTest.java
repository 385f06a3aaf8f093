package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The resolver against a model of lists and maps, and together with the gather: every row found carries its own tag. */
class ResolveTest {
    private static final int SEATS = 3;
    private static final int UNITS = 2;
    private static final int LAYERS = 4;
    private static final int PAGES = 6;
    private static final int BLOCKS = 40;
    private static final int HOST_PAGES = 30;
    private static final int ROW_BYTES = 24;
    private static final float[] ODD = {Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, -0f, 0f, -1e30f};

    private final int[] blockTable = new int[SEATS * PAGES];
    private final int[] hostTable = new int[SEATS * PAGES];
    private final Random random = new Random(7);

    private static int[] hotTable(int hotBlocks) {
        int[] table = new int[SEATS * hotBlocks];
        // Blocks in no order, so that a row in the wrong one shows.
        for (int i = 0; i < table.length; i++) {
            table[i] = BLOCKS - 1 - (i * 7 % table.length);
        }
        return table;
    }

    /** Every page is somewhere; some are resident. */
    private void fillTables() {
        for (int i = 0; i < blockTable.length; i++) {
            hostTable[i] = 1 + i;
            blockTable[i] = random.nextInt(3) == 0 ? 1 + i : 0;
        }
    }

    private int[] selection(int width, int slots) {
        int[] list = new int[width];
        Arrays.fill(list, -1);
        int distinct = Math.min(width, slots);
        int around = random.nextInt(PAGES * 64);
        for (int i = 0; i < width; i++) {
            boolean masked = i >= distinct || random.nextInt(10) == 0;
            int near = Math.clamp(around + random.nextInt(4 * slots) - 2 * slots, 0, PAGES * 64 - 1);
            list[i] = masked ? -1 : near;
        }
        return list;
    }

    @ParameterizedTest
    @CsvSource({
        "1, LRU",
        "31, LRU",
        "32, LRU",
        "33, LRU",
        "63, LRU",
        "64, LRU",
        "65, LRU",
        "128, LRU",
        "1, SCORE",
        "31, SCORE",
        "64, SCORE",
        "65, SCORE",
        "128, SCORE"
    })
    void agreesWithTheModelAndEveryRowCarriesItsTag(int slots, Replacement replacement) {
        int hotBlocks = Math.ceilDiv(slots, 64);
        int[] hotTable = hotTable(hotBlocks);
        HotSlots hot = new HotSlots(SEATS, UNITS, slots, replacement);
        Resolve resolve = new Resolve(hot, blockTable, hostTable, PAGES, hotTable, hotBlocks);
        Map<Integer, RegionModel> models = new HashMap<>();
        Misses misses = new Misses();
        fillTables();
        try (Memories memories = new Memories()) {
            for (int step = 0; step < 400; step++) {
                int seat = random.nextInt(SEATS);
                int unit = random.nextInt(UNITS);
                if (random.nextInt(40) == 0) {
                    hot.reset(seat);
                    models.keySet().removeIf(key -> key / UNITS == seat);
                }
                int[] positions = selection(1 + random.nextInt(2 * slots), slots);
                int[] rows = new int[positions.length + 2];
                Arrays.fill(rows, 77);
                RegionModel model = models.computeIfAbsent(seat * UNITS + unit, key -> new RegionModel(slots));
                boolean byScore = replacement == Replacement.SCORE;
                // Now and then not, or not of the last positions.
                if (byScore && random.nextInt(5) > 0) {
                    int count = PAGES * 64 - random.nextInt(2) * 60;
                    float[] scores = scores(3 + count);
                    hot.score(seat, unit, scores, 3, count);
                    model.score(Arrays.copyOfRange(scores, 3, 3 + count), count);
                }
                misses.clear();
                resolve.resolve(seat, unit, positions, 0, positions.length, rows, 1, misses);

                check(seat, positions, rows, model, hotTable, hotBlocks, misses, byScore);
                assertThat(Arrays.copyOfRange(hot.order, hot.region(seat, unit), hot.region(seat, unit) + slots))
                        .containsExactly(model.order().stream().mapToInt(x -> x).toArray());
                for (int layer = unit; layer < LAYERS; layer += UNITS) {
                    memories.gather(layer, misses);
                    memories.check(layer, seat, positions, rows);
                }
            }
        }
    }

    /** Few different ones, so that some are equal, and odd ones. */
    private float[] scores(int count) {
        float[] scores = new float[count];
        for (int i = 0; i < count; i++) {
            scores[i] = random.nextInt(9) == 0 ? ODD[random.nextInt(ODD.length)] : random.nextInt(12) / 4f - 1;
        }
        return scores;
    }

    private void check(
            int seat,
            int[] positions,
            int[] rows,
            RegionModel model,
            int[] hotTable,
            int hotBlocks,
            Misses misses,
            boolean byScore) {
        List<Integer> lost = Arrays.stream(positions)
                .filter(p -> p >= 0 && blockTable[seat * PAGES + p / 64] == 0)
                .boxed()
                .toList();
        Map<Integer, Integer> loads = new HashMap<>();
        Map<Integer, Integer> slots = model.resolve(lost, loads, byScore);
        for (int i = 0; i < positions.length; i++) {
            int p = positions[i];
            int block = p < 0 ? 0 : blockTable[seat * PAGES + p / 64];
            int expected = p < 0
                    ? -1
                    : block != 0 ? block * 64 + p % 64 : hotRow(hotTable, seat * hotBlocks, slots.getOrDefault(p, -1));
            assertThat(rows[1 + i]).as("position %d", p).isEqualTo(expected);
        }
        assertThat(rows[0]).isEqualTo(77);
        assertThat(rows[rows.length - 1]).isEqualTo(77);
        Map<Integer, Integer> planned = new HashMap<>();
        for (int m = 0; m < misses.count(); m++) {
            planned.put(misses.hostRow[m], misses.row[m]);
        }
        Map<Integer, Integer> expected = new HashMap<>();
        loads.forEach((p, slot) ->
                expected.put(hostTable[seat * PAGES + p / 64] * 64 + p % 64, hotRow(hotTable, seat * hotBlocks, slot)));
        assertThat(planned).isEqualTo(expected);
        assertThat(misses.lookups()).isEqualTo(lost.size());
    }

    private static int hotRow(int[] hotTable, int at, int slot) {
        return hotTable[at + slot / 64] * 64 + slot % 64;
    }

    @Test
    void theLowestScoresMakeRoomAndOfEqualOnesTheOldest() {
        HotSlots hot = new HotSlots(1, 1, 4, Replacement.SCORE);
        Resolve resolve = new Resolve(hot, new int[2], new int[] {1, 2}, 2, new int[] {9}, 1);
        Misses misses = new Misses();
        int[] rows = new int[4];
        resolve.resolve(0, 0, new int[] {10, 11, 12, 13}, 0, 4, rows, 0, misses);
        float[] scores = new float[20];
        scores[10] = 3;
        scores[11] = Float.NaN;
        scores[12] = 3;
        scores[13] = 2;
        hot.score(0, 0, scores, 0, 20);
        resolve.resolve(0, 0, new int[] {13, 14, 15}, 0, 3, rows, 0, misses);
        // NaN is lowest, 13 is read, and 10 was loaded before 12.
        assertThat(hot.positionOf).containsExactly(14, 15, 12, 13);
        // Without a score, what was loaded stays.
        resolve.resolve(0, 0, new int[] {16, 17}, 0, 2, rows, 0, misses);
        assertThat(hot.positionOf).containsExactly(14, 15, 16, 17);
    }

    @Test
    void aListWhoseRowsAreResidentChangesNothing() {
        HotSlots hot = new HotSlots(1, 1, 4);
        Resolve resolve = new Resolve(hot, new int[] {5, 6}, new int[] {1, 2}, 2, new int[] {9}, 1);
        Misses misses = new Misses();
        int[] rows = new int[4];
        resolve.resolve(0, 0, new int[] {0, 63, 64, -1}, 0, 4, rows, 0, misses);
        assertThat(rows).containsExactly(5 * 64, 5 * 64 + 63, 6 * 64, -1);
        assertThat(hot.order).containsExactly(0, 1, 2, 3);
        assertThat(hot.positionOf).containsOnly(-1);
        assertThat(misses.count()).isZero();
        assertThat(misses.lookups()).isZero();
    }

    @Test
    void aWarmListIsAFixedPoint() {
        HotSlots hot = new HotSlots(1, 1, 4);
        Resolve resolve = new Resolve(hot, new int[2], new int[] {1, 2}, 2, new int[] {9}, 1);
        Misses misses = new Misses();
        int[] list = {7, 70, 7};
        int[] cold = new int[3];
        resolve.resolve(0, 0, list, 0, 3, cold, 0, misses);
        assertThat(cold).containsExactly(9 * 64, 9 * 64 + 1, 9 * 64);
        assertThat(misses.count()).isEqualTo(2);
        assertThat(misses.lookups()).isEqualTo(3);
        int[] order = hot.order.clone();
        int[] warm = new int[3];
        resolve.resolve(0, 0, list, 0, 3, warm, 0, misses);
        assertThat(warm).isEqualTo(cold);
        assertThat(hot.order).isEqualTo(order);
        assertThat(misses.count()).isEqualTo(2);
    }

    @Test
    void countsTheListsThatFitTogether() {
        HotSlots hot = new HotSlots(1, 1, 4);
        Resolve resolve = new Resolve(hot, new int[] {0, 3}, new int[] {1, 2}, 2, new int[] {9}, 1);
        int[] lists = {1, 2, 3, /**/ 3, 100, 4, /**/ 1, 2, -1, /**/ 5, 64, 1, /**/ 70, 71, 72};
        assertThat(resolve.fitting(0, lists, 0, 3, 5)).isEqualTo(3);
        assertThat(resolve.fitting(0, lists, 3, 3, 4)).isEqualTo(2);
        assertThat(resolve.fitting(0, lists, 9, 3, 2)).isEqualTo(2);
        assertThat(resolve.fitting(0, lists, 12, 3, 1)).isEqualTo(1);
        assertThat(resolve.fitting(0, lists, 0, 3, 0)).isZero();
        assertThatThrownBy(() -> resolve.fitting(0, new int[] {1, 2, 3, 4, 5}, 0, 5, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("5 positions of one token are not resident, and the hot region has 4");
        // Nothing of it is remembered.
        assertThat(resolve.fitting(0, lists, 0, 3, 5)).isEqualTo(3);
    }

    @Test
    void refusesAPageThatIsNowhere() {
        HotSlots hot = new HotSlots(2, 1, 4);
        Resolve resolve = new Resolve(hot, new int[2], new int[2], 1, new int[] {9, 0}, 1);
        assertThatThrownBy(() -> resolve.resolve(0, 0, new int[] {5}, 0, 1, new int[1], 0, new Misses()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("position 5 of seat 0 is neither on the device nor on the host");
        assertThatThrownBy(() -> resolve.resolve(1, 0, new int[] {5}, 0, 1, new int[1], 0, new Misses()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seat 1 has lost pages and has no hot region");
    }

    /** A slab and a host pool of several chunks, whose rows carry (seat, layer, position). */
    private final class Memories implements AutoCloseable {
        private static final int PAGES_PER_CHUNK = 7;
        private final Arena arena = Arena.ofConfined();
        private final long hostPageBytes = LAYERS * 64L * ROW_BYTES + 40;
        private final MemorySegment slab = arena.allocate((long) BLOCKS * LAYERS * 64 * ROW_BYTES);
        private final List<MemorySegment> host = new ArrayList<>();

        Memories() {
            for (int page = 0; page < HOST_PAGES; page += PAGES_PER_CHUNK) {
                host.add(arena.allocate(PAGES_PER_CHUNK * hostPageBytes));
            }
            for (int seat = 0; seat < SEATS; seat++) {
                for (int position = 0; position < PAGES * 64; position++) {
                    for (int layer = 0; layer < LAYERS; layer++) {
                        int hostPage = hostTable[seat * PAGES + position / 64];
                        write(
                                host.get(hostPage / PAGES_PER_CHUNK),
                                hostPage % PAGES_PER_CHUNK * hostPageBytes + inBlock(layer, position),
                                tag(seat, layer, position));
                        int block = blockTable[seat * PAGES + position / 64];
                        if (block != 0) {
                            write(slab, at(block * 64 + position % 64, layer), tag(seat, layer, position));
                        }
                    }
                }
            }
        }

        void gather(int layer, Misses misses) {
            long layerAt = layer * 64L * ROW_BYTES;
            Gather.rows(
                    misses,
                    0,
                    misses.count(),
                    host,
                    PAGES_PER_CHUNK,
                    new Gather.Layout(hostPageBytes, layerAt, ROW_BYTES),
                    slab,
                    new Gather.Layout(LAYERS * 64L * ROW_BYTES, layerAt, ROW_BYTES));
        }

        void check(int layer, int seat, int[] positions, int[] rows) {
            for (int i = 0; i < positions.length; i++) {
                if (positions[i] >= 0) {
                    for (int at = 0; at < ROW_BYTES; at += Long.BYTES) {
                        assertThat(slab.get(ValueLayout.JAVA_LONG, at(rows[1 + i], layer) + at))
                                .isEqualTo(tag(seat, layer, positions[i]) + at);
                    }
                }
            }
        }

        private long at(int row, int layer) {
            return row / 64 * (LAYERS * 64L * ROW_BYTES) + inBlock(layer, row);
        }

        private static long inBlock(int layer, int row) {
            return (layer * 64L + row % 64) * ROW_BYTES;
        }

        private static long tag(int seat, int layer, int position) {
            return seat * 1_000_000_000L + layer * 10_000_000L + position * 100L;
        }

        private static void write(MemorySegment memory, long at, long tag) {
            for (int i = 0; i < ROW_BYTES; i += Long.BYTES) {
                memory.set(ValueLayout.JAVA_LONG, at + i, tag + i);
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
