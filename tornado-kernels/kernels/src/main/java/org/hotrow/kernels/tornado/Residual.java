package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Adds an update to the residual stream, in place.
 *
 * <pre>
 * into[t][i] += update[t][i]
 *
 * counts        [8] int       counts[0] = T rows
 * update, into  [maxRows][width] f32
 *
 * floor   8 T width bytes read, 4 T width written; T width additions
 * </pre>
 *
 * {@link RmsNorm} can add on the way, which saves reading {@code into} again.
 */
public final class Residual {
    private static final int GROUP = 256;

    private Residual() {}

    /** Rows that a launch covers, values of a row. */
    public record Shape(int maxRows, int width) {
        /** Checks that there is something, and that ints index it. */
        public Shape {
            if (maxRows < 1 || width < 1) {
                throw new IllegalArgumentException(
                        "residual of " + maxRows + " rows of " + width + " values: expected at least 1 of each");
            }
            Elements.count("rows", maxRows, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 3L * Float.BYTES * rows * width;
        }
    }

    /** The definition. */
    public static void reference(int rows, int width, float[] update, float[] into) {
        for (int i = 0; i < rows * width; i++) {
            into[i] = (float) ((double) into[i] + update[i]);
        }
    }

    /** A work-item per value. */
    static void add(KernelContext context, IntArray counts, FloatArray update, FloatArray into, int width) {
        int i = context.globalIdx;
        if (i < counts.get(0) * width) {
            into.set(i, into.get(i) + update.get(i));
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray update,
            FloatArray into,
            Shape shape) {
        Grids.add(graph, grids, task, shape.maxRows() * shape.width(), GROUP);
        return graph.task(task, Residual::add, Grids.CONTEXT, counts, update, into, shape.width());
    }
}
