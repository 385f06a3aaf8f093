package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lowest score first, against a reference of positions: a list, oldest first, and all scores of each since its load. */
class FarthestBelowTest {
    private static final float[] ODD = {Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, -0f, 0f, -1e-40f};

    /** @param scores since it was loaded */
    private record Held(int position, List<Float> scores) {}

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0.5", "31, 0", "64, 0.5", "65, 0.25", "130, 0.5"})
    void agreesWithAListOfPositions(int slots, float smooth) {
        Random random = new Random(slots);
        HotMap map = new HotMap(slots, new FarthestBelow(slots, smooth));
        List<Held> model = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            if (random.nextInt(60) == 0) {
                map.reset();
                model.clear();
            }
            float[] scores = new float[3 * slots + 1];
            for (int p = 0; p < scores.length; p++) {
                // Few values, so that some are equal.
                scores[p] = random.nextInt(9) == 0 ? ODD[random.nextInt(ODD.length)] : random.nextInt(12) / 4f - 1;
            }
            int[] positions = random.ints(1 + random.nextInt(slots), 0, scores.length)
                    .distinct()
                    .toArray();
            model.forEach(held -> held.scores.add(scores[held.position]));
            replace(model, positions, slots, smooth);
            map.resolve(positions, positions.length, new int[positions.length], scores);
            map.check();
            assertThat(IntStream.range(0, scores.length).filter(map::holds))
                    .as("step %d", step)
                    .containsExactlyInAnyOrderElementsOf(
                            model.stream().map(Held::position).toList());
        }
    }

    private static void replace(List<Held> model, int[] wanted, int slots, float smooth) {
        List<Integer> selected = Arrays.stream(wanted).boxed().toList();
        List<Held> found =
                model.stream().filter(of -> selected.contains(of.position)).toList();
        List<Integer> held = model.stream().map(Held::position).toList();
        List<Integer> missed = selected.stream().filter(p -> !held.contains(p)).toList();
        model.removeAll(found);
        int leaving = model.size() + selected.size() - slots;
        // A stable sort leaves the oldest of equals in front.
        model.removeAll(model.stream()
                .sorted(Comparator.comparingDouble(of -> value(of.scores, smooth)))
                .limit(Math.max(0, leaving))
                .toList());
        missed.forEach(position -> model.add(new Held(position, new ArrayList<>())));
        model.addAll(found);
    }

    private static double value(List<Float> scores, float smooth) {
        float value = Float.POSITIVE_INFINITY;
        for (float each : scores) {
            float score = Float.isNaN(each) ? Float.NEGATIVE_INFINITY : each;
            boolean infinite = Float.isInfinite(value) || Float.isInfinite(score);
            value = infinite ? score : smooth * value + (1 - smooth) * score;
        }
        // A comparison of doubles has -0 below 0.
        return value + 0.0;
    }

    @Test
    void keepsTheDocumentedOrder() {
        FarthestBelow replacement = new FarthestBelow(6, 0.5f);
        int[] victims = new int[6];
        replacement.resolve(new BitSet(), victims, 6);
        replacement.scores(new float[] {5, 1, 3, 1, 0, Float.NaN}, new float[0]);
        BitSet hits = new BitSet();
        hits.set(4);
        replacement.resolve(hits, victims, 3);
        // NaN is the lowest; slots 1 and 3 are equal; places are given in the order of age.
        assertThat(victims).startsWith(1, 3, 5);
        replacement.resolve(new BitSet(), victims, 3);
        // What was loaded isn't scored yet.
        assertThat(victims).startsWith(0, 2, 4);
    }
}
