package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotMapTest {
    /** Lookups around the size of a selection: the region is filled, rotates, and is smaller than what was asked for. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 32, 33, 63, 64, 65, 128, 129})
    void agreesWithAListOfPositionsByAge(int slots) {
        Random random = new Random(slots);
        HotMap map = new HotMap(slots, new ExactLru(slots));
        int[] rows = new int[slots];
        List<Integer> model = new ArrayList<>();
        long lookups = 0;
        long misses = 0;
        for (int step = 0; step < 300; step++) {
            int[] positions = selection(random, slots);
            int[] found = new int[positions.length];
            map.resolve(positions, positions.length, found);
            map.check();
            Set<Integer> wanted = new LinkedHashSet<>(
                    Arrays.stream(positions).filter(p -> p >= 0).boxed().toList());
            misses += checkMisses(map, wanted, model, rows);
            for (int i = 0; i < positions.length; i++) {
                assertThat(found[i] < 0 ? -1 : rows[found[i]]).isEqualTo(positions[i]);
            }
            age(model, wanted, slots);
            lookups += Arrays.stream(positions).filter(p -> p >= 0).count();
            assertThat(map.lookups()).isEqualTo(lookups);
            assertThat(map.hits()).isEqualTo(lookups - misses);
            if (random.nextInt(40) == 0) {
                map.reset();
                model.clear();
                Arrays.fill(rows, -7);
            }
        }
        assertThat(misses).isPositive();
    }

    private static int[] selection(Random random, int slots) {
        int[] positions = new int[slots];
        for (int i = 0; i < slots; i++) {
            positions[i] = random.nextInt(10) == 0 ? -1 : random.nextInt(3 * slots) + 10_000;
        }
        return positions;
    }

    /** Loads the misses into {@code rows} and compares them with the wanted positions that the model does not hold. */
    private static int checkMisses(HotMap map, Set<Integer> wanted, List<Integer> model, int[] rows) {
        List<Integer> missing = wanted.stream().filter(p -> !model.contains(p)).toList();
        assertThat(map.misses()).isEqualTo(missing.size());
        for (int i = 0; i < missing.size(); i++) {
            assertThat(map.missPosition(i)).isEqualTo(missing.get(i));
            rows[map.missSlot(i)] = map.missPosition(i);
        }
        return missing.size();
    }

    /** The oldest positions leave; what was loaded joins behind the rest, what was found behind that. */
    private static void age(List<Integer> model, Set<Integer> wanted, int slots) {
        List<Integer> found = model.stream().filter(wanted::contains).toList();
        List<Integer> loaded = wanted.stream().filter(p -> !model.contains(p)).toList();
        model.removeAll(found);
        while (model.size() + loaded.size() + found.size() > slots) {
            model.removeFirst();
        }
        model.addAll(loaded);
        model.addAll(found);
    }

    @Test
    void keepsTheDocumentedOrder() {
        ExactLru lru = new ExactLru(6);
        BitSet hits = new BitSet();
        hits.set(2);
        hits.set(4);
        int[] victims = new int[6];
        lru.resolve(hits, victims, 2);
        assertThat(victims).startsWith(0, 1);
        assertThat(lru.order()).containsExactly(3, 5, 0, 1, 2, 4);
    }

    @Test
    void loadsAPositionOnceHoweverOftenItIsAskedFor() {
        HotMap map = new HotMap(3, new ExactLru(3));
        int[] slots = new int[6];
        map.resolve(new int[] {5, 5, -1, 9, 5, 9}, 6, slots);
        assertThat(map.misses()).isEqualTo(2);
        assertThat(slots).containsExactly(0, 0, -1, 1, 0, 1);
        assertThat(map.hits()).isEqualTo(3);
    }

    @Test
    void refusesMorePositionsThanSlots() {
        HotMap map = new HotMap(2, new ExactLru(2));
        int[] slots = new int[3];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.resolve(new int[] {1, 2, 3}, 3, slots))
                .withMessageContaining("hot region of 2 rows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.resolve(new int[] {3, 4, 5}, 3, slots))
                .withMessage("3 positions in a hot region of 2 rows");
        map.check();
        map.resolve(new int[] {1, 2}, 2, slots);
        assertThat(map.misses()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> map.resolve(new int[] {1, 2, 3}, 3, slots));
    }

    @Test
    void resolvesWithoutAllocating() {
        HotMap map = new HotMap(64, new ExactLru(64));
        int[] slots = new int[64];
        int[][] selections = new Random(1)
                .ints(200, 1, 300)
                .mapToObj(first -> IntStream.range(first, first + 64).toArray())
                .toArray(int[][]::new);
        resolveAll(map, selections, slots);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long nothing = threads.getCurrentThreadAllocatedBytes() - before;
        before = threads.getCurrentThreadAllocatedBytes();
        resolveAll(map, selections, slots);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isEqualTo(nothing);
    }

    private static void resolveAll(HotMap map, int[][] selections, int[] slots) {
        for (int[] selection : selections) {
            map.resolve(selection, selection.length, slots);
        }
    }
}
