package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** {@link ExpertGroups}, {@link ExpertLinear} and {@link ExpertCombine}. */
class ExpertsTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1, 256, 8",
        "7, 8, 256, 8",
        "5, 5, 4, 4",
        "0, 3, 16, 2",
        "40, 40, 8, 2",
        "3, 3, 1, 1",
        "130, 140, 16, 4"
    })
    void pairsAreGroupedByExpert(int rows, int maxRows, int experts, int k) {
        ExpertGroups.Shape shape = new ExpertGroups.Shape(maxRows, experts, k);
        int[] expert = choices(shape);

        ExpertGroups.Arrays groups = group(rows, shape, expert);

        int pairs = rows * k;
        int[] active = Arrays.stream(expert, 0, pairs).distinct().sorted().toArray();
        assertThat(Arrays.copyOf(groups.active().toHeapArray(), active.length)).containsExactly(active);
        for (int a = 0; a <= shape.maxActive(); a++) {
            int of = a < active.length ? active[a] : experts;
            int before =
                    (int) Arrays.stream(expert, 0, pairs).filter(e -> e < of).count();
            assertThat(groups.first().get(a)).isEqualTo(before);
        }
        for (int pair = 0; pair < pairs; pair++) {
            int place = ExpertGroups.placeReference(pairs, expert, pair);
            assertThat(groups.pairAt().get(place)).isEqualTo(pair);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 5, 2, 136, 130, false, PORTABLE", "6, 7, 3, 2, 1032, 9, false, PORTABLE",
        "6, 7, 3, 2, 64, 33, true, PORTABLE", "0, 2, 4, 2, 64, 8, false, PORTABLE",
        "6, 7, 3, 2, 136, 9, true, CUDA", "1, 1, 5, 2, 136, 9, false, CUDA"
    })
    void eachPairIsMultipliedByItsExpert(
            int rows, int maxRows, int experts, int k, int inputs, int outputs, boolean ofPairs, Variant variant) {
        if (variant == Variant.CUDA) {
            Device.assumeWarps();
        }
        ExpertGroups.Shape groups = new ExpertGroups.Shape(maxRows, experts, k);
        ExpertLinear.Shape shape = new ExpertLinear.Shape(groups, inputs, outputs, ofPairs);
        int[] expert = choices(groups);
        Stack stack = Stack.of(shape);
        float[] x = Values.of((ofPairs ? groups.maxPairs() : maxRows) * inputs, 5);

        float[] out = multiply(rows, shape, expert, stack, x, variant);

        int pairs = rows * k;
        float[] expected = new float[out.length];
        Arrays.fill(expected, 77);
        for (int pair = 0; pair < pairs; pair++) {
            int from = (ofPairs ? pair : pair / k) * inputs;
            ExpertLinear.reference(shape, expert[pair], x, from, stack.codes, stack.scale, expected, pair * outputs);
            for (int o = 0; o < outputs; o++) {
                double magnitude = 0;
                for (int i = 0; i < inputs; i++) {
                    magnitude += Math.abs((double) stack.of[expert[pair]].value(o, i) * x[from + i]);
                }
                int at = pair * outputs + o;
                Sums.requireClose(out[at], expected[at], magnitude, "pair " + pair + " output " + o);
            }
        }
        for (int at = pairs * outputs; at < out.length; at++) {
            assertThat(out[at]).isEqualTo(77);
        }
    }

    @Test
    void anExpertGivesTheBitsOfALinear() {
        ExpertGroups.Shape groups = new ExpertGroups.Shape(6, 2, 1);
        ExpertLinear.Shape shape = new ExpertLinear.Shape(groups, 1160, 17, false);
        Stack stack = Stack.of(shape);
        float[] x = Values.of(6 * 1160, 5);

        float[] out = multiply(6, shape, new int[] {1, 1, 1, 1, 1, 1}, stack, x, Variant.PORTABLE);

        IntArray counts = Values.counts(6);
        FloatArray input = FloatArray.fromArray(x);
        LongArray weight = stack.of[1].words();
        FloatArray scale = stack.of[1].scales();
        FloatArray codes = Fp8Codes.table();
        FloatArray linear = new FloatArray(6 * 17);
        Fp8Linear.Shape one = new Fp8Linear.Shape(6, 1160, 17);
        Device.run(
                (graph, grids) -> Fp8Linear.append(
                        graph, grids, "linear", counts, input, weight, scale, codes, linear, one, Variant.PORTABLE),
                counts,
                input,
                weight,
                scale,
                codes,
                linear);
        assertThat(out).containsExactly(linear.toHeapArray());
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 8, 33", "3, 4, 2, 65", "0, 2, 2, 8"})
    void theExpertsOfARowAreAddedInTheirOrder(int rows, int maxRows, int k, int width) {
        ExpertCombine.Shape shape = new ExpertCombine.Shape(maxRows, k, width);
        float[] weight = Values.of(maxRows * k, 1);
        float[] down = Values.of(maxRows * k * width, 2);
        IntArray counts = Values.counts(rows);
        FloatArray weights = FloatArray.fromArray(weight);
        FloatArray downs = FloatArray.fromArray(down);
        FloatArray out = new FloatArray(maxRows * width);
        out.init(77);

        Device.run(
                (graph, grids) -> ExpertCombine.append(graph, grids, "combine", counts, weights, downs, out, shape),
                counts,
                weights,
                downs,
                out);

        float[] expected = new float[maxRows * width];
        Arrays.fill(expected, 77);
        ExpertCombine.reference(rows, shape, weight, down, expected);
        for (int at = 0; at < expected.length; at++) {
            double magnitude = 0;
            for (int pair = at / width * k; pair < (at / width + 1) * k && at / width < rows; pair++) {
                magnitude += Math.abs((double) weight[pair] * down[pair * width + at % width]);
            }
            Sums.requireClose(out.get(at), expected[at], magnitude, "value " + at);
        }
    }

    /** Matrices of all experts, one behind the other. */
    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    private record Stack(Fp8Matrix[] of, byte[] codes, float[] scale) {
        static Stack of(ExpertLinear.Shape shape) {
            Fp8Matrix[] of = new Fp8Matrix[shape.groups().experts()];
            byte[] codes = new byte[of.length * shape.outputs() * shape.inputs()];
            float[] scale = new float[of.length * shape.scalesOfExpert()];
            for (int e = 0; e < of.length; e++) {
                of[e] = Fp8Matrix.of(shape.outputs(), shape.inputs(), 10 + e);
                System.arraycopy(of[e].codes(), 0, codes, e * of[e].codes().length, of[e].codes().length);
                System.arraycopy(of[e].scale(), 0, scale, e * of[e].scale().length, of[e].scale().length);
            }
            return new Stack(of, codes, scale);
        }
    }

    /** Different experts for a row, ascending; some experts are chosen often, some never. */
    private static int lowerOfTwo(SplittableRandom random, int bound) {
        int one = random.nextInt(bound);
        return Math.min(one, random.nextInt(bound));
    }

    private static int[] choices(ExpertGroups.Shape shape) {
        SplittableRandom random = new SplittableRandom(9);
        int[] expert = new int[shape.maxPairs()];
        for (int t = 0; t < shape.maxRows(); t++) {
            int[] row = IntStream.iterate(0, i -> i + 1)
                    .map(i -> lowerOfTwo(random, shape.experts()))
                    .distinct()
                    .limit(shape.k())
                    .sorted()
                    .toArray();
            System.arraycopy(row, 0, expert, t * shape.k(), shape.k());
        }
        return expert;
    }

    private static ExpertGroups.Arrays group(int rows, ExpertGroups.Shape shape, int[] expert) {
        IntArray counts = Values.counts(rows);
        IntArray experts = IntArray.fromArray(expert);
        ExpertGroups.Arrays out = ExpertGroups.Arrays.of(shape);
        Device.run(
                (graph, grids) -> ExpertGroups.append(graph, grids, "group", counts, experts, out, shape),
                counts,
                experts,
                out.active(),
                out.first(),
                out.pairAt());
        return out;
    }

    private static float[] multiply(
            int rows, ExpertLinear.Shape shape, int[] expert, Stack stack, float[] x, Variant variant) {
        ExpertGroups.Arrays groups = group(rows, shape.groups(), expert);
        FloatArray input = FloatArray.fromArray(x);
        LongArray weight = new Fp8Matrix(0, 0, stack.codes, stack.scale).words();
        FloatArray scale = FloatArray.fromArray(stack.scale);
        FloatArray codes = Fp8Codes.table();
        FloatArray out = new FloatArray(shape.groups().maxPairs() * shape.outputs());
        out.init(77);
        Device.run(
                (graph, grids) -> ExpertLinear.append(
                        graph, grids, "experts", groups, input, weight, scale, codes, out, shape, variant),
                groups.active(),
                groups.first(),
                groups.pairAt(),
                input,
                weight,
                scale,
                codes,
                out);
        return out.toHeapArray();
    }
}
