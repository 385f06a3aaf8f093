package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Adds up what the chosen experts made of each row.
 *
 * <pre>
 * out[t][i] = sum_j weight[t][j] * down[t][j][i]      j ascending, from 0
 *
 * counts   [8] int                  counts[0] = T rows
 * weight   [maxRows][k] f32
 * down     [maxRows][k][width] f32
 * out      [maxRows][width] f32
 *
 * floor    4 T k width + 4 T k bytes read, 4 T width written; T k width multiply-adds
 * </pre>
 */
public final class ExpertCombine {
    private static final int GROUP = 256;

    private ExpertCombine() {}

    /** Rows that a launch covers, experts of a row, values of a row. */
    public record Shape(int maxRows, int k, int width) {
        /** Checks that there is something, and that ints index it. */
        public Shape {
            if (maxRows < 1 || k < 1 || width < 1) {
                throw new IllegalArgumentException("sum of " + k + " experts' rows of " + width + " values for "
                        + maxRows + " rows: expected at least 1 of each");
            }
            Elements.count("rows of pairs", maxRows, k, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 4L * rows * k * width + 4L * rows * k + 4L * rows * width;
        }
    }

    /** The definition, in double sums. */
    public static void reference(int rows, Shape shape, float[] weight, float[] down, float[] out) {
        int k = shape.k();
        int width = shape.width();
        for (int t = 0; t < rows; t++) {
            for (int i = 0; i < width; i++) {
                double sum = 0;
                for (int pair = t * k; pair < (t + 1) * k; pair++) {
                    sum += (double) weight[pair] * down[pair * width + i];
                }
                out[t * width + i] = (float) sum;
            }
        }
    }

    /** A work-item per value. */
    static void combine(
            KernelContext context,
            IntArray counts,
            FloatArray weight,
            FloatArray down,
            FloatArray out,
            int k,
            int width) {
        int i = context.globalIdx;
        if (i < counts.get(0) * width) {
            int row = i / width;
            float sum = 0;
            for (int pair = row * k; pair < (row + 1) * k; pair++) {
                sum = sum + weight.get(pair) * down.get(pair * width + i % width);
            }
            out.set(i, sum);
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray weight,
            FloatArray down,
            FloatArray out,
            Shape shape) {
        Grids.add(graph, grids, task, shape.maxRows() * shape.width(), GROUP);
        return graph.task(
                task, ExpertCombine::combine, Grids.CONTEXT, counts, weight, down, out, shape.k(), shape.width());
    }
}
