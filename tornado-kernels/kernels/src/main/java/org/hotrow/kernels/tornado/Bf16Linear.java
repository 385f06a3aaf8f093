package org.hotrow.kernels.tornado;

import org.hotrow.kernels.Bf16;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Multiplies rows by a bf16 matrix: router gates, the indexer's head weights, the head of the model.
 *
 * <pre>
 * out[t][o] = sum_i bf16(weight[o][i]) * x[t][i]
 *
 * counts   int array                     counts[rowsAt] = T rows
 * x        [maxRows][inputs] f32         inputs a multiple of 4
 * weight   [outputs][inputs] bf16        4 codes to a long, the first one lowest
 * out      [maxRows][outputs] f32
 *
 * floor    2 outputs x inputs + 4 T inputs bytes read, 4 T outputs written; T outputs inputs multiply-adds
 * </pre>
 *
 * <p>As {@link Fp8Linear}, with runs of 4 codes:
 *
 * <pre>
 * lane l      s = 0; for runs r = l, l + 32, ...:  s += (((0 + w0 x0) + w1 x1) + w2 x2) + w3 x3
 * tree        lane l + 16 into l, then l + 8, 4, 2, 1
 * </pre>
 *
 * Value i of a stage of activations lies at {@code (i % 4) * 264 + i / 4} in local memory.
 */
public final class Bf16Linear {
    private static final int WARP = 32;
    private static final int WARPS = 8;
    private static final int GROUP = WARPS * WARP;
    private static final int RUN = 4;
    private static final int STAGE = 1024;
    private static final int TURNED = STAGE / RUN + 8;
    private static final int MAX_ROWS = 8;
    private static final int MAX_OUTPUTS = 4;
    private static final int MAX_SUMS = MAX_OUTPUTS * MAX_ROWS;

    private Bf16Linear() {}

    /**
     * Rows that a launch covers, and the matrix.
     *
     * @param rowsAt where {@code counts} has the number of rows
     */
    public record Shape(int maxRows, int inputs, int outputs, int rowsAt) {
        /** Checks that codes come in whole longs and that ints index all arrays. */
        public Shape {
            if (maxRows < 1 || inputs < RUN || inputs % RUN != 0 || outputs < 1 || rowsAt < 0) {
                throw new IllegalArgumentException("bf16 linear of " + maxRows + " rows, " + inputs + " inputs, "
                        + outputs + " outputs: expected at least 1, a multiple of 4, at least 1");
            }
            Elements.count("rows", maxRows, Math.max(inputs, outputs));
            Elements.count("bf16 matrix", outputs, inputs / RUN);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 2L * outputs * inputs + 4L * rows * inputs + 4L * rows * outputs;
        }

        /** Multiply-adds for {@code rows} rows. */
        public long multiplyAdds(int rows) {
            return (long) rows * outputs * inputs;
        }

        int tileRows() {
            return maxRows == 1 ? 1 : maxRows <= 16 ? 4 : MAX_ROWS;
        }

        int tileOutputs() {
            return maxRows <= 16 ? 1 : MAX_OUTPUTS;
        }
    }

    /** The definition, in double sums. */
    public static void reference(int rows, Shape shape, float[] x, short[] weight, float[] out) {
        for (int t = 0; t < rows; t++) {
            for (int o = 0; o < shape.outputs(); o++) {
                double sum = 0;
                for (int i = 0; i < shape.inputs(); i++) {
                    sum += (double) Bf16.decode(weight[o * shape.inputs() + i]) * x[t * shape.inputs() + i];
                }
                out[t * shape.outputs() + o] = (float) sum;
            }
        }
    }

