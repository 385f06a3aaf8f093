package org.hotrow.kernels.tornado;

import org.hotrow.kernels.Bf16;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The rows of the embedding table that the tokens of a step name.
 *
 * <pre>
 * out[t] = table[token[t]]
 *
 * counts   [8] int                  counts[0] = T rows
 * token    [maxRows] int
 * table    [tokens][width] bf16     4 codes to a long
 * out      [maxRows][width] f32
 *
 * floor    4 T + 2 T width bytes read, 4 T width written
 * </pre>
 */
public final class Embedding {
    private static final int GROUP = 256;
    private static final int RUN = 4;
    /** Values of a work-item. */
    private static final int EACH = 4;

    private Embedding() {}

    /** Rows that a launch covers, values of a row, rows of the table. */
    public record Shape(int maxRows, int width, int tokens) {
        /** Checks that codes come in whole longs and that ints index all arrays. */
        public Shape {
            if (maxRows < 1 || width < RUN || width % RUN != 0 || tokens < 1) {
                throw new IllegalArgumentException("embedding of " + maxRows + " rows of " + width + " values, "
                        + tokens + " tokens: expected at least 1, a multiple of 4, at least 1");
            }
            Elements.count("rows", maxRows, width);
            Elements.count("embedding table", tokens, width / RUN);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 4L * rows + 6L * rows * width;
        }
    }

    /** The definition. */
    public static void reference(int rows, Shape shape, int[] token, short[] table, float[] out) {
        for (int t = 0; t < rows; t++) {
            for (int i = 0; i < shape.width(); i++) {
                out[t * shape.width() + i] = Bf16.decode(table[token[t] * shape.width() + i]);
            }
        }
    }

    /** A group has 1,024 neighbouring values of a row, a work-item four of them, 256 apart. */
    static void embed(
            KernelContext context,
            IntArray counts,
            IntArray token,
            LongArray table,
            FloatArray exponents,
            FloatArray out,
            int width) {
        int row = context.groupIdy;
        int end = 0;
        int from = 0;
        if (row < counts.get(0)) {
            end = width;
            from = token.get(row) * (width / RUN);
        }
        for (int n = 0; n < EACH; n++) {
            int i = (context.groupIdx * EACH + n) * GROUP + context.localIdx;
            float value = 0;
            if (i < end) {
                long word = table.get(from + i / RUN);
                value = Exponents.decodeBf16(exponents, (int) (word >> (16 * (i % RUN))) & 0xFFFF);
            }
            // Right under a condition, so that TornadoVM sees that padding keeps what it has.
            if (i < end) {
                out.set(row * width + i, value);
            }
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray token,
            LongArray table,
            FloatArray exponents,
            FloatArray out,
            Shape shape) {
        Grids.groups(graph, grids, task, Math.ceilDiv(shape.width(), EACH * GROUP), shape.maxRows(), GROUP);
        return graph.task(task, Embedding::embed, Grids.CONTEXT, counts, token, table, exponents, out, shape.width());
    }
}
