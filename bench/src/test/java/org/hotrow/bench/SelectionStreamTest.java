package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.Fifo;
import org.hotrow.allocator.HotMap;
import org.hotrow.allocator.HotReplacement;
import org.hotrow.allocator.RandomReplacement;
import org.junit.jupiter.api.Test;

/** The made-up selections, and the yardstick that knows them all. */
class SelectionStreamTest {
    private static List<int[]> stream(SelectionStream.Locality locality, int k, int steps, long seed) {
        SelectionStream stream = new SelectionStream(locality, k, 16 * k, steps, seed);
        List<int[]> selections = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            selections.add(stream.next());
        }
        return selections;
    }

    @Test
    void selectionsAreListsOfTheIndexer() {
        List<int[]> selections = stream(MissRates.LOCALITY, 128, 50, 7);
        for (int step = 0; step < selections.size(); step++) {
            int[] selection = selections.get(step);
            int length = 16 * 128 + step + 1;
            assertThat(selection)
                    .hasSize(128)
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .contains(0, 3, length - 1, length - 64);
            assertThat(selection[127]).isEqualTo(length - 1);
        }
        assertThat(stream(MissRates.LOCALITY, 128, 50, 7)).containsExactlyElementsOf(selections);
        assertThat(stream(MissRates.LOCALITY, 128, 50, 8).getLast()).isNotEqualTo(selections.getLast());
    }

    @Test
    void moreFlickerIsLessOverlap() {
        double calm = MissRates.missRate(
                stream(new SelectionStream.Locality(0.99, 0.6, 0.1), 256, 60, 1), 10, map(256, new ExactLru(256)));
        double restless = MissRates.missRate(
                stream(new SelectionStream.Locality(0.99, 0.6, 0.9), 256, 60, 1), 10, map(256, new ExactLru(256)));
        assertThat(calm).isBetween(0.01, restless / 1.5);
    }

    private static HotMap map(int slots, HotReplacement replacement) {
        return new HotMap(slots, replacement);
    }

    /** No replacement misses less than Belady's, and he misses as often as the best of all choices. */
    @Test
    void beladyIsTheLeast() {
        Random random = new Random(3);
        for (int world = 0; world < 300; world++) {
            int slots = 2 + random.nextInt(2);
            List<int[]> selections = new ArrayList<>();
            for (int step = 0; step < 7; step++) {
                selections.add(random.ints(0, 6)
                        .distinct()
                        .limit(1 + random.nextInt(2))
                        .toArray());
            }
            long best = misses(selections, 0, Set.of(), slots);
            assertThat(misses(selections, new Belady(slots, selections), slots)).isEqualTo(best);
            for (HotReplacement other :
                    List.of(new ExactLru(slots), new Fifo(slots), new RandomReplacement(slots, world))) {
                assertThat(misses(selections, other, slots)).isGreaterThanOrEqualTo(best);
            }
        }
    }

    private static long misses(List<int[]> selections, HotReplacement replacement, int slots) {
        HotMap map = map(slots, replacement);
        long misses = 0;
        for (int[] selection : selections) {
            map.resolve(selection, selection.length, new int[selection.length]);
            misses += map.misses();
        }
        return misses;
    }

    /** Tries every choice of what to keep. */
    private static long misses(List<int[]> selections, int step, Set<Integer> held, int slots) {
        if (step == selections.size()) {
            return 0;
        }
        Set<Integer> needed = new HashSet<>();
        Arrays.stream(selections.get(step)).forEach(needed::add);
        long missing = needed.stream().filter(p -> !held.contains(p)).count();
        Set<Integer> all = new HashSet<>(held);
        all.addAll(needed);
        long best = Long.MAX_VALUE;
        List<Integer> list = List.copyOf(all);
        for (int choice = 0; choice < 1 << list.size(); choice++) {
            Set<Integer> kept = new HashSet<>();
            for (int i = 0; i < list.size(); i++) {
                if ((choice >> i & 1) == 1) {
                    kept.add(list.get(i));
                }
            }
            if (kept.containsAll(needed) && kept.size() == Math.min(slots, list.size())) {
                best = Math.min(best, misses(selections, step + 1, kept, slots));
            }
        }
        return missing + best;
    }
}
