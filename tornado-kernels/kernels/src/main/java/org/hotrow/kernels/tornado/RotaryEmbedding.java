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
    /** Local memory holds a head. */
    private static final int MAX_PAIRS = 4096;

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
                    || headWidth < 0
                    || pairs > MAX_PAIRS
                    || (2 * pairs > headWidth && heads > 1)
                    || at + (heads - 1L) * headWidth + 2L * pairs > stride) {
                throw new IllegalArgumentException(pairs + " pairs of " + heads + " heads of " + headWidth
                        + " values, from value " + at + " on, do not fit a row of " + stride);
            }
            Elements.count("rows", maxRows, stride);
        }

        /** As many heads as give each work-item of a group two values, or one head. */
        int headsOfGroup() {
            return Math.max(1, GROUP / pairs);
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

    /** A group per {@code headsOfGroup} heads, counted over all rows: their values meet in local memory. */
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
            int interleaved,
            int headsOfGroup) {
        float[] values = context.allocateFloatLocalArray(headsOfGroup * 2 * pairs);
        int firstHead = context.groupIdx * headsOfGroup;
        int end = Math.max(0, Math.min(headsOfGroup, counts.get(0) * heads - firstHead)) * 2 * pairs;
        for (int i = context.localIdx; i < end; i += GROUP) {
            values[i] = x.get(place(firstHead + i / (2 * pairs), i % (2 * pairs), stride, at, heads, headWidth));
        }
        context.localBarrier();
        for (int i = context.localIdx; i < end; i += GROUP) {
            int inHead = i % (2 * pairs);
            int pair = inHead % pairs;
            int second = inHead / pairs;
            int other = i + pairs - 2 * pairs * second;
            if (interleaved == 1) {
                pair = inHead / 2;
                second = inHead % 2;
                other = i + 1 - 2 * second;
            }
            int head = firstHead + i / (2 * pairs);
            float c = cos.get(head / heads * pairs + pair);
            float s = sin.get(head / heads * pairs + pair);
            if (second == 0) {
                s = -s;
            }
            x.set(place(head, inHead, stride, at, heads, headWidth), values[i] * c + values[other] * s);
        }
    }

    /** Where value {@code inHead} of a head, counted over all rows, lies in x. */
    private static int place(int head, int inHead, int stride, int at, int heads, int headWidth) {
        return head / heads * stride + at + head % heads * headWidth + inHead;
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
        int heads = Elements.count("heads", shape.maxRows(), shape.heads());
        Grids.groups(graph, grids, task, Math.ceilDiv(heads, shape.headsOfGroup()), 1, GROUP);
        return graph.task(
                task,
                RotaryEmbedding::turn,
                Grids.CONTEXT,
                counts,
                x,
                cos,
                sin,
                shape.stride(),
                shape.at(),
                shape.heads(),
                shape.headWidth(),
                shape.pairs(),
                shape.interleaved() ? 1 : 0,
                shape.headsOfGroup());
    }
}
