package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Root-mean-square norm of rows, after an update of the residual stream or without.
 *
 * <pre>
 * x[t][i]  += update[t][i]                                            if there is an update
 * out[t][i] = x[t][i] / sqrt(mean_i(x[t][i]^2) + eps) * weight[i]
 *
 * counts   [8] int                  counts[0] = T rows
 * x        [maxRows][xWidth] f32    the first width values of a row
 * update   [maxRows][width] f32
 * weight   [width] f32
 * out      [maxRows][width] f32         another array than x: TornadoVM takes none twice
 *
 * floor    4 T width read, 4 T width written, 4 width of weights; with an update 4 T width more of both
 * </pre>
 *
 * A group of 256 work-items per row: each sums the squares of every 256th value, and the sums are added as a tree.
 */
public final class RmsNorm {
    private static final int GROUP = 256;

    private RmsNorm() {}

    /**
     * Rows that a launch covers.
     *
     * @param xWidth values from a row of x to the next, {@code width} or more
     * @param width values that are normed
     */
    public record Shape(int maxRows, int xWidth, int width, float eps) {
        /** Checks that rows hold what is normed. */
        public Shape {
            if (maxRows < 1 || width < 1 || xWidth < width || !(eps >= 0)) {
                throw new IllegalArgumentException(
                        "norm of " + maxRows + " rows, " + width + " of " + xWidth + " values, eps " + eps
                                + ": expected at least 1 row and value, no more than a row has, eps of 0 or more");
            }
            Elements.count("rows", maxRows, xWidth);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows, boolean update) {
            return 4L * width + (update ? 16L : 8L) * rows * width;
        }
    }

    /** The definition, in double sums, without update. */
    public static void reference(int rows, Shape shape, float[] x, float[] weight, float[] out) {
        for (int t = 0; t < rows; t++) {
            double squares = 0;
            for (int i = 0; i < shape.width(); i++) {
                double value = x[t * shape.xWidth() + i];
                squares += value * value;
            }
            double scale = 1 / Math.sqrt(squares / shape.width() + shape.eps());
            for (int i = 0; i < shape.width(); i++) {
                out[t * shape.width() + i] = (float) (x[t * shape.xWidth() + i] * scale * weight[i]);
            }
        }
    }

    /** A group per row. */
    static void normalise(
            KernelContext context,
            IntArray counts,
            FloatArray x,
            FloatArray weight,
            FloatArray out,
            int xWidth,
            int width,
            float eps) {
        float[] sums = context.allocateFloatLocalArray(GROUP);
        int item = context.localIdx;
        int row = context.groupIdx;
        int end = end(counts, row, width);
        float sum = 0;
        for (int i = item; i < end; i += GROUP) {
            float value = x.get(row * xWidth + i);
            sum = sum + value * value;
        }
        sums[item] = sum;
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                sums[item] = sums[item] + sums[item + distance];
            }
        }
        context.localBarrier();
        scale(x, weight, out, row, item, end, xWidth, width, 1 / TornadoMath.sqrt(sums[0] / width + eps));
    }

    /** The same, in place. */
    static void normaliseInPlace(
            KernelContext context, IntArray counts, FloatArray x, FloatArray weight, int xWidth, int width, float eps) {
        float[] sums = context.allocateFloatLocalArray(GROUP);
        int item = context.localIdx;
        int row = context.groupIdx;
        int end = end(counts, row, width);
        float sum = 0;
        for (int i = item; i < end; i += GROUP) {
            float value = x.get(row * xWidth + i);
            sum = sum + value * value;
        }
        sums[item] = sum;
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                sums[item] = sums[item] + sums[item + distance];
            }
        }
        context.localBarrier();
        float scale = 1 / TornadoMath.sqrt(sums[0] / width + eps);
        for (int i = item; i < end; i += GROUP) {
            x.set(row * xWidth + i, x.get(row * xWidth + i) * scale * weight.get(i));
        }
    }

    /** The same with an update, which each work-item adds to the values that it squares. */
    static void addAndNorm(
            KernelContext context,
            IntArray counts,
            FloatArray x,
            FloatArray update,
            FloatArray weight,
            FloatArray out,
            int xWidth,
            int width,
            float eps) {
        float[] sums = context.allocateFloatLocalArray(GROUP);
        int item = context.localIdx;
        int row = context.groupIdx;
        int end = end(counts, row, width);
        float sum = 0;
        for (int i = item; i < end; i += GROUP) {
            float value = x.get(row * xWidth + i) + update.get(row * width + i);
            x.set(row * xWidth + i, value);
            sum = sum + value * value;
        }
        sums[item] = sum;
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                sums[item] = sums[item] + sums[item + distance];
            }
        }
        context.localBarrier();
        scale(x, weight, out, row, item, end, xWidth, width, 1 / TornadoMath.sqrt(sums[0] / width + eps));
    }

    /** Values of a row to norm: none beyond the last row. */
    private static int end(IntArray counts, int row, int width) {
        int end = 0;
        if (row < counts.get(0)) {
            end = width;
        }
        return end;
    }

    private static void scale(
            FloatArray x,
            FloatArray weight,
            FloatArray out,
            int row,
            int item,
            int end,
            int xWidth,
            int width,
            float scale) {
        for (int i = item; i < end; i += GROUP) {
            out.set(row * width + i, x.get(row * xWidth + i) * scale * weight.get(i));
        }
    }

    /** Appends a norm without update. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            FloatArray weight,
            FloatArray out,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                RmsNorm::normalise,
                Grids.CONTEXT,
                counts,
                x,
                weight,
                out,
                shape.xWidth(),
                shape.width(),
                shape.eps());
    }

    /** Appends a norm without update that replaces x. */
    public static TaskGraph appendInPlace(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            FloatArray weight,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                RmsNorm::normaliseInPlace,
                Grids.CONTEXT,
                counts,
                x,
                weight,
                shape.xWidth(),
                shape.width(),
                shape.eps());
    }

    /** Appends {@code x += update} and the norm of that. */
    public static TaskGraph appendWithUpdate(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            FloatArray update,
            FloatArray weight,
            FloatArray out,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                RmsNorm::addAndNorm,
                Grids.CONTEXT,
                counts,
                x,
                update,
                weight,
                out,
                shape.xWidth(),
                shape.width(),
                shape.eps());
    }
}
