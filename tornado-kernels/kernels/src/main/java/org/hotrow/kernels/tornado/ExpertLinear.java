package org.hotrow.kernels.tornado;

import org.hotrow.kernels.E4m3;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Multiplies the rows of each chosen expert by its matrix of block-scaled E4M3 codes.
 *
 * <pre>
 * out[s][o] = sum_i e4m3(weight[e][o][i]) * scale[e][o / 128][i / 128] * x[r][i]      e = the expert of slot s
 *                                                                                     r = the row of slot s, or s
 * groups, active, first, pairAt     of {@link ExpertGroups}
 * x        [maxRows][inputs] f32, or [maxSlots][inputs] of slots
 * weight   [experts][outputs][inputs] e4m3      8 codes to a long
 * scale    [experts][ceil(outputs / 128)][ceil(inputs / 128)] f32
 * out      [maxSlots][outputs] f32
 *
 * floor    active x (outputs x inputs + 4 scales) + 4 x (rows or slots) inputs bytes read, 4 slots outputs written;
 *          slots outputs inputs multiply-adds
 * </pre>
 *
 * <p>The groups of each chosen expert go through its slots, a tile of rows at a time. Sums are those of
 * {@link Fp8Linear}, in its order.
 */
public final class ExpertLinear {
    private static final int BLOCK = 128;
    private static final int WARP = 32;
    private static final int WARPS = 8;
    private static final int GROUP = WARPS * WARP;
    private static final int STAGE = 1024;
    private static final int TURNED = STAGE / 8 + 4;
    private static final int MAX_ROWS = 4;

    private ExpertLinear() {}

    /**
     * The experts and how rows choose them, and a matrix of each.
     *
     * @param ofSlots whether x has a row per slot, not per row of the step
     */
    public record Shape(ExpertGroups.Shape groups, int inputs, int outputs, boolean ofSlots) {
        /** Checks that codes come in whole longs and that ints index all arrays. */
        public Shape {
            if (inputs < 8 || inputs % 8 != 0 || outputs < 1) {
                throw new IllegalArgumentException("experts of " + inputs + " inputs, " + outputs
                        + " outputs: expected a multiple of 8, at least 1");
            }
            Math.multiplyExact(groups.maxSlots(), Math.max(inputs, outputs));
            Math.multiplyExact(groups.experts(), Math.multiplyExact(outputs, inputs / 8));
        }

        int scalesOfExpert() {
            return Math.ceilDiv(outputs, BLOCK) * Math.ceilDiv(inputs, BLOCK);
        }

        /** Bytes that DRAM must move for {@code rows} rows that chose {@code active} experts. */
        public long floorBytes(int rows, int active) {
            int slots = rows * groups.k();
            return active * ((long) outputs * inputs + 4L * scalesOfExpert())
                    + 4L * (ofSlots ? slots : rows) * inputs
                    + 4L * slots * outputs;
        }

        int tileRows() {
            return groups.maxRows() == 1 ? 1 : MAX_ROWS;
        }
    }

    /** The definition of one slot, in double sums; {@code x} from {@code from} on. */
    public static void reference(
            Shape shape, int expert, float[] x, int from, byte[] weight, float[] scale, float[] out, int to) {
        int inputs = shape.inputs();
        for (int o = 0; o < shape.outputs(); o++) {
            double sum = 0;
            for (int i = 0; i < inputs; i++) {
                int block = expert * shape.scalesOfExpert() + o / BLOCK * Math.ceilDiv(inputs, BLOCK) + i / BLOCK;
                sum += (double) E4m3.decode(weight[(expert * shape.outputs() + o) * inputs + i])
                        * scale[block]
                        * x[from + i];
            }
            out[to + o] = (float) sum;
        }
    }

