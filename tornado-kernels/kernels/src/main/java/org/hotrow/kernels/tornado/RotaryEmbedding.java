package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Turns pairs of values by the angles of a row's position, in place; which values are a pair, {@link org.hotrow.kernels.Rope}
 * says.
 *
 * <pre>
 * a' = a cos[t][i] - b sin[t][i]
 * b' = b cos[t][i] + a sin[t][i]      (a, b) = pair i of a head of row t
 *
 * counts     [8] int                      counts[0] = T rows
 * x          [maxRows][stride] f32        from {@code at} on: heads parts of headWidth values, of which the first 2 pairs turn
 * cos, sin   [maxRows][pairs] f32         of the step's positions, made on the host: kernels have no exact cosine
 *
 * floor      16 T heads pairs bytes of x, 8 T pairs of angles
 * </pre>
 */
public final class RotaryEmbedding {
    private static final int GROUP = 128;

    private RotaryEmbedding() {}

    /**
     * Rows that a launch covers, and where pairs lie in a row.
     *
     * @param stride values from a row to the next
     * @param at the first value that turns
     * @param headWidth values from a head to the next
     * @param interleaved pairs (2i, 2i + 1), else (i, i + pairs)
     */
    public record Shape(int maxRows, int stride, int at, int heads, int headWidth, int pairs, boolean interleaved) {
        /** Checks that all heads lie in a row. */
        public Shape {
            if (maxRows < 1
                    || heads < 1
                    || pairs < 1
                    || at < 0
                    || (2 * pairs > headWidth && heads > 1)
                    || at + (heads - 1) * headWidth + 2 * pairs > stride) {
                throw new IllegalArgumentException(pairs + " pairs of " + heads + " heads of " + headWidth
                        + " values, from value " + at + " on, do not fit a row of " + stride);
            }
            Math.multiplyExact(maxRows, stride);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 16L * rows * heads * pairs + 8L * rows * pairs;
        }
    }

    /** The definition. */
    public static void reference(int rows, Shape shape, float[] x, float[] cos, float[] sin) {
        int n = shape.pairs();
        for (int t = 0; t < rows; t++) {
            for (int h = 0; h < shape.heads(); h++) {
                int from = t * shape.stride() + shape.at() + h * shape.headWidth();
                for (int i = 0; i < n; i++) {
                    int first = shape.interleaved() ? from + 2 * i : from + i;
                    int second = shape.interleaved() ? first + 1 : first + n;
                    double a = x[first];
                    double b = x[second];
                    x[first] = (float) (a * cos[t * n + i] - b * sin[t * n + i]);
                    x[second] = (float) (b * cos[t * n + i] + a * sin[t * n + i]);
                }
            }
        }
    }

    /** A work-item per pair. */
    static void turn(
            KernelContext context,
            IntArray counts,
            FloatArray x,
            FloatArray cos,
            FloatArray sin,
            int stride,
            int at,
            int heads,
            int headWidth,
            int pairs,
            int interleaved) {
        int index = context.globalIdx;
        int pair = index % pairs;
        int head = index / pairs % heads;
        int row = index / pairs / heads;
        if (row < counts.get(0)) {
            int first = row * stride + at + head * headWidth + pair;
            int second = first + pairs;
            if (interleaved == 1) {
                first = first + pair;
                second = first + 1;
            }
            float c = cos.get(row * pairs + pair);
            float s = sin.get(row * pairs + pair);
            float a = x.get(first);
            float b = x.get(second);
            x.set(first, a * c - b * s);
            x.set(second, b * c + a * s);
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray x,
            FloatArray cos,
            FloatArray sin,
            Shape shape) {
        Grids.add(graph, grids, task, Math.multiplyExact(shape.maxRows(), shape.heads() * shape.pairs()), GROUP);
        return graph.task(
                task,
                RotaryEmbedding::turn,
                new KernelContext(),
                counts,
                x,
                cos,
                sin,
                shape.stride(),
                shape.at(),
                shape.heads(),
                shape.headWidth(),
                shape.pairs(),
                shape.interleaved() ? 1 : 0);
    }
}
