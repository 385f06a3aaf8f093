package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Gates the rows of a feed-forward layer, in place. The experts of a row are one long row here.
 *
 * <pre>
 * gate[t][i] = silu(gate[t][i]) * up[t][i]      silu(g) = g / (1 + exp(-g))
 *
 * counts      [8] int          counts[0] = T rows
 * gate, up    [maxRows][width] f32
 *
 * floor       8 T width bytes read, 4 T width written
 * </pre>
 */
public final class SwiGlu {
    private static final int GROUP = 256;

    private SwiGlu() {}

    /** Rows that a launch covers, values of a row. */
    public record Shape(int maxRows, int width) {
        /** Checks that there is something, and that ints index it. */
        public Shape {
            if (maxRows < 1 || width < 1) {
                throw new IllegalArgumentException(
                        "swiglu of " + maxRows + " rows of " + width + " values: expected at least 1 of each");
            }
            Elements.count("rows", maxRows, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 12L * rows * width;
        }
    }

    /** The definition. */
    public static void reference(int rows, int width, float[] gate, float[] up) {
        for (int i = 0; i < rows * width; i++) {
            gate[i] = (float) (gate[i] / (1 + Math.exp(-gate[i])) * up[i]);
        }
    }

    /** A work-item per value. */
    static void gate(KernelContext context, IntArray counts, FloatArray gate, FloatArray up, int width) {
        int i = context.globalIdx;
        if (i < counts.get(0) * width) {
            float g = gate.get(i);
            gate.set(i, g / (1 + TornadoMath.exp(-g)) * up.get(i));
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray gate,
            FloatArray up,
            Shape shape) {
        Grids.add(graph, grids, task, shape.maxRows() * shape.width(), GROUP);
        return graph.task(task, SwiGlu::gate, Grids.CONTEXT, counts, gate, up, shape.width());
    }
}
