package org.hotrow.kernels.inspect;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.hotrow.kernels.tornado.ExpertGroups;
import org.hotrow.kernels.tornado.ExpertLinear;
import org.hotrow.kernels.tornado.Fp8Linear;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Matrices of FP8 codes, timed: one for all rows, and those of the experts that rows choose. */
final class TimedMatrices {
    private static final int CHOSEN = 8;
    private static final double ROUNDINGS = 8 * Math.ulp(1f);

    private TimedMatrices() {}

    static Timed fp8Linear(int rows, int outputs) {
        Launch launch = LinearLaunches.fp8Linear("fp8-linear", rows, outputs);
        FloatArray x = (FloatArray) launch.arrays().get(1);
        LongArray weight = (LongArray) launch.arrays().get(2);
        FloatArray scale = (FloatArray) launch.arrays().get(3);
        FloatArray out = (FloatArray) launch.arrays().getLast();
        Fill.gaussian(x, 1, 7);
        Fill.codes(weight, 8);
        Fill.gaussian(scale, 0.1, 9);
        return new Timed(
                TimedAttention.at(rows) + ", " + Production.HIDDEN + " x " + outputs,
                launch,
                0,
                List.of(),
                List.of(Timed.Written.all(out)),
                outputs,
                () -> linearProblem(rows - 1, outputs, x, weight, scale, out));
    }

    private static String linearProblem(
            int row, int outputs, FloatArray x, LongArray weight, FloatArray scale, FloatArray out) {
        Fp8Linear.Shape one = new Fp8Linear.Shape(1, Production.HIDDEN, outputs);
        float[] values = Fill.floats(x, row * Production.HIDDEN, Production.HIDDEN);
        byte[] codes = weight.getSegment().toArray(ValueLayout.JAVA_BYTE);
        float[] scales = scale.toHeapArray();
        float[] expected = new float[outputs];
        Fp8Linear.reference(1, one, values, codes, scales, expected);
        float[] size = new float[outputs];
        Fp8Linear.reference(1, one, Fill.magnitudes(values), magnitudes(codes), Fill.magnitudes(scales), size);
        return difference("row " + row, expected, size, Fill.floats(out, row * outputs, outputs));
    }

    static Timed expertLinear(Sizes sizes, int rows) {
        int outputs = sizes.expertOutputs();
        ExpertGroups.Shape groups = new ExpertGroups.Shape(rows, sizes.experts(), CHOSEN);
        Launch launch = ExpertLaunches.expertLinear("expert-linear", groups, Production.HIDDEN, outputs, false);
        IntArray expert = (IntArray) launch.arrays().get(1);
        FloatArray x = (FloatArray) launch.arrays().get(5);
        LongArray weight = (LongArray) launch.arrays().get(6);
        FloatArray scale = (FloatArray) launch.arrays().get(7);
        FloatArray out = (FloatArray) launch.arrays().getLast();
        Fill.gaussian(x, 1, 10);
        Fill.codes(weight, 11);
        Fill.gaussian(scale, 0.1, 12);
        int pair = rows * CHOSEN - 1;
        return new Timed(
                TimedAttention.at(rows) + ", " + launch.shape(),
                launch,
                0,
                List.of(),
                List.of(Timed.Written.all(out)),
                outputs,
                () -> expertProblem(expert.get(pair), pair, outputs, x, weight, scale, out));
    }

    private static String expertProblem(
            int expert, int pair, int outputs, FloatArray x, LongArray weight, FloatArray scale, FloatArray out) {
        ExpertLinear.Shape one =
                new ExpertLinear.Shape(new ExpertGroups.Shape(1, 1, 1), Production.HIDDEN, outputs, false);
        long bytes = (long) outputs * Production.HIDDEN;
        byte[] codes = weight.getSegment().asSlice(expert * bytes, bytes).toArray(ValueLayout.JAVA_BYTE);
        int blocks = outputs / 128 * (Production.HIDDEN / 128);
        float[] scales = Fill.floats(scale, expert * blocks, blocks);
        float[] values = Fill.floats(x, pair / CHOSEN * Production.HIDDEN, Production.HIDDEN);
        float[] expected = new float[outputs];
        ExpertLinear.reference(one, 0, values, 0, codes, scales, expected, 0);
        float[] size = new float[outputs];
        ExpertLinear.reference(one, 0, Fill.magnitudes(values), 0, magnitudes(codes), Fill.magnitudes(scales), size, 0);
        return difference("pair " + pair, expected, size, Fill.floats(out, pair * outputs, outputs));
    }

    private static String difference(String where, float[] expected, float[] size, float[] actual) {
        for (int o = 0; o < expected.length; o++) {
            if (!(Math.abs((double) actual[o] - expected[o]) <= ROUNDINGS * size[o])) {
                return "%s, output %d: %s, expected %s".formatted(where, o, actual[o], expected[o]);
            }
        }
        return "";
    }

    private static byte[] magnitudes(byte[] codes) {
        byte[] result = Arrays.copyOf(codes, codes.length);
        for (int i = 0; i < result.length; i++) {
            result[i] &= 0x7F;
        }
        return result;
    }
}
