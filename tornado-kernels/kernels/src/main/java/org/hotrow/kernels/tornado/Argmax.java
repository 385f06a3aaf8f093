package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Finds the largest logit of each row.
 *
 * <pre>
 * token[t]  = the least i below tokens with the largest logits[t][i]; NaN is less than any number
 *
 * counts    int array              counts[rowsAt] = T rows
 * logits    [maxRows][width] f32   of which the first {@code tokens} are tokens
 * token     [maxRows] int
 *
 * floor     4 T tokens bytes read, 4 T written
 * </pre>
 *
 * A group of 256 work-items per row: each looks at every 256th logit, then the better of two, as a tree.
 */
public final class Argmax {
    private static final int GROUP = 256;

    private Argmax() {}

    /**
     * Rows that a launch covers.
     *
     * @param width logits of a row
     * @param tokens of which so many are tokens
     * @param rowsAt where {@code counts} has the number of rows
     */
    public record Shape(int maxRows, int width, int tokens, int rowsAt) {
        /** Checks that there are tokens. */
        public Shape {
            if (maxRows < 1 || tokens < 1 || tokens > width) {
                throw new IllegalArgumentException("argmax of " + tokens + " tokens in rows of " + width
                        + ": expected at least 1, at most the row");
            }
            Elements.count("logits", maxRows, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 4L * rows * tokens + 4L * rows;
        }
    }

    /** The definition. */
    public static int reference(float[] logits, int from, int tokens) {
        int best = 0;
        for (int i = 1; i < tokens; i++) {
            float value = logits[from + i];
            float largest = logits[from + best];
            boolean better = Float.isNaN(largest) ? !Float.isNaN(value) : value > largest;
            best = better ? i : best;
        }
        return best;
    }

    /** A group per row. */
    static void largest(
            KernelContext context,
            IntArray counts,
            FloatArray logits,
            IntArray token,
            int width,
            int tokens,
            int rowsAt) {
        float[] values = context.allocateFloatLocalArray(GROUP);
        int[] places = context.allocateIntLocalArray(GROUP);
        int item = context.localIdx;
        int row = context.groupIdx;
        int end = 0;
        if (row < counts.get(rowsAt)) {
            end = tokens;
        }
        float best = 0;
        int place = -1;
        for (int i = item; i < end; i += GROUP) {
            float value = logits.get(row * width + i);
            if (!Float.isNaN(value)) {
                if (place < 0) {
                    best = value;
                    place = i;
                }
                if (value > best) {
                    best = value;
                    place = i;
                }
            }
        }
        values[item] = best;
        places[item] = place;
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                if (beats(values[item + distance], places[item + distance], values[item], places[item]) == 1) {
                    values[item] = values[item + distance];
                    places[item] = places[item + distance];
                }
            }
        }
        if (item == 0 && end > 0) {
            token.set(row, Math.max(places[0], 0));
        }
    }

    /** 1 if the first number is the better one; a place of -1 has none. */
    private static int beats(float value, int place, float other, int otherPlace) {
        int beats = 0;
        if (value > other) {
            beats = 1;
        }
        if (value == other) {
            if (place < otherPlace) {
                beats = 1;
            }
        }
        if (otherPlace < 0) {
            beats = 1;
        }
        if (place < 0) {
            beats = 0;
        }
        return beats;
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray logits,
            IntArray token,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                Argmax::largest,
                Grids.CONTEXT,
                counts,
                logits,
                token,
                shape.width(),
                shape.tokens(),
                shape.rowsAt());
    }
}
