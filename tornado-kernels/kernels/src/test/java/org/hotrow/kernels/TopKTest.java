package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopKTest {
    private static final float INF = Float.POSITIVE_INFINITY;
    private static final float NAN = Float.NaN;

    @Test
    void selectsByKeyThenPosition() {
        assertSelection(new float[] {}, -1, -1);
        assertSelection(new float[] {NAN}, 0, -1, -1);
        assertSelection(new float[] {-INF, NAN}, 0, 1);
        assertSelection(new float[] {1, 3, 2}, 1);
        assertSelection(new float[] {1, 3, 2}, 1, 2);
        assertSelection(new float[] {3, 1, 2, 3}, 0, 3);
        assertSelection(new float[] {5, 5, 5, 5}, 0, 1);
        assertSelection(new float[] {-3, -1, -2}, 1, 2);
        assertSelection(new float[] {-1, 2, NAN, 2, 7, -0f, 0f}, 1, 3, 4);
    }

    @Test
    void bothZerosAreEqual() {
        assertSelection(new float[] {-0f, 0f}, 0);
        assertSelection(new float[] {0f, -0f}, 0);
        assertSelection(new float[] {-0f, Float.MIN_VALUE}, 1);
        assertSelection(new float[] {-Float.MIN_VALUE, -0f}, 1);
    }

    @Test
    void everyNaNEqualsMinusInfinity() {
        assertSelection(new float[] {NAN, -INF, NAN}, 0);
        assertSelection(new float[] {-INF, NAN, -Float.MAX_VALUE}, 0, 2);
        assertSelection(new float[] {NAN, INF, -1}, 1, 2);
        float negativeNaN = Float.intBitsToFloat(0xFFC00000);
        float signallingNaN = Float.intBitsToFloat(0x7F800001);
        assertSelection(new float[] {negativeNaN, -INF, signallingNaN, -1}, 0, 3);
    }

    /** Both implementations select {@code expected}, -1 for places that stay free. */
    private static void assertSelection(float[] scores, int... expected) {
        int k = expected.length;
        int valid = Math.min(k, scores.length);
        int[] out = guarded(k);
        int[] reference = guarded(k);
        assertThat(new TopK(k).select(scores, scores.length, k, out, 2)).isEqualTo(valid);
        assertThat(TopK.reference(scores, scores.length, k, reference, 2)).isEqualTo(valid);
        assertThat(Arrays.copyOfRange(out, 2, k + 2)).isEqualTo(expected);
        assertThat(Arrays.copyOfRange(reference, 2, k + 2)).isEqualTo(expected);
    }

    interface Scores {
        float at(int position, int count, Random random);
    }

    static Stream<Named<Scores>> scores() {
        float[] awkward = {
            0f, -0f, NAN, INF, -INF, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE, 1f, -1f
        };
        return Stream.of(
                Named.of("random", (position, count, random) -> (float) random.nextGaussian()),
                Named.of("all equal", (position, count, random) -> -2.5f),
                Named.of("few values", (position, count, random) -> random.nextInt(3) - 1),
                Named.of("all NaN", (position, count, random) -> NAN),
                Named.of("awkward", (position, count, random) -> awkward[random.nextInt(awkward.length)]),
                Named.of("any bits", (position, count, random) -> Float.intBitsToFloat(random.nextInt())),
                Named.of("ascending", (position, count, random) -> position),
                Named.of("descending", (position, count, random) -> -position),
                Named.of("rising and falling", (position, count, random) -> Math.min(position, count - position)));
    }

    /** One scratch for all shapes; better scores beyond the count and the neighbours in the output must not matter. */
    @ParameterizedTest
    @MethodSource("scores")
    void agreesWithTheReference(Scores kind) {
        int[] counts = {0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 5000};
        int[] ks = {1, 2, 3, 63, 64, 65, 128, 999, 1000, 1001, 2048};
        TopK scratch = new TopK(2048);
        Random random = new Random(7);
        for (int count : counts) {
            float[] scores = new float[count + 3];
            Arrays.fill(scores, INF);
            for (int i = 0; i < count; i++) {
                scores[i] = kind.at(i, count, random);
            }
            for (int k : ks) {
                int[] expected = guarded(k);
                int[] actual = guarded(k);
                assertThat(scratch.select(scores, count, k, actual, 2))
                        .isEqualTo(TopK.reference(scores, count, k, expected, 2));
                assertThat(actual).as("%d of %d", k, count).isEqualTo(expected);
                assertThat(new int[] {actual[0], actual[1], actual[k + 2]}).containsOnly(99);
            }
        }
    }

    private static int[] guarded(int k) {
        int[] out = new int[k + 3];
        Arrays.fill(out, 99);
        return out;
    }

    @Test
    void refusesWhatDoesNotFit() {
        TopK scratch = new TopK(4);
        float[] scores = new float[8];
        int[] out = new int[4];
        assertThatIllegalArgumentException().isThrownBy(() -> scratch.select(scores, 8, 5, new int[5], 0));
        assertThatIllegalArgumentException().isThrownBy(() -> scratch.select(scores, 8, 0, out, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> scratch.select(scores, 9, 4, out, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> scratch.select(scores, -1, 4, out, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> scratch.select(scores, 8, 4, out, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> scratch.select(scores, 8, 4, out, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> TopK.reference(scores, 9, 4, out, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new TopK(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new TopK(Integer.MAX_VALUE));
    }
}
