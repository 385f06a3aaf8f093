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
 * out[p][o] = sum_i e4m3(weight[e][o][i]) * scale[e][o / 128][i / 128] * x[p / perRow][i]     e = the expert of pair p
 *
 * active, first, pairAt     of {@link ExpertGroups}
 * x        [maxRows][inputs] f32, perRow = k; or [maxRows][k][inputs], perRow = 1
 * weight   [experts][outputs][inputs] e4m3      8 codes to a long
 * scale    [experts][ceil(outputs / 128)][ceil(inputs / 128)] f32
 * out      [maxRows][k][outputs] f32
 *
 * floor    active x (outputs x inputs + 4 scales) + 4 x (rows or pairs) inputs bytes read, 4 pairs outputs written;
 *          pairs outputs inputs multiply-adds
 * </pre>
 *
 * <p>The groups of each chosen expert go through its pairs, a tile at a time. Sums are those of {@link Fp8Linear}, in its
 * order.
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
     * @param ofPairs whether x has a row per pair, not per row of the step
     */
    public record Shape(ExpertGroups.Shape groups, int inputs, int outputs, boolean ofPairs) {
        /** Checks that codes come in whole longs and that ints index all arrays. */
        public Shape {
            if (inputs < 8 || inputs % 8 != 0 || outputs < 1) {
                throw new IllegalArgumentException("experts of " + inputs + " inputs, " + outputs
                        + " outputs: expected a multiple of 8, at least 1");
            }
            Elements.count("rows of pairs", groups.maxPairs(), Math.max(inputs, outputs));
            Elements.count("fp8 matrices", groups.experts(), outputs, inputs / 8);
        }

        int scalesOfExpert() {
            return Math.ceilDiv(outputs, BLOCK) * Math.ceilDiv(inputs, BLOCK);
        }

        /** Bytes that DRAM must move for {@code rows} rows that chose {@code active} experts. */
        public long floorBytes(int rows, int active) {
            int pairs = rows * groups.k();
            return active * ((long) outputs * inputs + 4L * scalesOfExpert())
                    + 4L * (ofPairs ? pairs : rows) * inputs
                    + 4L * pairs * outputs;
        }

        int tileRows() {
            return groups.maxRows() == 1 ? 1 : MAX_ROWS;
        }
    }

    /** The definition of one pair, in double sums; {@code x} from {@code from} on. */
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

    /** A warp per output of a chosen expert; a row of x serves {@code perRow} pairs. */
    static void multiply(
            KernelContext context,
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
            int perRow,
            int cuda) {
        float[] staged = context.allocateFloatLocalArray(tileRows * 8 * TURNED);
        float[] sums = new float[MAX_ROWS];
        float[] w = new float[8];
        float[] values = new float[8];
        int item = context.localIdx;
        int lane = item % WARP;
        int output = context.groupIdx * WARPS + item / WARP;
        int end = first.get(context.groupIdy + 1);
        for (int tile = first.get(context.groupIdy); tile < end; tile += tileRows) {
            int expert = active.get(context.groupIdy);
            Fp8Linear.zero(sums, tileRows);
            for (int from = 0; from < inputs; from += STAGE) {
                for (int i = item; i < tileRows * STAGE; i += GROUP) {
                    staged[turned(i)] = value(x, pairAt, tile + i / STAGE, end, from + i % STAGE, inputs, perRow);
                }
                context.localBarrier();
                for (int run = lane; run < Math.min(STAGE, inputs - from) / 8; run += WARP) {
                    int row = expert * outputs + Math.min(output, outputs - 1);
                    decode(weight.get(row * (inputs / 8) + from / 8 + run), codes, w, cuda);
                    float factor = scale.get(scaleAt(expert, output, from + run * 8, inputs, outputs));
                    for (int t = 0; t < tileRows; t++) {
                        for (int j = 0; j < 8; j++) {
                            values[j] = staged[(t * 8 + j) * TURNED + run];
                        }
                        sums[t] += factor * Fp8Linear.dot(w, 0, values);
                    }
                }
                context.localBarrier();
            }
            for (int t = 0; t < tileRows; t++) {
                staged[t * GROUP + item] = sums[t];
            }
            for (int distance = WARP / 2; distance > 0; distance = distance / 2) {
                context.localBarrier();
                for (int s = lane < distance ? item : tileRows * GROUP; s < tileRows * GROUP; s += GROUP) {
                    staged[s] = staged[s] + staged[s + distance];
                }
            }
            context.localBarrier();
            if (lane < tileRows && tile + lane < end && output < outputs) {
                out.set(pairAt.get(tile + lane) * outputs + output, staged[lane * GROUP + item - lane]);
            }
            context.localBarrier();
        }
    }

    /** Where value i of the rows of a stage lies in local memory. */
    private static int turned(int i) {
        return (i / STAGE * 8 + i % 8) * TURNED + i % STAGE / 8;
    }

    private static void decode(long word, FloatArray codes, float[] w, int cuda) {
        for (int j = 0; j < 8; j++) {
            w[j] = Fp8Codes.decode(codes, word, 8 * j, cuda);
        }
    }

    /** A value of the row of the pair at a place, or 0 beyond the last one and the inputs. */
    private static float value(FloatArray x, IntArray pairAt, int place, int end, int column, int inputs, int perRow) {
        float value = 0;
        if (place < end && column < inputs) {
            value = x.get(pairAt.get(place) / perRow * inputs + column);
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
                Grids.CONTEXT,
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
                shape.ofPairs() ? 1 : shape.groups().k(),
                variant.cuda());
    }
}
