package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HotReplacementTest {
    static Stream<IntFunction<HotReplacement>> all() {
        return Stream.of(
                ExactLru::new,
                Fifo::new,
                slots -> new RandomReplacement(slots, 3),
                LatelyFrequent::new,
                slots -> new AgedFrequency(slots, 0.75f),
                slots -> new FarthestBelow(slots, 0.5f),
                slots -> new BarelySelected(slots, 0.1));
    }

    @ParameterizedTest
    @MethodSource("all")
    void choosesDifferentSlotsThatWereNotFound(IntFunction<HotReplacement> policy) {
        Random random = new Random(5);
        for (int slots : new int[] {1, 2, 63, 64, 65, 200}) {
            HotReplacement replacement = policy.apply(slots);
            for (int step = 0; step < 100; step++) {
                BitSet hits = new BitSet();
                random.ints(random.nextInt(slots + 1), 0, slots).forEach(hits::set);
                int misses =
                        step % 3 == 0 ? slots - hits.cardinality() : random.nextInt(slots - hits.cardinality() + 1);
                int[] victims = new int[slots];
                replacement.resolve(hits, victims, misses);
                BitSet chosen = new BitSet();
                Arrays.stream(victims, 0, misses).forEach(chosen::set);
                assertThat(chosen.cardinality()).isEqualTo(misses);
                assertThat(chosen.intersects(hits)).isFalse();
            }
        }
    }

    @Test
    void fifoKeepsTheDocumentedOrder() {
        Fifo fifo = new Fifo(6);
        BitSet hits = new BitSet();
        hits.set(2);
        hits.set(4);
        int[] victims = new int[6];
        fifo.resolve(hits, victims, 2);
        assertThat(victims).startsWith(0, 1);
        fifo.resolve(hits, victims, 4);
        assertThat(victims).startsWith(3, 5, 0, 1);
        fifo.reset();
        fifo.resolve(new BitSet(), victims, 6);
        assertThat(victims).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 33, 64, 130})
    void fifoAgreesWithAQueueOfPositions(int slots) {
        Random random = new Random(slots);
        HotMap map = new HotMap(slots, new Fifo(slots));
        Queue<Integer> queue = new ArrayDeque<>();
        for (int step = 0; step < 300; step++) {
            int[] positions = random.ints(1 + random.nextInt(slots), 0, 3 * slots)
                    .distinct()
                    .toArray();
            Set<Integer> wanted = new HashSet<>(Arrays.stream(positions).boxed().toList());
            int misses = 0;
            for (int position : positions) {
                misses += queue.contains(position) ? 0 : 1;
            }
            map.resolve(positions, positions.length, new int[positions.length]);
            assertThat(map.misses()).isEqualTo(misses);
            Iterator<Integer> oldest = queue.iterator();
            for (int full = queue.size() + misses; full > slots; ) {
                if (!wanted.contains(oldest.next())) {
                    oldest.remove();
                    full--;
                }
            }
            for (int i = 0; i < misses; i++) {
                queue.add(map.missPosition(i));
            }
        }
    }

    @Test
    void randomChoosesEachSlotAboutAsOften() {
        RandomReplacement replacement = new RandomReplacement(10, 1);
        BitSet hits = new BitSet();
        hits.set(7);
        int[] victims = new int[10];
        int[] chosen = new int[10];
        for (int i = 0; i < 9_000; i++) {
            replacement.resolve(hits, victims, 3);
            Arrays.stream(victims, 0, 3).forEach(slot -> chosen[slot]++);
        }
        // 3,000 expected each, standard deviation 45.
        for (int slot = 0; slot < 10; slot++) {
            assertThat(chosen[slot]).isBetween(slot == 7 ? 0 : 2_800, slot == 7 ? 0 : 3_200);
        }
    }

    @Test
    void randomIsAFunctionOfItsSeed() {
        assertThat(victims(1)).isEqualTo(victims(1)).isNotEqualTo(victims(2));
    }

    private static int[] victims(long seed) {
        int[] victims = new int[64];
        RandomReplacement replacement = new RandomReplacement(64, seed);
        replacement.resolve(new BitSet(), victims, 30);
        replacement.resolve(new BitSet(), victims, 64);
        return victims;
    }
}
