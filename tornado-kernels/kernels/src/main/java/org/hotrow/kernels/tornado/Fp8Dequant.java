package org.hotrow.kernels.tornado;

import org.hotrow.kernels.E4m3;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Decodes a matrix of block-scaled E4M3 codes.
 *
 * <pre>
 * out[r][c] = e4m3(weight[r][c]) * scale[r / 128][c / 128]
 *
 * weight   [rows][columns] e4m3      8 codes to a long, columns a multiple of 8
 * scale    [ceil(rows / 128)][ceil(columns / 128)] f32
 * out      [rows][columns] f32
 *
 * floor    rows x columns + 4 scales bytes read, 4 rows x columns written
 * </pre>
 */
public final class Fp8Dequant {
    private static final int BLOCK = 128;
    private static final int GROUP = 256;

    private Fp8Dequant() {}

    /** Of the matrix. */
    public record Shape(int rows, int columns) {
        /** Checks that codes come in whole longs. */
        public Shape {
            if (rows < 1 || columns < 8 || columns % 8 != 0) {
                throw new IllegalArgumentException("fp8 matrix of " + rows + " rows, " + columns
                        + " columns: expected at least 1 and a multiple of 8");
            }
            Elements.count("matrix", rows, columns);
        }

        /** Bytes that DRAM must move. */
        public long floorBytes() {
            return 5L * rows * columns + 4L * Math.ceilDiv(rows, BLOCK) * Math.ceilDiv(columns, BLOCK);
        }
    }

    /** The definition. */
    public static void reference(Shape shape, byte[] weight, float[] scale, float[] out) {
        for (int i = 0; i < out.length; i++) {
            int row = i / shape.columns();
            int column = i % shape.columns();
            int block = row / BLOCK * Math.ceilDiv(shape.columns(), BLOCK) + column / BLOCK;
            out[i] = E4m3.decode(weight[i]) * scale[block];
        }
    }

    /** A work-item per code, so that neighbours write neighbours; eight share a long. */
    static void decode(
            KernelContext context,
            LongArray weight,
            FloatArray scale,
            FloatArray codes,
            FloatArray out,
            int rows,
            int columns,
            int cuda) {
        int i = context.globalIdx;
        if (i < rows * columns) {
            float factor = scale.get(i / columns / BLOCK * ((columns + BLOCK - 1) / BLOCK) + i % columns / BLOCK);
            out.set(i, Fp8Codes.decode(codes, weight.get(i / 8), 8 * (i % 8), cuda) * factor);
        }
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            LongArray weight,
            FloatArray scale,
            FloatArray codes,
            FloatArray out,
            Shape shape,
            Variant variant) {
        Grids.add(graph, grids, task, shape.rows() * shape.columns(), GROUP);
        return graph.task(
                task,
                Fp8Dequant::decode,
                Grids.CONTEXT,
                weight,
                scale,
                codes,
                out,
                shape.rows(),
                shape.columns(),
                variant.cuda());
    }
}
