package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Copies rows between a part of a step and an array that has the rows of all parts.
 *
 * <pre>
 * take    out[t] = all[row[t]]
 * keep    all[first + t] = x[t]
 *
 * counts   [8] int             counts[0] = T rows of the part, counts[5] = first, the row of the step that it begins with
 * row      [maxRows] int
 * x, out   [maxRows][width]    f32 or int
 * all      [allRows][width]    f32 or int
 *
 * floor    4 T width bytes read, 4 T width written; take also reads 4 T of rows
 * </pre>
 */
public final class RowCopy {
    private static final int GROUP = 256;
    private static final int FIRST = 5;

    private RowCopy() {}

    /** Rows that a launch covers, rows of the step, values of a row. */
    public record Shape(int maxRows, int allRows, int width) {
        /** Checks that there is something, and that ints index it. */
        public Shape {
            if (maxRows < 1 || allRows < maxRows || width < 1) {
                throw new IllegalArgumentException("copy of " + maxRows + " of " + allRows + " rows of " + width
                        + " values: expected at least 1, no fewer, at least 1");
            }
            Elements.count("rows", allRows, width);
        }

        /** Bytes that DRAM must move to take {@code rows} rows. */
        public long takeBytes(int rows) {
            return 4L * rows + keepBytes(rows);
        }

        /** Bytes that DRAM must move to keep {@code rows} rows. */
        public long keepBytes(int rows) {
            return 8L * rows * width;
        }
    }

    /** The definition of take, of values of any type that an array of it holds. */
    public static void referenceTake(int rows, int width, int[] row, Object all, Object out) {
        for (int t = 0; t < rows; t++) {
            System.arraycopy(all, row[t] * width, out, t * width, width);
        }
    }

    /** The definition of keep. */
    public static void referenceKeep(int rows, int width, int first, Object x, Object all) {
        for (int t = 0; t < rows; t++) {
            System.arraycopy(x, t * width, all, (first + t) * width, width);
        }
    }

    /** Rows of groups, a work-item per value. */
    static void takeFloats(
            KernelContext context, IntArray counts, IntArray row, FloatArray all, FloatArray out, int width) {
        int t = context.groupIdy;
        int i = context.groupIdx * GROUP + context.localIdx;
        if (t < counts.get(0) && i < width) {
            out.set(t * width + i, all.get(row.get(t) * width + i));
        }
    }

    /** Rows of groups, a work-item per value. */
    static void takeInts(KernelContext context, IntArray counts, IntArray row, IntArray all, IntArray out, int width) {
        int t = context.groupIdy;
        int i = context.groupIdx * GROUP + context.localIdx;
        if (t < counts.get(0) && i < width) {
            out.set(t * width + i, all.get(row.get(t) * width + i));
        }
    }

    /** A work-item per value. */
    static void keepFloats(KernelContext context, IntArray counts, FloatArray x, FloatArray all, int width) {
        int i = context.globalIdx;
        if (i < counts.get(0) * width) {
            all.set(counts.get(FIRST) * width + i, x.get(i));
        }
    }

    /** A work-item per value. */
    static void keepInts(KernelContext context, IntArray counts, IntArray x, IntArray all, int width) {
        int i = context.globalIdx;
        if (i < counts.get(0) * width) {
            all.set(counts.get(FIRST) * width + i, x.get(i));
        }
    }

    /** Appends a task that takes rows. */
    public static TaskGraph appendTake(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray row,
            FloatArray all,
            FloatArray out,
            Shape shape) {
        Grids.groups(graph, grids, task, Math.ceilDiv(shape.width(), GROUP), shape.maxRows(), GROUP);
        return graph.task(task, RowCopy::takeFloats, Grids.CONTEXT, counts, row, all, out, shape.width());
    }

    /** Appends a task that takes rows of ints. */
    public static TaskGraph appendTake(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray row,
            IntArray all,
            IntArray out,
            Shape shape) {
        Grids.groups(graph, grids, task, Math.ceilDiv(shape.width(), GROUP), shape.maxRows(), GROUP);
        return graph.task(task, RowCopy::takeInts, Grids.CONTEXT, counts, row, all, out, shape.width());
    }

    /** Appends a task that keeps rows. */
    public static TaskGraph appendKeep(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            FloatArray all,
            Shape shape) {
        Grids.add(graph, grids, task, shape.maxRows() * shape.width(), GROUP);
        return graph.task(task, RowCopy::keepFloats, Grids.CONTEXT, counts, x, all, shape.width());
    }

    /** Appends a task that keeps rows of ints. */
    public static TaskGraph appendKeep(
            TaskGraph graph, GridScheduler grids, String task, IntArray counts, IntArray x, IntArray all, Shape shape) {
        Grids.add(graph, grids, task, shape.maxRows() * shape.width(), GROUP);
        return graph.task(task, RowCopy::keepInts, Grids.CONTEXT, counts, x, all, shape.width());
    }
}