    /** A warp per {@code tileOutputs} outputs and {@code tileRows} rows; {@code cuda} is of {@link Variant}. */
    static void multiply(
            KernelContext context,
            IntArray counts,
            FloatArray x,
            LongArray weight,
            FloatArray exponents,
            FloatArray out,
            int inputs,
            int outputs,
            int tileRows,
            int tileOutputs,
            int rowsAt,
            int cuda) {
        float[] staged = context.allocateFloatLocalArray(tileRows * RUN * TURNED);
        float[] sums = new float[MAX_SUMS];
        float[] w = new float[MAX_OUTPUTS * RUN];
        float[] values = new float[RUN];
        int item = context.localIdx;
        int lane = item % WARP;
        int firstOutput = (context.groupIdx * WARPS + item / WARP) * tileOutputs;
        int firstRow = context.groupIdy * tileRows;
        int rows = Math.min(counts.get(rowsAt) - firstRow, tileRows);
        Fp8Linear.zero(sums, tileOutputs * tileRows);
        int end = rows > 0 ? inputs : 0;
        for (int from = 0; from < end; from += STAGE) {
            for (int i = item; i < tileRows * STAGE; i += GROUP) {
                staged[turned(i)] = Fp8Linear.value(x, firstRow, rows, i / STAGE, from + i % STAGE, inputs);
            }
            context.localBarrier();
            for (int run = lane; run < Math.min(STAGE, inputs - from) / RUN; run += WARP) {
                decode(weight, exponents, w, firstOutput, from / RUN + run, inputs, outputs, tileOutputs, cuda);
                for (int t = 0; t < tileRows; t++) {
                    for (int j = 0; j < RUN; j++) {
                        values[j] = staged[(t * RUN + j) * TURNED + run];
                    }
                    for (int o = 0; o < tileOutputs; o++) {
                        sums[o * tileRows + t] = sums[o * tileRows + t] + dot(w, o * RUN, values);
                    }
                }
            }
            context.localBarrier();
        }
        for (int s = 0; s < tileOutputs * tileRows; s++) {
            staged[s * GROUP + item] = sums[s];
        }
        for (int distance = WARP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (lane < distance) {
                for (int s = item; s < tileOutputs * tileRows * GROUP; s += GROUP) {
                    staged[s] = staged[s] + staged[s + distance];
                }
            }
        }
        context.localBarrier();
        int output = firstOutput + lane / tileRows;
        if (lane < tileOutputs * tileRows && lane % tileRows < rows && output < outputs) {
            out.set((firstRow + lane % tileRows) * outputs + output, staged[lane * GROUP + item - lane]);
        }
    }

    /** Where value i of the rows of a stage lies in local memory. */
    private static int turned(int i) {
        return (i / STAGE * RUN + i % RUN) * TURNED + i % STAGE / RUN;
    }

    /** Decodes run {@code run} of each output of a tile. Outputs beyond the last one repeat it. */
    private static void decode(
            LongArray weight,
            FloatArray exponents,
            float[] w,
            int firstOutput,
            int run,
            int inputs,
            int outputs,
            int tileOutputs,
            int cuda) {
        for (int o = 0; o < tileOutputs; o++) {
            long word = weight.get(Math.min(firstOutput + o, outputs - 1) * (inputs / RUN) + run);
            for (int j = 0; j < RUN; j++) {
                w[o * RUN + j] = Exponents.decodeBf16(exponents, word, 16 * j, cuda);
            }
        }
    }

    private static float dot(float[] w, int from, float[] values) {
        float sum = 0;
        for (int j = 0; j < RUN; j++) {
            sum = sum + w[from + j] * values[j];
        }
        return sum;
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            LongArray weight,
            FloatArray exponents,
            FloatArray out,
            Shape shape,
            Variant variant) {
        int tilesOfOutputs = Math.ceilDiv(shape.outputs(), WARPS * shape.tileOutputs());
        Grids.groups(graph, grids, task, tilesOfOutputs, Math.ceilDiv(shape.maxRows(), shape.tileRows()), GROUP);
        return graph.task(
                task,
                Bf16Linear::multiply,
                Grids.CONTEXT,
                counts,
                x,
                weight,
                exponents,
                out,
                shape.inputs(),
                shape.outputs(),
                shape.tileRows(),
                shape.tileOutputs(),
                shape.rowsAt(),
                variant.cuda());
    }
}
