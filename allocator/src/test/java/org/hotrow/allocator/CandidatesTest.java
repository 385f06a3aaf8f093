package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replacements by a value of each slot, each against a reference that keeps positions and their whole history, and
 * sorts.
 */
class CandidatesTest {
    private static final double SHARE = 0.2;

    /** What happened to a held position: steps that read it, whether it was admitted. */
    static final class Held {
        final List<Integer> reads = new ArrayList<>();
        boolean admitted;
        int slot;
    }

    /** The value of a held position before the resolve of a step; the least goes first. */
    interface Value {
        double of(Held held, int step);
    }

    record Candidate(String name, IntFunction<HotReplacement> replacement, Value value) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Candidate> candidates() {
        return Stream.of(
                new Candidate("lately frequent", LatelyFrequent::new, CandidatesTest::lately),
                new Candidate("aged frequency", slots -> new AgedFrequency(slots, 0.75f), CandidatesTest::aged),
                new Candidate("barely", slots -> new BarelySelected(slots, SHARE), (of, step) -> of.admitted ? 1 : 0));
    }

    private static double lately(Held held, int step) {
        return held.reads.stream().filter(s -> s >= step - 4).count() >= 2 ? 1 : 0;
    }

    private static double aged(Held held, int step) {
        return held.reads.stream()
                .mapToDouble(s -> Math.pow(0.75, step - 1 - s))
                .sum();
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void agreesWithAReferenceOfPositions(Candidate candidate) {
        for (int slots : new int[] {1, 2, 31, 64, 65}) {
            follow(candidate, slots);
        }
    }

    private static void follow(Candidate candidate, int slots) {
        Random random = new Random(slots);
        HotMap map = new HotMap(slots, candidate.replacement.apply(slots));
        Map<Integer, Held> held = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            if (random.nextInt(60) == 0) {
                map.reset();
                held.clear();
            }
            float[] scores = new float[3 * slots + 1];
            for (int p = 0; p < scores.length; p++) {
                // Few values, so that some are equal.
                scores[p] = random.nextInt(12) / 4f - 1;
            }
            int[] positions = random.ints(slots, 0, scores.length).distinct().toArray();
            List<Integer> expected = survivors(candidate, held, positions, slots, step);
            int[] rows = new int[positions.length];
            map.resolve(positions, positions.length, rows, scores);
            map.check();
            take(held, expected, positions, scores, rows, step);
            assertThat(held.keySet())
                    .as("%s, %d slots, step %d", candidate, slots, step)
                    .allMatch(map::holds);
        }
    }

    /** The positions that stay beside those of the step. */
    private static List<Integer> survivors(
            Candidate candidate, Map<Integer, Held> held, int[] positions, int slots, int step) {
        Set<Integer> wanted = new HashSet<>(Arrays.stream(positions).boxed().toList());
        List<Map.Entry<Integer, Held>> others = new ArrayList<>(held.entrySet());
        others.removeIf(entry -> wanted.contains(entry.getKey()));
        // Sums that a float rounds together are no order, so the reference rounds as well.
        others.sort(Comparator.comparingDouble(
                        (Map.Entry<Integer, Held> entry) -> (float) candidate.value.of(entry.getValue(), step))
                .thenComparingInt(entry -> entry.getValue().reads.getLast())
                .thenComparingInt(entry -> entry.getValue().slot));
        int room = slots - wanted.size();
        return others.subList(Math.max(0, others.size() - room), others.size()).stream()
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void take(
            Map<Integer, Held> held, List<Integer> stay, int[] positions, float[] scores, int[] rows, int step) {
        Set<Integer> kept = new LinkedHashSet<>(stay);
        float[] sorted = new float[positions.length];
        for (int i = 0; i < positions.length; i++) {
            kept.add(positions[i]);
            sorted[i] = scores[positions[i]];
        }
        Arrays.sort(sorted);
        float line = sorted[(int) (SHARE * (sorted.length - 1))];
        held.keySet().retainAll(kept);
        for (int i = 0; i < positions.length; i++) {
            boolean loaded = !held.containsKey(positions[i]);
            Held of = held.computeIfAbsent(positions[i], p -> new Held());
            of.admitted = !loaded || scores[positions[i]] >= line;
            of.slot = rows[i];
            of.reads.add(step);
        }
    }
}
