package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Final norm and head for the rows whose logits are wanted.
 *
 * <pre>
 * normed[i] = rmsNorm(hidden[logitRow[i]]; weight, eps)       as {@link RmsNorm}
 * logits[i] = head . normed[i]                                as {@link Bf16Linear}
 *
 * counts     [8] int                     counts[4] = rows with logits
 * logitRow   [maxRows] int
 * hidden     [step's rows][width] f32
 * weight     [width] f32
 * head       [tokens][width] bf16
 * normed     [maxRows][width] f32
 * logits     [maxRows][tokens] f32
 *
 * floor      2 tokens x width bytes of the head, 4 width of weights, 4 width + 4 tokens + 4 for each row
 * partials   4 width of normed for each row
 * </pre>
 */
public final class Logits {
    /** Where the counts of a step have the number of rows with logits. */
    public static final int ROWS_AT = 4;

    private static final int GROUP = 256;

    private Logits() {}

    /** Rows with logits that a launch covers, values of a row, tokens of the head. */
    public record Shape(int maxRows, int width, int tokens, float eps) {
        /** Bytes that DRAM must move for {@code rows} rows with logits. */
        public long floorBytes(int rows) {
            return head().floorBytes(rows) + 4L * width + 4L * rows;
        }

        /** Bytes between the two tasks. */
        public long partialBytes(int rows) {
            return 4L * rows * width;
        }

        private Bf16Linear.Shape head() {
            return new Bf16Linear.Shape(maxRows, width, tokens, ROWS_AT);
        }
    }

    /** A group per row with logits. */
    static void normalise(
            KernelContext context,
            IntArray counts,
            IntArray logitRow,
            FloatArray hidden,
            FloatArray weight,
            FloatArray normed,
            int width,
            float eps) {
        float[] sums = context.allocateFloatLocalArray(GROUP);
        int item = context.localIdx;
        int row = context.groupIdx;
        int end = 0;
        int from = 0;
        if (row < counts.get(ROWS_AT)) {
            end = width;
            from = logitRow.get(row) * width;
        }
        float sum = 0;
        for (int i = item; i < end; i += GROUP) {
            float value = hidden.get(from + i);
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
            normed.set(row * width + i, hidden.get(from + i) * scale * weight.get(i));
        }
    }

    /** Appends two tasks: {@code <task>Norm}, and {@code task} for the head. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray logitRow,
            FloatArray hidden,
            FloatArray weight,
            LongArray head,
            FloatArray exponents,
            FloatArray normed,
            FloatArray logits,
            Shape shape,
            Variant variant) {
        String norm = task + "Norm";
        Grids.groups(graph, grids, norm, shape.maxRows(), 1, GROUP);
        graph.task(
                norm,
                Logits::normalise,
                Grids.CONTEXT,
                counts,
                logitRow,
                hidden,
                weight,
                normed,
                shape.width(),
                shape.eps());
        return Bf16Linear.append(graph, grids, task, counts, normed, head, exponents, logits, shape.head(), variant);
    }
}
