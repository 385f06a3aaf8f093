package org.hotrow.kernels.tornado;

import org.hotrow.kernels.Bf16;
import org.hotrow.kernels.E4m3;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.SparseMla.Arrays;
import org.hotrow.kernels.tornado.SparseMla.Shape;
import org.hotrow.kernels.tornado.SparseMlaSplit.Partials;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.MMAShape;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * {@link SparseMlaSplit} on tensor cores, for 64 heads and rows of 512 + 64 values in fp8 or bf16: a group takes a split
 * of 64 keys for all heads, so that a row is decoded for all of them at once. CUDA only.
 *
 * <pre>
 * scores    64 keys x 64 heads = keys [64][576] x query [576][64],    16 x 8 x 16 at a time
 * weights   e^(score - the head's largest), to bf16
 * partial   64 heads x 512     = weights [64][64] x latent [64][512]
 *
 * chunk     64 values of the rows at a time, in bf16
 * tiles     left  [4 steps][64][16]          keys, then weights
 *           right [4 steps][8][16][8]        query, then latent
 * run       8 values of a row: a work-item's share of a chunk, so that a warp reads 4 rows' 64 bytes each in fp8
 * warp w    rows 16 (w % 4) on of the left, 8-wide columns 4 (w / 4) to + 3 of the right
 *
 * scratch   of a token and split:
 * scores    [64 keys][64 heads]    an accumulator can only be stored to global memory
 * weights   [64 keys][64 heads]    bits of f32, of which bf16 pairs are made: the conversion instruction's result
 *                                  can't be shifted, since TornadoVM takes it for 16 bits
 * </pre>
 *
 * Stored rows are bf16 numbers, exactly: e4m3 times a power of two. Query and weights are rounded to bf16 (relative
 * error {@code 2^-9}), sums are f32. Partial results are those of {@link SparseMlaSplit} and 32 KiB a split.
 */
@CudaOnly
public final class SparseMlaTensor {
    private static final int KEYS = 64;
    private static final int HEADS = 64;
    private static final int LATENT = 512;
    private static final int WIDTH = 576;
    private static final int CHUNK = 64;
    private static final int STEPS = CHUNK / 16;
    /** Of 8 values each in a chunk of a row. */
    private static final int RUNS = CHUNK / 8;

    private static final int PAIRS = 4;
    private static final int ITEMS = 256;
    private static final int TILE_INTS = 64 * CHUNK / 2;
    /** Bytes of 16 rows of the left tile, and of 16 x 8 of the right one. */
    private static final int LEFT = 16 * 16 * 2;

    private static final int RIGHT = 16 * 8 * 2;

    private SparseMlaTensor() {}

    private static int splits(int k) {
        return (k + KEYS - 1) / KEYS;
    }

    /**
     * Scratch between the kernels and between their parts.
     *
     * @param queryBits as the query
     */
    public record Scratch(IntArray queryBits, FloatArray scores, IntArray weights, Partials partials) {
        /** Scratch for a shape. */
        public static Scratch of(Shape shape) {
            int splits = shape.tokens() * splits(shape.k());
            return new Scratch(
                    new IntArray(shape.tokens() * HEADS * WIDTH),
                    new FloatArray(Math.multiplyExact(splits, KEYS * HEADS)),
                    new IntArray(Math.multiplyExact(splits, KEYS * HEADS)),
                    Partials.of(shape, splits(shape.k())));
        }
    }

    /** The bf16 bits of every e4m3 code. */
    public static IntArray codes() {
        IntArray table = new IntArray(256);
        for (int code = 0; code < 256; code++) {
            table.set(code, Bf16.encode(E4m3.decode((byte) code)) & 0xFFFF);
        }
        return table;
    }

    /** A work-item for each value of the query. */
    public static void queryBits(KernelContext context, FloatArray query, IntArray span, IntArray bits) {
        int i = context.globalIdx;
        if (SparseMla.attends(i / (HEADS * WIDTH), span) == 1) {
            bits.set(i, Float.floatToRawIntBits(query.get(i)));
        }
    }

    /** A group of 256 for one token and split. */
    public static void partials(
            KernelContext context,
            IntArray query,
            IntArray rows,
            LongArray slab,
            IntArray layer,
            IntArray span,
            IntArray codes,
            FloatArray scores,
            IntArray weights,
            FloatArray most,
            FloatArray sum,
            FloatArray partial,
            int k,
            int bits,
            float scale) {
        int[] left = context.allocateIntLocalArray(TILE_INTS);
        int[] right = context.allocateIntLocalArray(TILE_INTS);
        float[] quarters = context.allocateFloatLocalArray(ITEMS);
        int item = context.localIdx;
        int splits = splits(k);
        int token = context.groupIdx / splits;
        int list = context.groupIdx % splits * KEYS;
        int result = context.groupIdx * HEADS;
        if (SparseMla.attends(token, span) == 0) {
            return;
        }
        if (isEmpty(rows, token, list, k) == 1) {
            if (item < HEADS) {
                most.set(result + item, SparseMla.NO_SCORE);
                sum.set(result + item, 0f);
            }
            return;
        }
        int layerInSlab = layer.get(SlabRow.LAYER_IN_SLAB);
        int layersInSlab = layer.get(SlabRow.LAYERS_IN_SLAB);
        int band = item / 32 % 4;
        int columns = item / 128 * 4;
        float[] c0 = context.mmaFragment(0f);
        float[] c1 = context.mmaFragment(0f);
        float[] c2 = context.mmaFragment(0f);
        float[] c3 = context.mmaFragment(0f);
        for (int chunk = 0; chunk < WIDTH; chunk += CHUNK) {
            for (int i = item; i < KEYS * RUNS; i += ITEMS) {
                int row = SparseMla.entry(rows, token, list + i / RUNS, k);
                int at = rowAt(row, layerInSlab, layersInSlab, bits);
                int to = (i % RUNS / 2 * KEYS + i / RUNS) * 8 + i % 2 * PAIRS;
                for (int n = 0; n < PAIRS; n++) {
                    left[to + n] = pair(slab, at, chunk + i % RUNS * 8 + n * 2, bits, codes);
                }
            }
            for (int i = item; i < TILE_INTS; i += ITEMS) {
                int head = i / 64 % 8 * 8 + i % 4 * 2;
                int q = (token * HEADS + head) * WIDTH + chunk + i / 512 * 16 + i / 4 % 16;
                right[i] = pack(query.get(q), query.get(q + WIDTH));
            }
            context.localBarrier();
            for (int step = 0; step < STEPS; step++) {
                HalfFloat[] a = context.mmaLoadA(left, 16, (step * 4 + band) * LEFT);
                int at = (step * 8 + columns) * RIGHT;
                c0 = context.mmaBF16(a, context.mmaLoadB(right, 16, at), c0, MMAShape.M16N8K16);
                c1 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + RIGHT), c1, MMAShape.M16N8K16);
                c2 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 2 * RIGHT), c2, MMAShape.M16N8K16);
                c3 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 3 * RIGHT), c3, MMAShape.M16N8K16);
            }
            context.localBarrier();
        }
        int keyRow = context.groupIdx * KEYS + band * 16;
        context.mmaStore(c0, scores, keyRow, columns * 8, HEADS);
        context.mmaStore(c1, scores, keyRow, columns * 8 + 8, HEADS);
        context.mmaStore(c2, scores, keyRow, columns * 8 + 16, HEADS);
        context.mmaStore(c3, scores, keyRow, columns * 8 + 24, HEADS);
        // A work-item has a head and 16 of its keys.
        int head = item % HEADS;
        int quarter = item / HEADS;
        // TornadoVM doesn't take mmaStore for a write: without a plain one it would read the scores before.
        if (quarter == 0) {
            most.set(result + head, SparseMla.NO_SCORE);
        }
        context.localBarrier();
        int from = (context.groupIdx * KEYS + quarter * 16) * HEADS + head;
        float largest = SparseMla.NO_SCORE;
        for (int j = 0; j < 16; j++) {
            if (SparseMla.entry(rows, token, list + quarter * 16 + j, k) >= 0) {
                largest = Math.max(
                        largest, TornadoMath.ceil(scale * SparseMlaCombine.PER_LN2 * scores.get(from + j * HEADS)));
            }
        }
        quarters[item] = largest;
        context.localBarrier();
        largest = Math.max(
                Math.max(quarters[head], quarters[head + HEADS]),
                Math.max(quarters[head + 2 * HEADS], quarters[head + 3 * HEADS]));
        context.localBarrier();
        float total = 0f;
        for (int j = 0; j < 16; j++) {
            int entry = list + quarter * 16 + j;
            float exponent = scale * SparseMlaCombine.PER_LN2 * scores.get(from + j * HEADS) - largest;
            float weight = weight(rows, token, entry, k, exponent * SparseMlaCombine.LN2);
            weights.set(from + j * HEADS, Float.floatToRawIntBits(weight));
            total += weight;
        }
        quarters[item] = total;
        context.localBarrier();
        if (quarter == 0) {
            most.set(result + head, largest);
            sum.set(
                    result + head,
                    quarters[head] + quarters[head + HEADS] + quarters[head + 2 * HEADS] + quarters[head + 3 * HEADS]);
        }
        for (int i = item; i < TILE_INTS; i += ITEMS) {
            int w = (context.groupIdx * KEYS + i / 512 * 16 + i % 8 * 2) * HEADS + i / 8 % HEADS;
            left[i] = pack(weights.get(w), weights.get(w + HEADS));
        }
        for (int chunk = 0; chunk < LATENT; chunk += CHUNK) {
            for (int i = item; i < KEYS * RUNS; i += ITEMS) {
                int row = SparseMla.entry(rows, token, list + i / RUNS, k);
                int at = rowAt(row, layerInSlab, layersInSlab, bits);
                int to = (i / RUNS / 16 * 8 + i % RUNS) * 64 + i / RUNS % 16 * PAIRS;
                for (int n = 0; n < PAIRS; n++) {
                    right[to + n] = pair(slab, at, chunk + i % RUNS * 8 + n * 2, bits, codes);
                }
            }
            context.localBarrier();
            float[] d0 = context.mmaFragment(0f);
            float[] d1 = context.mmaFragment(0f);
            float[] d2 = context.mmaFragment(0f);
            float[] d3 = context.mmaFragment(0f);
            for (int step = 0; step < STEPS; step++) {
                HalfFloat[] a = context.mmaLoadA(left, 16, (step * 4 + band) * LEFT);
                int at = (step * 8 + columns) * RIGHT;
                d0 = context.mmaBF16(a, context.mmaLoadB(right, 16, at), d0, MMAShape.M16N8K16);
                d1 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + RIGHT), d1, MMAShape.M16N8K16);
                d2 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 2 * RIGHT), d2, MMAShape.M16N8K16);
                d3 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 3 * RIGHT), d3, MMAShape.M16N8K16);
            }
            int headRow = result + band * 16;
            context.mmaStore(d0, partial, headRow, chunk + columns * 8, LATENT);
            context.mmaStore(d1, partial, headRow, chunk + columns * 8 + 8, LATENT);
            context.mmaStore(d2, partial, headRow, chunk + columns * 8 + 16, LATENT);
            context.mmaStore(d3, partial, headRow, chunk + columns * 8 + 24, LATENT);
            context.localBarrier();
        }
    }

    /** 1 if no entry of the split is a row. */
    private static int isEmpty(IntArray rows, int token, int list, int k) {
        int empty = 1;
        for (int j = 0; j < KEYS; j++) {
            if (SparseMla.entry(rows, token, list + j, k) >= 0) {
                empty = 0;
            }
        }
        return empty;
    }

    private static float weight(IntArray rows, int token, int entry, int k, float exponent) {
        float weight = 0f;
        if (SparseMla.entry(rows, token, entry, k) >= 0) {
            weight = TornadoMath.exp(exponent);
        }
        return weight;
    }

    /** Where a row begins; -1 for a masked one. */
    private static int rowAt(int row, int layerInSlab, int layersInSlab, int bits) {
        int at = -1;
        if (row >= 0) {
            at = SlabRow.at(row, layerInSlab, layersInSlab, SlabRow.longs(bits, WIDTH));
        }
        return at;
    }

    /** Values i and i + 1 of a row as bf16; zeros of a masked one, for it will be multiplied by 0. */
    private static int pair(LongArray slab, int at, int i, int bits, IntArray codes) {
        int pair = 0;
        if (at >= 0) {
            pair = SlabRow.bf16Pair(slab, at, i, bits, codes);
        }
        return pair;
    }

    /** Two floats' bits, rounded to bf16. */
    private static int pack(int low, int high) {
        return (round(low) & 0xFFFF) | round(high) << 16;
    }

    /** Ties to even. */
    private static int round(int bits) {
        int rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
        // A carry would make a number of the NaN of all ones, which is the one that GPUs compute.
        if ((bits & Integer.MAX_VALUE) > 0x7F800000) {
            rounded = 0x7FC0;
        }
        return rounded;
    }

    /**
     * Adds the kernels and {@link SparseMlaCombine#combine} to the graph, as {@code task-bits}, {@code task} and {@code
     * task-combine}.
     *
     * @param codes {@link #codes}
     */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            float scale,
            Arrays arrays,
            IntArray codes,
            Scratch scratch) {
        if (shape.heads() != HEADS || shape.latent() != LATENT || shape.rope() != 64 || shape.dtype() == KvDtype.FP32) {
            throw new IllegalArgumentException(
                    "sparse MLA on tensor cores takes 64 heads and 512 + 64 values in fp8 or bf16, not " + shape);
        }
        int values = shape.tokens() * HEADS * WIDTH;
        Grids.groups(graph, grids, task + "-bits", values / ITEMS, 1, ITEMS);
        Grids.groups(graph, grids, task, shape.tokens() * splits(shape.k()), 1, ITEMS);
        KernelContext context = new KernelContext();
        graph.task(
                        task + "-bits",
                        SparseMlaTensor::queryBits,
                        context,
                        arrays.query(),
                        arrays.span(),
                        scratch.queryBits)
                .task(
                        task,
                        SparseMlaTensor::partials,
                        context,
                        scratch.queryBits,
                        arrays.rows(),
                        arrays.slab(),
                        arrays.layer(),
                        arrays.span(),
                        codes,
                        scratch.scores,
                        scratch.weights,
                        scratch.partials.most(),
                        scratch.partials.sum(),
                        scratch.partials.partial(),
                        shape.k(),
                        shape.bits(),
                        scale);
        return SparseMlaCombine.append(
                graph, grids, task + "-combine", shape, splits(shape.k()), arrays, scratch.partials);
    }
}
