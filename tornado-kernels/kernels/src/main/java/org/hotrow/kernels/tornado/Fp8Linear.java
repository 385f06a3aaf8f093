package org.hotrow.kernels.tornado;

import org.hotrow.kernels.E4m3;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Multiplies rows by a matrix of block-scaled E4M3 codes; activations stay f32.
 *
 * <pre>
 * out[t][o] = sum_i e4m3(weight[o][i]) * scale[o / 128][i / 128] * x[t][i]
 *
 * counts   [8] int                       counts[0] = T rows
 * x        [maxRows][inputs] f32         inputs a multiple of 8
 * weight   [outputs][inputs] e4m3        8 codes to a long, the first one lowest
 * scale    [ceil(outputs / 128)][ceil(inputs / 128)] f32
 * out      [maxRows][outputs] f32
 *
 * floor    outputs x inputs + 4 scales + 4 T inputs bytes read, 4 T outputs written; T outputs inputs multiply-adds
 * </pre>
 *
 * <p>A warp computes one output, or several, of one row or several. Each lane sums every 32nd run of 8 codes, so that a
 * warp's loads of 8 bytes are next to each other; the 32 sums are added as a tree:
 *
 * <pre>
 * lane l      s = 0; for runs r = l, l + 32, ...:  s += scale * ((((0 + w0 x0) + w1 x1) + w2 x2) + ... + w7 x7)
 * tree        lane l + 16 into l, then l + 8, 4, 2, 1
 * </pre>
 *
 * <p>That order is the same for every tile, so that decoding and prefill give the same bits. Activations pass through
 * local memory, turned so that lanes read neighbours: value i of a stage lies at {@code (i % 8) * 132 + i / 8}.
 */
public final class Fp8Linear {
    private static final int BLOCK = 128;
    private static final int WARP = 32;
    private static final int WARPS = 8;
    private static final int GROUP = WARPS * WARP;
    private static final int STAGE = 1024;
    private static final int STAGE_RUNS = STAGE / 8;
    private static final int TURNED = STAGE_RUNS + 4;
    private static final int MAX_ROWS = 8;
    private static final int MAX_OUTPUTS = 4;
    private static final int MAX_SUMS = MAX_OUTPUTS * MAX_ROWS;

    private Fp8Linear() {}

    /** Rows that a launch covers, and the matrix. */
    public record Shape(int maxRows, int inputs, int outputs) {
        /** Checks that codes come in whole longs and that ints index all arrays. */
        public Shape {
            if (maxRows < 1 || inputs < 8 || inputs % 8 != 0 || outputs < 1) {
                throw new IllegalArgumentException("fp8 linear of " + maxRows + " rows, " + inputs + " inputs, "
                        + outputs + " outputs: expected at least 1, a multiple of 8, at least 1");
            }
            Elements.count("rows", maxRows, Math.max(inputs, outputs));
            Elements.count("fp8 matrix", outputs, inputs / 8);
        }

        int scaleColumns() {
            return Math.ceilDiv(inputs, BLOCK);
        }

        /** Scales of the matrix. */
        public int scales() {
            return Math.ceilDiv(outputs, BLOCK) * scaleColumns();
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return (long) outputs * inputs + 4L * scales() + 4L * rows * inputs + 4L * rows * outputs;
        }

        /** Multiply-adds for {@code rows} rows. */
        public long multiplyAdds(int rows) {
            return (long) rows * outputs * inputs;
        }

        /** Rows of a tile: more of them read a weight less often, fewer waste less on what is not there. */
        int tileRows() {
            return maxRows == 1 ? 1 : maxRows <= 16 ? 4 : MAX_ROWS;
        }

        int tileOutputs() {
            return maxRows <= 16 ? 1 : MAX_OUTPUTS;
        }
    }

