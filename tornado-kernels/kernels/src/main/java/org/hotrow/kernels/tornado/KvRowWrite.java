package org.hotrow.kernels.tornado;

import org.hotrow.kernels.E4m3;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Stores the rows of a step in the KV tensor, in the bytes of {@link org.hotrow.kernels.RowFormat}, which is also their
 * reference: only a NaN of bf16 is another NaN.
 *
 * <pre>
 * counts     [8] int                            counts[0] = T rows
 * writeRow   [maxRows] int                      row id = block * 64 + offset; -1 is not stored
 * row        [maxRows][latent + rope] f32
 * layer      [1] int                            the layer's number in its slab
 * slab       [blocks][layersInSlab][64][row]    longs; of floats for FP32
 *
 * fp8 row    longs 0..63 codes | 64..65 two scales each | 66..81 four bf16 each        512 + 64 values
 * bf16 row   four bf16 a long
 *
 * floor      4 T (latent + rope) bytes read, a row written for each
 * sectors    below 80 % by the look-ups in the table of exponents, 4 bytes each; it stays in the first-level cache
 * </pre>
 *
 * A group of 128 work-items per row.
 */
public final class KvRowWrite {
    private static final int GROUP = 128;
    private static final int PAGE = 64;
    private static final int LATENT = 512;
    private static final int ROPE = 64;
    private static final int WIDTH = LATENT + ROPE;
    private static final int TILE = 128;
    private static final int TILES = LATENT / TILE;
    private static final int SCALES_AT = LATENT / 8;
    private static final int ROPE_AT = SCALES_AT + TILES / 2;
    private static final int ROW_LONGS = ROPE_AT + ROPE / 4;
    private static final float LEAST_RATIO = 1e-4f;

    private KvRowWrite() {}

    /**
     * Rows that a launch covers, and the slab.
     *
     * @param width values of a row
     */
    public record Shape(int maxRows, int width, int layersInSlab) {
        /** Checks that bf16 rows are whole longs. */
        public Shape {
            if (maxRows < 1 || width < 1 || width % 4 != 0 || layersInSlab < 1) {
                throw new IllegalArgumentException("rows of " + width + " values in " + layersInSlab
                        + " layers: expected a multiple of 4 values, at least 1 layer");
            }
            Elements.count("rows", maxRows, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows of {@code rowBytes} bytes. */
        public long floorBytes(int rows, int rowBytes) {
            return 4L * rows * width + (long) rows * rowBytes;
        }
    }

    static void writeFp8(
            KernelContext context,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            FloatArray exponents,
            IntArray layer,
            LongArray slab,
            int layersInSlab) {
        float[] values = context.allocateFloatLocalArray(WIDTH);
        float[] largest = context.allocateFloatLocalArray(LATENT);
        int item = context.localIdx;
        int t = context.groupIdx;
        int id = idOrNone(counts, writeRow, t);
        for (int i = item; i < WIDTH; i += GROUP) {
            float value = 0;
            if (id >= 0) {
                value = row.get(t * WIDTH + i);
            }
            values[i] = value;
            if (i < LATENT) {
                largest[i] = Fp8Codes.finiteMagnitude(value);
            }
        }
        for (int distance = TILE / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                for (int i = item; i < LATENT; i += TILE) {
                    largest[i] = TornadoMath.max(largest[i], largest[i + distance]);
                }
            }
        }
        context.localBarrier();
        long word = 0;
        if (item < SCALES_AT) {
            float scale = exponents.get(exponent(exponents, largest[item / 16 * TILE]));
            for (int j = 0; j < 8; j++) {
                word = word | ((long) Fp8Codes.encode(values[item * 8 + j], scale) << (8 * j));
            }
        }
        if (item >= SCALES_AT && item < ROPE_AT) {
            int tile = (item - SCALES_AT) * 2;
            long low = exponent(exponents, largest[tile * TILE]);
            long high = exponent(exponents, largest[(tile + 1) * TILE]);
            word = (low << 23) | (high << 55);
        }
        if (item >= ROPE_AT && item < ROW_LONGS) {
            for (int j = 0; j < 4; j++) {
                int code = Exponents.encodeBf16(exponents, values[LATENT + (item - ROPE_AT) * 4 + j]);
                word = word | ((long) code << (16 * j));
            }
        }
        // Right under a condition, so that TornadoVM sees that the slab keeps what is not written.
        if (id >= 0 && item < ROW_LONGS) {
            slab.set(rowAt(id, layer.get(0), layersInSlab) * ROW_LONGS + item, word);
        }
    }

    /** The exponent bits of the scale of a tile. */
    private static int exponent(FloatArray exponents, float largest) {
        return Exponents.atLeast(exponents, TornadoMath.max(largest / E4m3.MAX, LEAST_RATIO));
    }

    static void writeBf16(
            KernelContext context,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            FloatArray exponents,
            IntArray layer,
            LongArray slab,
            int width,
            int layersInSlab) {
        int t = context.groupIdx;
        int id = idOrNone(counts, writeRow, t);
        if (id >= 0) {
            for (int i = context.localIdx; i < width / 4; i += GROUP) {
                long word = 0;
                for (int j = 0; j < 4; j++) {
                    long code = Exponents.encodeBf16(exponents, row.get(t * width + i * 4 + j));
                    word = word | (code << (16 * j));
                }
                slab.set(rowAt(id, layer.get(0), layersInSlab) * (width / 4) + i, word);
            }
        }
    }

    static void writeFp32(
            KernelContext context,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            IntArray layer,
            FloatArray slab,
            int width,
            int layersInSlab) {
        int t = context.groupIdx;
        int id = idOrNone(counts, writeRow, t);
        if (id >= 0) {
            for (int i = context.localIdx; i < width; i += GROUP) {
                slab.set(rowAt(id, layer.get(0), layersInSlab) * width + i, row.get(t * width + i));
            }
        }
    }

    private static int idOrNone(IntArray counts, IntArray writeRow, int t) {
        int id = -1;
        if (t < counts.get(0)) {
            id = writeRow.get(t);
        }
        return id;
    }

    /** The number of a row among all rows of the slab. */
    private static int rowAt(int id, int layer, int layersInSlab) {
        return (id / PAGE * layersInSlab + layer) * PAGE + id % PAGE;
    }

    /** Appends the task for rows of 512 + 64 values in FP8. */
    public static TaskGraph appendFp8(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            FloatArray exponents,
            IntArray layer,
            LongArray slab,
            Shape shape) {
        if (shape.width() != WIDTH) {
            throw new IllegalArgumentException("fp8 rows have " + WIDTH + " values, not " + shape.width());
        }
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                KvRowWrite::writeFp8,
                Grids.CONTEXT,
                counts,
                writeRow,
                row,
                exponents,
                layer,
                slab,
                shape.layersInSlab());
    }

    /** Appends the task for rows in bf16. */
    public static TaskGraph appendBf16(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            FloatArray exponents,
            IntArray layer,
            LongArray slab,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                KvRowWrite::writeBf16,
                Grids.CONTEXT,
                counts,
                writeRow,
                row,
                exponents,
                layer,
                slab,
                shape.width(),
                shape.layersInSlab());
    }

    /** Appends the task for rows in f32. */
    public static TaskGraph appendFp32(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            IntArray layer,
            FloatArray slab,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                KvRowWrite::writeFp32,
                Grids.CONTEXT,
                counts,
                writeRow,
                row,
                layer,
                slab,
                shape.width(),
                shape.layersInSlab());
    }
}
