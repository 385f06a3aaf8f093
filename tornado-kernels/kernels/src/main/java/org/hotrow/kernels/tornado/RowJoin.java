package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Two rows behind each other, for a matrix that takes both.
 *
 * <pre>
 * out[t] = [left[t] | right[t]]
 *
 * counts        [8] int              counts[0] = T rows
 * left, right   [maxRows][width]     f32
 * out           [maxRows][2 width]   f32
 *
 * floor         8 T width bytes read, 8 T width written
 * </pre>
 */
public final class RowJoin {
    private static final int GROUP = 256;

    private RowJoin() {}

    /** Rows that a launch covers, values of a row of either side. */
    public record Shape(int maxRows, int width) {
        /** Checks that there is something, and that ints index it. */
        public Shape {
            if (maxRows < 1 || width < 1) {
                throw new IllegalArgumentException(
                        "join of " + maxRows + " rows of " + width + " values: expected at least 1 of each");
            }
            Elements.count("joined rows", maxRows, 2, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 16L * rows * width;
        }
    }

    /** The definition. */
    public static void reference(int rows, int width, float[] left, float[] right, float[] out) {
        for (int t = 0; t < rows; t++) {
            System.arraycopy(left, t * width, out, 2 * t * width, width);
            System.arraycopy(right, t * width, out, (2 * t + 1) * width, width);
        }
    }

    /** Rows of groups, a work-item per value of either side. */
    static void join(
            KernelContext context, IntArray counts, FloatArray left, FloatArray right, FloatArray out, int width) {
        int t = context.groupIdy;
        int i = context.groupIdx * GROUP + context.localIdx;
        if (t < counts.get(0) && i < width) {
            out.set(2 * t * width + i, left.get(t * width + i));
            out.set((2 * t + 1) * width + i, right.get(t * width + i));
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray left,
            FloatArray right,
            FloatArray out,
            Shape shape) {
        Grids.groups(graph, grids, task, Math.ceilDiv(shape.width(), GROUP), shape.maxRows(), GROUP);
        return graph.task(task, RowJoin::join, Grids.CONTEXT, counts, left, right, out, shape.width());
    }
}