    /** A warp per output of a chosen expert; {@code pairs} is k, or 0 if x has a row per slot. */
    static void multiply(
            KernelContext context,
            IntArray groups,
            IntArray active,
            IntArray first,
            IntArray pairAt,
            FloatArray x,
            LongArray weight,
            FloatArray scale,
            FloatArray codes,
            FloatArray out,
            int inputs,
            int outputs,
            int tileRows,
            int pairs,
            int cuda) {
        float[] staged = context.allocateFloatLocalArray(tileRows * 8 * TURNED);
        float[] sums = new float[MAX_ROWS];
        float[] w = new float[8];
        float[] values = new float[8];
        int item = context.localIdx;
        int lane = item % WARP;
        int output = context.groupIdx * WARPS + item / WARP;
        int place = context.groupIdy;
        int expert = valueBefore(active, place, groups.get(0), 0);
        int end = valueBefore(first, place + 1, groups.get(0) + 1, 0);
        for (int slot = valueBefore(first, place, groups.get(0), end); slot < end; slot += tileRows) {
            for (int t = 0; t < tileRows; t++) {
                sums[t] = 0;
            }
            for (int from = 0; from < inputs; from += STAGE) {
                for (int i = item; i < tileRows * STAGE; i += GROUP) {
                    int at = (i / STAGE * 8 + i % 8) * TURNED + i % STAGE / 8;
                    staged[at] = value(x, pairAt, slot + i / STAGE, end, from + i % STAGE, inputs, pairs);
                }
                context.localBarrier();
                for (int run = lane; run < Math.min(STAGE, inputs - from) / 8; run += WARP) {
                    int row = expert * outputs + Math.min(output, outputs - 1);
                    long word = weight.get(row * (inputs / 8) + from / 8 + run);
                    for (int j = 0; j < 8; j++) {
                        w[j] = Fp8Codes.decode(codes, word, 8 * j, cuda);
                    }
                    float factor = scale.get(scaleAt(expert, output, from + run * 8, inputs, outputs));
                    for (int t = 0; t < tileRows; t++) {
                        for (int j = 0; j < 8; j++) {
                            values[j] = staged[(t * 8 + j) * TURNED + run];
                        }
                        sums[t] = sums[t] + factor * Fp8Linear.dot(w, 0, values);
                    }
                }
                context.localBarrier();
            }
            for (int t = 0; t < tileRows; t++) {
                staged[t * GROUP + item] = sums[t];
            }
            for (int distance = WARP / 2; distance > 0; distance = distance / 2) {
                context.localBarrier();
                if (lane < distance) {
                    for (int s = item; s < tileRows * GROUP; s += GROUP) {
                        staged[s] = staged[s] + staged[s + distance];
                    }
                }
            }
            context.localBarrier();
            if (lane < tileRows && slot + lane < end && output < outputs) {
                out.set((slot + lane) * outputs + output, staged[lane * GROUP + item - lane]);
            }
            context.localBarrier();
        }
    }

    private static int valueBefore(IntArray array, int at, int count, int otherwise) {
        int value = otherwise;
        if (at < count) {
            value = array.get(at);
        }
        return value;
    }

    private static float value(FloatArray x, IntArray pairAt, int slot, int end, int column, int inputs, int pairs) {
        float value = 0;
        if (slot < end && column < inputs) {
            int row = slot;
            if (pairs > 0) {
                row = pairAt.get(slot) / pairs;
            }
            value = x.get(row * inputs + column);
        }
        return value;
    }

    private static int scaleAt(int expert, int output, int column, int inputs, int outputs) {
        int columns = (inputs + BLOCK - 1) / BLOCK;
        int rows = (outputs + BLOCK - 1) / BLOCK;
        return (expert * rows + Math.min(output, outputs - 1) / BLOCK) * columns + column / BLOCK;
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            ExpertGroups.Arrays groups,
            FloatArray x,
            LongArray weight,
            FloatArray scale,
            FloatArray codes,
            FloatArray out,
            Shape shape,
            Variant variant) {
        Grids.groups(
                graph,
                grids,
                task,
                Math.ceilDiv(shape.outputs(), WARPS),
                shape.groups().maxActive(),
                GROUP);
        return graph.task(
                task,
                ExpertLinear::multiply,
                new KernelContext(),
                groups.groups(),
                groups.active(),
                groups.first(),
                groups.pairAt(),
                x,
                weight,
                scale,
                codes,
                out,
                shape.inputs(),
                shape.outputs(),
                shape.tileRows(),
                shape.ofSlots() ? 0 : shape.groups().k(),
                variant.cuda());
    }
}
