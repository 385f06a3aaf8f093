package org.hotrow.kernels.tornado;

import org.hotrow.kernels.E4m3;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.MMAShape;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Multiplies rows by a matrix of block-scaled E4M3 codes on tensor cores: activations are rounded to E4M3 too, with a
 * scale for each 128 inputs of a row. CUDA only; less exact than {@link Fp8Linear}, which is the default.
 *
 * <pre>
 * rowScale[t][b] = max(largest finite |x[t][128 b ..]|, 1e-10) / 448
 * rowCode[t][i]  = e4m3(x[t][i] / rowScale[t][i / 128])
 * out[t][o]      = sum_b (sum_{i of block b} weight[o][i] rowCode[t][i]) * rowScale[t][b] * scale[o / 128][b]
 *
 * counts    [8] int                          counts[0] = T rows
 * x         [maxRows][inputs] f32            maxRows a multiple of 16, inputs of 128, outputs of 16
 * rowCode   [maxRows][inputs] e4m3           8 codes to a long
 * rowScale  [maxRows][inputs / 128] f32
 * weight, scale                              as {@link Fp8Linear} has them
 * out       [maxRows][outputs] f32           rows up to the next multiple of 16 are overwritten
 *
 * floor     as {@link Fp8Linear}
 * partials  T inputs bytes of codes and 4 T inputs / 128 of scales, for the second task
 * </pre>
 *
 * <p>A warp computes 16 x 16 outputs. The unit multiplies 16 x 32 codes of rows by 32 x 8 of the matrix; after four such
 * steps, a block, the partial sums are stored to {@code out}, since a kernel can't take a fragment apart, read back,
 * scaled and added in registers. They stay in the L2 cache.
 */
public final class W8a8 {
    private static final int BLOCK = 128;
    private static final int WARP = 32;
    private static final int TILE = 16;
    /** Inputs of a multiplication, and the longs and ints that hold their codes. */
    private static final int STEP = 32;

    private static final int STEP_LONGS = STEP / 8;
    private static final int STEP_INTS = STEP / 4;
    private static final float LEAST_AMAX = 1e-10f;

    private W8a8() {}

    /** Rows that a launch covers, and the matrix. */
    public record Shape(int maxRows, int inputs, int outputs) {
        /** Checks that tiles fit. */
        public Shape {
            if (maxRows < 1
                    || maxRows % TILE != 0
                    || inputs < BLOCK
                    || inputs % BLOCK != 0
                    || outputs < 1
                    || outputs % TILE != 0) {
                throw new IllegalArgumentException("w8a8 linear of " + maxRows + " rows, " + inputs + " inputs, "
                        + outputs + " outputs: expected multiples of 16, 128 and 16");
            }
            Elements.count("rows", maxRows, Math.max(inputs, outputs));
            Elements.count("fp8 matrix", outputs, inputs / 8);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return new Fp8Linear.Shape(maxRows, inputs, outputs).floorBytes(rows);
        }

        /** Bytes between the two tasks. */
        public long partialBytes(int rows) {
            return (long) rows * inputs + 4L * rows * (inputs / BLOCK);
        }
    }

    /** The definition of the codes and scales of rows. */
    public static void quantiseReference(int rows, int inputs, float[] x, byte[] rowCode, float[] rowScale) {
        for (int block = 0; block < rows * (inputs / BLOCK); block++) {
            float largest = LEAST_AMAX;
            for (int i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
                largest = Float.isFinite(x[i]) ? Math.max(largest, Math.abs(x[i])) : largest;
            }
            rowScale[block] = largest / E4m3.MAX;
            for (int i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
                rowCode[i] = E4m3.encode(Float.isFinite(x[i]) ? x[i] / rowScale[block] : Float.NaN);
            }
        }
    }

    /** The definition of the product, in double sums. */
    public static void reference(
            int rows, Shape shape, byte[] rowCode, float[] rowScale, byte[] weight, float[] scale, float[] out) {
        int blocks = shape.inputs() / BLOCK;
        for (int t = 0; t < rows; t++) {
            for (int o = 0; o < shape.outputs(); o++) {
                double sum = 0;
                for (int i = 0; i < shape.inputs(); i++) {
                    double product = (double) E4m3.decode(weight[o * shape.inputs() + i])
                            * E4m3.decode(rowCode[t * shape.inputs() + i]);
                    sum += product * rowScale[t * blocks + i / BLOCK] * scale[o / BLOCK * blocks + i / BLOCK];
                }
                out[t * shape.outputs() + o] = (float) sum;
            }
        }
    }