    /** The definition, in double sums. */
    public static void reference(int rows, Shape shape, float[] x, byte[] weight, float[] scale, float[] out) {
        for (int t = 0; t < rows; t++) {
            for (int o = 0; o < shape.outputs(); o++) {
                double sum = 0;
                for (int i = 0; i < shape.inputs(); i++) {
                    double w = (double) E4m3.decode(weight[o * shape.inputs() + i])
                            * scale[o / BLOCK * shape.scaleColumns() + i / BLOCK];
                    sum += w * x[t * shape.inputs() + i];
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
            FloatArray scale,
            FloatArray codes,
            FloatArray out,
            int inputs,
            int outputs,
            int tileRows,
            int tileOutputs,
            int cuda) {
        float[] staged = context.allocateFloatLocalArray(tileRows * 8 * TURNED);
        float[] sums = new float[MAX_SUMS];
        float[] w = new float[MAX_OUTPUTS * 8];
        float[] factors = new float[MAX_OUTPUTS];
        float[] values = new float[8];
        int item = context.localIdx;
        int lane = item % WARP;
        int firstOutput = (context.groupIdx * WARPS + item / WARP) * tileOutputs;
        int firstRow = context.groupIdy * tileRows;
        int rows = Math.min(counts.get(0) - firstRow, tileRows);
        zero(sums, tileOutputs * tileRows);
        int end = rows > 0 ? inputs : 0;
        for (int from = 0; from < end; from += STAGE) {
            for (int i = item; i < tileRows * STAGE; i += GROUP) {
                staged[turned(i)] = value(x, firstRow, rows, i / STAGE, from + i % STAGE, inputs);
            }
            context.localBarrier();
            for (int run = lane; run < Math.min(STAGE, inputs - from) / 8; run += WARP) {
                decode(weight, codes, w, firstOutput, from / 8 + run, inputs, outputs, tileOutputs, cuda);
                scales(scale, factors, firstOutput, from + run * 8, inputs, outputs, tileOutputs);
                for (int t = 0; t < tileRows; t++) {
                    for (int j = 0; j < 8; j++) {
                        values[j] = staged[(t * 8 + j) * TURNED + run];
                    }
                    for (int o = 0; o < tileOutputs; o++) {
                        sums[o * tileRows + t] += factors[o] * dot(w, o * 8, values);
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
        return (i / STAGE * 8 + i % 8) * TURNED + i % STAGE / 8;
    }

    /** A value of row {@code firstRow + row}, or 0 beyond the rows and inputs. */
    static float value(FloatArray x, int firstRow, int rows, int row, int column, int inputs) {
        float value = 0;
        if (row < rows && column < inputs) {
            value = x.get((firstRow + row) * inputs + column);
        }
        return value;
    }

    /** Private arrays hold anything at first. */
    static void zero(float[] sums, int count) {
        for (int s = 0; s < count; s++) {
            sums[s] = 0;
        }
    }

    /** Decodes run {@code run} of each output of a tile. Outputs beyond the last one repeat it. */
    private static void decode(
            LongArray weight,
            FloatArray codes,
            float[] w,
            int firstOutput,
            int run,
            int inputs,
            int outputs,
            int tileOutputs,
            int cuda) {
        for (int o = 0; o < tileOutputs; o++) {
            long word = weight.get(Math.min(firstOutput + o, outputs - 1) * (inputs / 8) + run);
            for (int j = 0; j < 8; j++) {
                w[o * 8 + j] = Fp8Codes.decode(codes, word, 8 * j, cuda);
            }
        }
    }

    private static void scales(
            FloatArray scale, float[] factors, int firstOutput, int column, int inputs, int outputs, int tileOutputs) {
        int columns = (inputs + BLOCK - 1) / BLOCK;
        for (int o = 0; o < tileOutputs; o++) {
            factors[o] = scale.get(Math.min(firstOutput + o, outputs - 1) / BLOCK * columns + column / BLOCK);
        }
    }

    /** The products of a run, added in order; one product in each addition, so that all tiles fuse the same ones. */
    static float dot(float[] w, int from, float[] values) {
        float sum = 0;
        for (int j = 0; j < 8; j++) {
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
            FloatArray scale,
            FloatArray codes,
            FloatArray out,
            Shape shape,
            Variant variant) {
        int tilesOfOutputs = Math.ceilDiv(shape.outputs(), WARPS * shape.tileOutputs());
        Grids.groups(graph, grids, task, tilesOfOutputs, Math.ceilDiv(shape.maxRows(), shape.tileRows()), GROUP);
        return graph.task(
                task,
                Fp8Linear::multiply,
                Grids.CONTEXT,
                counts,
                x,
                weight,
                scale,
                codes,
                out,
                shape.inputs(),
                shape.outputs(),
                shape.tileRows(),
                shape.tileOutputs(),
                variant.cuda());
    }
}
