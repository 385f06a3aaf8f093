package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Layer norm of the indexer's keys, in place.
 *
 * <pre>
 * x[t][i] = (x[t][i] - mean_i x[t][i]) / sqrt(mean_i (x[t][i] - mean)^2 + 1e-6) * weight[i] + bias[i]
 *
 * counts         [8] int                counts[0] = T rows
 * x              [maxRows][width] f32
 * weight, bias   [width] f32
 *
 * floor          4 T width read and written, 8 width of weights
 * </pre>
 *
 * A group of 128 work-items per row: each sums every 128th value, and the sums are added as a tree; likewise the squares.
 */
public final class LayerNorm {
    private static final int GROUP = 128;
    private static final float EPS = 1e-6f;

    private LayerNorm() {}

    /** Rows that a launch covers, values of a row. */
    public record Shape(int maxRows, int width) {
        /** Checks that there is something, and that ints index it. */
        public Shape {
            if (maxRows < 1 || width < 1) {
                throw new IllegalArgumentException(
                        "layer norm of " + maxRows + " rows of " + width + " values: expected at least 1 of each");
            }
            Elements.count("rows", maxRows, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 8L * rows * width + 8L * width;
        }
    }

    /** The definition, in double sums. */
    public static void reference(int rows, int width, float[] x, float[] weight, float[] bias) {
        for (int t = 0; t < rows; t++) {
            double sum = 0;
            for (int i = 0; i < width; i++) {
                sum += x[t * width + i];
            }
            double mean = sum / width;
            double squares = 0;
            for (int i = 0; i < width; i++) {
                squares += (x[t * width + i] - mean) * (x[t * width + i] - mean);
            }
            double scale = 1 / Math.sqrt(squares / width + EPS);
            for (int i = 0; i < width; i++) {
                x[t * width + i] = (float) ((x[t * width + i] - mean) * scale * weight[i] + bias[i]);
            }
        }
    }

    /** A group per row. */
    static void normalise(
            KernelContext context, IntArray counts, FloatArray x, FloatArray weight, FloatArray bias, int width) {
        float[] sums = context.allocateFloatLocalArray(GROUP);
        float[] squares = context.allocateFloatLocalArray(GROUP);
        int item = context.localIdx;
        int row = context.groupIdx;
        int end = 0;
        if (row < counts.get(0)) {
            end = width;
        }
        float sum = 0;
        for (int i = item; i < end; i += GROUP) {
            sum = sum + x.get(row * width + i);
        }
        sums[item] = sum;
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                sums[item] = sums[item] + sums[item + distance];
            }
        }
        context.localBarrier();
        float mean = sums[0] / width;
        float square = 0;
        for (int i = item; i < end; i += GROUP) {
            float difference = x.get(row * width + i) - mean;
            square = square + difference * difference;
        }
        squares[item] = square;
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                squares[item] = squares[item] + squares[item + distance];
            }
        }
        context.localBarrier();
        float scale = 1 / TornadoMath.sqrt(squares[0] / width + EPS);
        for (int i = item; i < end; i += GROUP) {
            float unit = (x.get(row * width + i) - mean) * scale;
            x.set(row * width + i, unit * weight.get(i) + bias.get(i));
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            FloatArray weight,
            FloatArray bias,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(task, LayerNorm::normalise, Grids.CONTEXT, counts, x, weight, bias, shape.width());
    }
}