    /** A group of 128 work-items per block of a row. */
    static void quantise(
            KernelContext context, IntArray counts, FloatArray x, LongArray rowCode, FloatArray rowScale, int inputs) {
        float[] values = context.allocateFloatLocalArray(BLOCK);
        float[] largest = context.allocateFloatLocalArray(BLOCK);
        int item = context.localIdx;
        int row = context.groupIdy;
        int block = row * (inputs / BLOCK) + context.groupIdx;
        float value = 0;
        if (row < counts.get(0)) {
            value = x.get(block * BLOCK + item);
        }
        values[item] = value;
        largest[item] = Fp8Codes.finiteMagnitude(value);
        for (int distance = BLOCK / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                largest[item] = TornadoMath.max(largest[item], largest[item + distance]);
            }
        }
        context.localBarrier();
        float scale = TornadoMath.max(largest[0], LEAST_AMAX) / E4m3.MAX;
        if (row < counts.get(0) && item < BLOCK / 8) {
            long word = 0;
            for (int j = 0; j < 8; j++) {
                word = word | ((long) Fp8Codes.encode(values[item * 8 + j], scale) << (8 * j));
            }
            rowCode.set(block * (BLOCK / 8) + item, word);
            if (item == 0) {
                rowScale.set(block, scale);
            }
        }
    }

    /** A warp per 16 rows and 16 outputs. */
    @CudaOnly
    static void multiply(
            KernelContext context,
            IntArray counts,
            LongArray rowCode,
            FloatArray rowScale,
            LongArray weight,
            FloatArray scale,
            FloatArray out,
            int inputs,
            int outputs) {
        int[] a = context.allocateIntLocalArray(TILE * STEP_INTS);
        int[] left = context.allocateIntLocalArray(8 * STEP_INTS);
        int[] right = context.allocateIntLocalArray(8 * STEP_INTS);
        float[] sums = new float[8];
        int lane = context.localIdx;
        int firstOutput = context.groupIdx * TILE;
        int firstRow = context.groupIdy * TILE;
        int rows = counts.get(0) - firstRow;
        int blocks = rows > 0 ? inputs / BLOCK : 0;
        Fp8Linear.zero(sums, 8);
        for (int block = 0; block < blocks; block++) {
            float[] leftSums = context.mmaFragment(0f);
            float[] rightSums = context.mmaFragment(0f);
            for (int step = 0; step < BLOCK / STEP; step++) {
                int at = (block * BLOCK + step * STEP) / 8;
                for (int i = lane; i < TILE * STEP_LONGS; i += WARP) {
                    int row = i / STEP_LONGS;
                    long word = wordOrZero(
                            rowCode, row < rows ? 1 : 0, (firstRow + row) * (inputs / 8) + at + i % STEP_LONGS);
                    a[2 * i] = (int) word;
                    a[2 * i + 1] = (int) (word >> 32);
                }
                int output = firstOutput + lane / 4 * 2;
                long even = weight.get(output * (inputs / 8) + at + lane % 4);
                long odd = weight.get((output + 1) * (inputs / 8) + at + lane % 4);
                for (int j = 0; j < 4; j++) {
                    int to = (lane % 4 * 4 + j) * 4 + lane / 4 % 4;
                    if (lane < WARP / 2) {
                        left[to] = pair(even, odd, 16 * j);
                    } else {
                        right[to] = pair(even, odd, 16 * j);
                    }
                }
                context.localBarrier();
                byte[] rowFragment = context.mmaLoadAFP8(a, STEP);
                leftSums =
                        context.mmaFP8E4M3(rowFragment, context.mmaLoadBFP8(left, STEP), leftSums, MMAShape.M16N8K32);
                rightSums =
                        context.mmaFP8E4M3(rowFragment, context.mmaLoadBFP8(right, STEP), rightSums, MMAShape.M16N8K32);
                context.localBarrier();
            }
            context.mmaStore(leftSums, out, firstRow, firstOutput, outputs);
            context.mmaStore(rightSums, out, firstRow, firstOutput + 8, outputs);
            context.localBarrier();
            add(sums, rowScale, scale, out, firstRow, rows, firstOutput, lane, block, inputs, outputs);
            context.localBarrier();
        }
        store(sums, out, firstRow, rows, firstOutput, lane, outputs);
    }

    private static long wordOrZero(LongArray words, int there, int at) {
        long word = 0;
        if (there == 1) {
            word = words.get(at);
        }
        return word;
    }

    /** Two codes of an output at a shift, then those of the next output: what the unit takes of two inputs. */
    private static int pair(long even, long odd, int shift) {
        return ((int) (even >> shift) & 0xFFFF) | (((int) (odd >> shift) & 0xFFFF) << 16);
    }

    /** Scales a block's sums and adds them. Lane l has outputs l % 16 of rows l / 16, l / 16 + 2, ... of the tile. */
    private static void add(
            float[] sums,
            FloatArray rowScale,
            FloatArray scale,
            FloatArray out,
            int firstRow,
            int rows,
            int firstOutput,
            int lane,
            int block,
            int inputs,
            int outputs) {
        int blocks = inputs / BLOCK;
        int output = firstOutput + lane % TILE;
        float factor = scale.get(output / BLOCK * blocks + block);
        for (int i = 0; i < 8; i++) {
            int row = lane / TILE + 2 * i;
            if (row < rows) {
                float rowFactor = rowScale.get((firstRow + row) * blocks + block) * factor;
                sums[i] = sums[i] + rowFactor * out.get((firstRow + row) * outputs + output);
            }
        }
    }

    private static void store(
            float[] sums, FloatArray out, int firstRow, int rows, int firstOutput, int lane, int outputs) {
        if (rows > 0) {
            for (int i = 0; i < 8; i++) {
                out.set((firstRow + lane / TILE + 2 * i) * outputs + firstOutput + lane % TILE, sums[i]);
            }
        }
    }

    /** Appends two tasks: {@code <task>Codes} rounds the rows, {@code task} multiplies. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            LongArray rowCode,
            FloatArray rowScale,
            LongArray weight,
            FloatArray scale,
            FloatArray out,
            Shape shape) {
        int inputs = shape.inputs();
        String codes = task + "Codes";
        Grids.groups(graph, grids, codes, inputs / BLOCK, shape.maxRows(), BLOCK);
        graph.task(codes, W8a8::quantise, Grids.CONTEXT, counts, x, rowCode, rowScale, inputs);
        Grids.groups(graph, grids, task, shape.outputs() / TILE, shape.maxRows() / TILE, WARP);
        return graph.task(
                task,
                W8a8::multiply,
                Grids.CONTEXT,
                counts,
                rowCode,
                rowScale,
                weight,
                scale,
                out,
                inputs,
                shape.outputs());
    }
}
