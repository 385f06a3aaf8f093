package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The key-value up-projection of absorbed attention: each head's half for keys before the attention, on the query, and its
 * half for values after it.
 *
 * <pre>
 * W(h)            rows h (nope + value) on of the matrix: nope rows for keys, then value rows for values
 * absorbed[t][h]  = [ sum_n W(h)[n][.] query[t][h][n] | rope part of query[t][h] ]
 * expanded[t][h]  = W(h)[nope + .] . attended[t][h]
 *
 * counts     [8] int                                  counts[0] = T rows
 * query      [maxRows][heads][nope + rope] f32
 * absorbed   [maxRows][heads][latent + rope] f32
 * attended   [maxRows][heads][latent] f32
 * expanded   [maxRows][heads][value] f32
 * weight     [heads (nope + value)][latent]           e4m3, 8 to a long, or bf16, 4 to a long
 * scale      [ceil(rows / 128)][ceil(latent / 128)] f32       of e4m3; of bf16 it is not read
 *
 * floor      of each: its half of the matrix once, with its scales; activations read and written once
 * </pre>
 *
 * <p>{@link #absorb}: a group has 32 neighbouring longs of a head, and some rows; a work-item has the columns of a long and
 * every 8th n, ascending, and the 8 sums are added in order. {@link #expand}: a warp has an output; a lane sums every 32nd long, and the sums are
 * added as a tree. So no order depends on the number of rows.
 */
public final class HeadLinear {
    private static final int BLOCK = 128;
    private static final int WARP = 32;
    private static final int WARPS = 8;
    private static final int GROUP = WARPS * WARP;
    private static final int COLUMNS = WARP;
    private static final int SLICES = GROUP / COLUMNS;
    /** From a sum of a work-item to its next: neighbouring columns lie in different banks. */
    private static final int PITCH = GROUP + 4;

    private static final int MAX_ROWS = 4;
    private static final int MOST_LATENT = 512;
    private static final int MOST_NOPE = 256;

    private HeadLinear() {}

    /**
     * Rows that a launch covers, and the heads.
     *
     * @param bits of a weight: 8 or 16
     */
    public record Shape(int maxRows, int heads, int nope, int rope, int value, int latent, int bits) {
        /** Checks that a group holds a head's part of its rows, and that ints index all arrays. */
        public Shape {
            if (bits != 8 && bits != 16) {
                throw new IllegalArgumentException("weights of " + bits + " bits: expected 8 or 16");
            }
            if (maxRows < 1
                    || heads < 1
                    || nope < 1
                    || nope > MOST_NOPE
                    || rope < 0
                    || value < 1
                    || latent < 8
                    || latent > MOST_LATENT
                    || latent % 8 != 0) {
                throw new IllegalArgumentException(heads + " heads of " + nope + " + " + rope + " and " + value
                        + " values, latent " + latent + ": expected at most 256 values without rope, latent a multiple"
                        + " of 8 up to 512");
            }
            Elements.count("queries", maxRows, heads, (long) Math.max(latent, nope) + rope);
            Elements.count("values", maxRows, heads, value);
            Elements.count("matrix", heads, (long) nope + value, latent * bits / Long.SIZE);
        }

        /** Scales of the matrix. */
        public int scales() {
            return Math.ceilDiv(heads * (nope + value), BLOCK) * Math.ceilDiv(latent, BLOCK);
        }

        /** Bytes that DRAM must move to absorb {@code rows} rows. */
        public long absorbFloorBytes(int rows) {
            return half(nope) + 4L * rows * heads * (nope + latent + 2L * rope);
        }

        /** Bytes that DRAM must move to expand {@code rows} rows. */
        public long expandFloorBytes(int rows) {
            return half(value) + 4L * rows * heads * (latent + value);
        }

        private long half(int rowsOfHead) {
            return (long) heads * rowsOfHead * latent * bits / Byte.SIZE + (bits == 8 ? 4L * scales() : 0);
        }

        int tileRows() {
            return maxRows == 1 ? 1 : MAX_ROWS;
        }
    }

    /** The definition of the query side, in double sums. */
    public static void absorbReference(int rows, Shape shape, float[] query, float[] weight, float[] absorbed) {
        int queryDim = shape.nope() + shape.rope();
        int outDim = shape.latent() + shape.rope();
        for (int th = 0; th < rows * shape.heads(); th++) {
            int first = th % shape.heads() * (shape.nope() + shape.value());
            for (int l = 0; l < shape.latent(); l++) {
                double sum = 0;
                for (int n = 0; n < shape.nope(); n++) {
                    sum += (double) weight[(first + n) * shape.latent() + l] * query[th * queryDim + n];
                }
                absorbed[th * outDim + l] = (float) sum;
            }
            System.arraycopy(query, th * queryDim + shape.nope(), absorbed, th * outDim + shape.latent(), shape.rope());
        }
    }

    /** The definition of the value side, in double sums. */
    public static void expandReference(int rows, Shape shape, float[] attended, float[] weight, float[] expanded) {
        for (int th = 0; th < rows * shape.heads(); th++) {
            int first = th % shape.heads() * (shape.nope() + shape.value()) + shape.nope();
            for (int v = 0; v < shape.value(); v++) {
                double sum = 0;
                for (int l = 0; l < shape.latent(); l++) {
                    sum += (double) weight[(first + v) * shape.latent() + l] * attended[th * shape.latent() + l];
                }
                expanded[th * shape.value() + v] = (float) sum;
            }
        }
    }

    static void absorb(
            KernelContext context,
            IntArray counts,
            FloatArray query,
            LongArray weight,
            FloatArray scale,
            FloatArray codes,
            FloatArray exponents,
            FloatArray absorbed,
            int heads,
            int nope,
            int rope,
            int value,
            int latent,
            int tileRows,
            int bits,
            int cuda) {
        float[] queries = context.allocateFloatLocalArray(MAX_ROWS * MOST_NOPE);
        float[] slices = context.allocateFloatLocalArray(tileRows * 8 * PITCH);
        float[] sums = new float[MAX_ROWS * 8];
        int item = context.localIdx;
        int perLong = Long.SIZE / bits;
        int longs = latent / perLong;
        int chunks = (longs + COLUMNS - 1) / COLUMNS;
        int head = context.groupIdx / chunks;
        int from = context.groupIdx % chunks * COLUMNS;
        int column = from + item % COLUMNS;
        int firstRow = context.groupIdy * tileRows;
        int rows = Math.min(counts.get(0) - firstRow, tileRows);
        int weightRow = head * (nope + value);
        for (int i = item; i < tileRows * nope; i += GROUP) {
            queries[i / nope * MOST_NOPE + i % nope] =
                    headValue(query, firstRow + i / nope, i / nope, rows, heads, head, nope + rope, i % nope);
        }
        int ropes = from == 0 ? rows * rope : 0;
        for (int i = item; i < ropes; i += GROUP) {
            int at = (firstRow + i / rope) * heads + head;
            absorbed.set(at * (latent + rope) + latent + i % rope, query.get(at * (nope + rope) + nope + i % rope));
        }
        Fp8Linear.zero(sums, tileRows * 8);
        context.localBarrier();
        int end = rows > 0 && column < longs ? nope : 0;
        for (int n = item / COLUMNS; n < end; n += SLICES) {
            long word = weight.get((weightRow + n) * longs + column);
            float factor = factor(scale, weightRow + n, column * perLong, latent, bits);
            for (int j = 0; j < perLong; j++) {
                float w = factor * decode(codes, exponents, word, j, bits, cuda);
                for (int t = 0; t < tileRows; t++) {
                    sums[t * 8 + j] = sums[t * 8 + j] + w * queries[t * MOST_NOPE + n];
                }
            }
        }
        for (int s = 0; s < tileRows * 8; s++) {
            slices[s * PITCH + item] = sums[s];
        }
        context.localBarrier();
        int width = Math.min(COLUMNS, longs - from) * perLong;
        for (int i = item; i < rows * width; i += GROUP) {
            int l = i % width;
            int at = (i / width * 8 + l % perLong) * PITCH + l / perLong;
            float sum = slices[at];
            for (int slice = 1; slice < SLICES; slice++) {
                sum = sum + slices[at + slice * COLUMNS];
            }
            absorbed.set(((firstRow + i / width) * heads + head) * (latent + rope) + from * perLong + l, sum);
        }
    }

    static void expand(
            KernelContext context,
            IntArray counts,
            FloatArray attended,
            LongArray weight,
            FloatArray scale,
            FloatArray codes,
            FloatArray exponents,
            FloatArray expanded,
            int heads,
            int nope,
            int value,
            int latent,
            int tileRows,
            int bits,
            int cuda) {
        float[] staged = context.allocateFloatLocalArray(MAX_ROWS * (MOST_LATENT + 32));
        float[] sums = new float[MAX_ROWS];
        float[] w = new float[8];
        int item = context.localIdx;
        int lane = item % WARP;
        int tilesOfHead = (value + WARPS - 1) / WARPS;
        int head = context.groupIdx / tilesOfHead;
        int output = context.groupIdx % tilesOfHead * WARPS + item / WARP;
        int firstRow = context.groupIdy * tileRows;
        int rows = Math.min(counts.get(0) - firstRow, tileRows);
        int perLong = Long.SIZE / bits;
        int longs = latent / perLong;
        int turned = longs + 4;
        int weightRow = head * (nope + value) + nope + Math.min(output, value - 1);
        for (int i = item; i < tileRows * latent; i += GROUP) {
            int l = i % latent;
            staged[(i / latent * perLong + l % perLong) * turned + l / perLong] =
                    headValue(attended, firstRow + i / latent, i / latent, rows, heads, head, latent, l);
        }
        Fp8Linear.zero(sums, tileRows);
        context.localBarrier();
        int end = rows > 0 ? longs : 0;
        for (int run = lane; run < end; run += WARP) {
            long word = weight.get(weightRow * longs + run);
            float factor = factor(scale, weightRow, run * perLong, latent, bits);
            for (int j = 0; j < perLong; j++) {
                w[j] = decode(codes, exponents, word, j, bits, cuda);
            }
            for (int t = 0; t < tileRows; t++) {
                float sum = 0;
                for (int j = 0; j < perLong; j++) {
                    sum = sum + w[j] * staged[(t * perLong + j) * turned + run];
                }
                sums[t] = sums[t] + factor * sum;
            }
        }
        context.localBarrier();
        for (int t = 0; t < tileRows; t++) {
            staged[t * GROUP + item] = sums[t];
        }
        for (int distance = WARP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            for (int s = lane < distance ? item : tileRows * GROUP; s < tileRows * GROUP; s += GROUP) {
                staged[s] = staged[s] + staged[s + distance];
            }
        }
        context.localBarrier();
        if (lane < rows && output < value) {
            expanded.set(((firstRow + lane) * heads + head) * value + output, staged[lane * GROUP + item - lane]);
        }
    }

    /** A value of a head in row {@code row}, the {@code ofTile}-th of its tile; 0 beyond the last one. */
    private static float headValue(
            FloatArray x, int row, int ofTile, int rows, int heads, int head, int width, int column) {
        float value = 0;
        if (ofTile < rows) {
            value = x.get((row * heads + head) * width + column);
        }
        return value;
    }

    private static float factor(FloatArray scale, int row, int column, int latent, int bits) {
        float factor = 1;
        if (bits == 8) {
            factor = scale.get(row / BLOCK * ((latent + BLOCK - 1) / BLOCK) + column / BLOCK);
        }
        return factor;
    }

    private static float decode(FloatArray codes, FloatArray exponents, long word, int j, int bits, int cuda) {
        float value = 0;
        if (bits == 8) {
            value = Fp8Codes.decode(codes, word, 8 * j, cuda);
        }
        if (bits == 16) {
            value = Exponents.decodeBf16(exponents, word, 16 * j, cuda);
        }
        return value;
    }

    /**
     * The matrix, as both tasks take it.
     *
     * @param codes {@link Fp8Codes#table}
     * @param exponents {@link Exponents#table}
     */
    public record Matrix(LongArray weight, FloatArray scale, FloatArray codes, FloatArray exponents) {}

    /** Appends the query side. */
    public static TaskGraph appendAbsorb(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray query,
            Matrix matrix,
            FloatArray absorbed,
            Shape shape,
            Variant variant) {
        int chunks = Math.ceilDiv(shape.latent() * shape.bits(), Long.SIZE * COLUMNS);
        int tiles = Math.ceilDiv(shape.maxRows(), shape.tileRows());
        Grids.groups(graph, grids, task, shape.heads() * chunks, tiles, GROUP);
        return graph.task(
                task,
                HeadLinear::absorb,
                Grids.CONTEXT,
                counts,
                query,
                matrix.weight,
                matrix.scale,
                matrix.codes,
                matrix.exponents,
                absorbed,
                shape.heads(),
                shape.nope(),
                shape.rope(),
                shape.value(),
                shape.latent(),
                shape.tileRows(),
                shape.bits(),
                variant.cuda());
    }

    /** Appends the value side. */
    public static TaskGraph appendExpand(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray attended,
            Matrix matrix,
            FloatArray expanded,
            Shape shape,
            Variant variant) {
        int tiles = shape.heads() * Math.ceilDiv(shape.value(), WARPS);
        Grids.groups(graph, grids, task, tiles, Math.ceilDiv(shape.maxRows(), shape.tileRows()), GROUP);
        return graph.task(
                task,
                HeadLinear::expand,
                Grids.CONTEXT,
                counts,
                attended,
                matrix.weight,
                matrix.scale,
                matrix.codes,
                matrix.exponents,
                expanded,
                shape.heads(),
                shape.nope(),
                shape.value(),
                shape.latent(),
                shape.tileRows(),
                shape.bits(),
                variant.cuda());
    }
}
