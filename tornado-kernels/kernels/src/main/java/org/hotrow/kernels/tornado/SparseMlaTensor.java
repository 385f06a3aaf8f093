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
 * {@link SparseMla} on tensor cores, for 64 heads and rows of 512 + 64 values in fp8 or bf16: a group takes a split of 64
 * keys for all heads, so that a row is decoded for all of them at once, or for 32 or 16 of them where there are few splits.
 * {@link SparseMlaCombine} adds the splits. CUDA only.
 *
 * <pre>
 * scores    64 keys x heads    = keys [64][576] x query [576][heads],    16 x 8 x 16 at a time
 * weights   2^(score - m), m as the combining kernel has it, to bf16
 * partial   heads x 512        = weights [heads][64] x latent [64][512]
 *
 * chunk     128 values of the rows at a time, in bf16: a warp reads 128 bytes of 2 rows in fp8
 * tiles     left  [steps][rows][16]       keys, then weights; a step has 8 ints more than 64 rows need
 *           right [steps][columns / 8][16][8]   query, then latent; an 8-wide column has 4 ints more
 * warp w    scores:  rows 16 (w % 4) on, heads / 16 columns;  partial:  rows 16 (w % (heads / 16)) on, as many columns
 * fours     [16][heads]    of 4 keys each: the largest score, then the sum of weights
 *
 * scratch, of a split and 64 heads
 * scores    [64 keys][heads]    an accumulator can only be stored to global memory
 * weights   [64 keys][heads]    bits of f32, of which bf16 pairs are made: the conversion instruction's result
 *                               can't be shifted, since TornadoVM takes it for 16 bits
 * </pre>
 *
 * Stored rows are bf16 numbers, exactly: e4m3 times a power of two. Query and weights are rounded to bf16 (relative
 * error {@code 2^-9}), sums are f32, and the heads of a group make no difference to them. An accumulator's store uses half
 * of each sector: a lane has neighbours, and stores one after the other.
 */
@CudaOnly
public final class SparseMlaTensor {
    private static final int KEYS = 64;
    private static final int HEADS = 64;
    private static final int LATENT = 512;
    private static final int WIDTH = 576;
    private static final int CHUNK = 128;
    private static final int STEPS = CHUNK / 16;
    private static final int ITEMS = 256;
    private static final int CODES = 256;
    private static final int SCALES = SlabRow.SCALES;
    private static final int FOURS = KEYS / 4;
    /** Ints of 64 rows of 16 values in the left tile, and bytes of 16 of the rows. */
    private static final int LEFT_STEP = KEYS * 8 + 8;

    private static final int LEFT_BAND = 16 * 8 * 4;
    /** Ints of 16 rows of 8 values in the right tile. */
    private static final int RIGHT = 16 * 4 + 4;

    /** Enough to give nearly every multiprocessor of an H200 one. */
    private static final int FULL_GRID = 128;

    private SparseMlaTensor() {}

    private static int splits(int k) {
        return (k + KEYS - 1) / KEYS;
    }

    /** Heads of a group. */
    private static int groupHeads(Shape shape) {
        int splits = shape.tokens() * splits(shape.k());
        return splits >= FULL_GRID ? HEADS : splits >= FULL_GRID / 2 ? HEADS / 2 : HEADS / 4;
    }

    /** Scratch between the kernels and between their parts; {@code queryBits} as the query. */
    public record Scratch(IntArray queryBits, FloatArray scores, IntArray weights, Partials partials) {
        /** Scratch for a shape. */
        public static Scratch of(Shape shape) {
            int scores = Elements.count("scores", shape.tokens(), splits(shape.k()), KEYS * HEADS);
            return new Scratch(
                    new IntArray(shape.tokens() * HEADS * WIDTH),
                    new FloatArray(scores),
                    new IntArray(scores),
                    Partials.of(shape, splits(shape.k())));
        }

        /** Bytes beside the floor: written once and read by another kernel once, scores and weights by none. */
        public long partialBytes() {
            return 2 * queryBits.getNumBytesOfSegment()
                    + scores.getNumBytesOfSegment()
                    + weights.getNumBytesOfSegment()
                    + partials.partialBytes();
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

    /** A group of 256 for one token, split and {@code heads} of the heads. */
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
            int heads,
            float scale) {
        int[] left = context.allocateIntLocalArray(STEPS * LEFT_STEP);
        int[] right = context.allocateIntLocalArray(STEPS * KEYS / 8 * RIGHT);
        int[] table = context.allocateIntLocalArray(CODES);
        int[] starts = context.allocateIntLocalArray(KEYS);
        int[] scales = context.allocateIntLocalArray(KEYS * SCALES);
        float[] fours = context.allocateFloatLocalArray(FOURS * heads);
        int item = context.localIdx;
        int blocks = HEADS / heads;
        int token = context.groupIdx / blocks / splits(k);
        int list = context.groupIdx / blocks % splits(k) * KEYS;
        int firstHead = context.groupIdx % blocks * heads;
        int result = context.groupIdx / blocks * HEADS + firstHead;
        if (SparseMla.attends(token, span) == 0) {
            return;
        }
        int layerInSlab = layer.get(SlabRow.LAYER_IN_SLAB);
        int layersInSlab = layer.get(SlabRow.LAYERS_IN_SLAB);
        table[item] = codes.get(item);
        if (item < KEYS) {
            int row = SparseMla.entry(rows, token, list + item, k);
            starts[item] = row < 0 ? -1 : SlabRow.at(row, layerInSlab, layersInSlab, SlabRow.longs(bits, WIDTH));
        }
        context.localBarrier();
        int keys = 0;
        for (int j = 0; j < KEYS; j++) {
            keys += starts[j] < 0 ? 0 : 1;
        }
        if (keys == 0) {
            if (item < heads) {
                sum.set(result + item, 0f);
                most.set(result + item, SparseMla.NO_SCORE);
            }
            return;
        }
        scales[item] = bits == 8 ? SlabRow.scale(slab, starts[item / SCALES], item % SCALES) : 0;
        int tiles = heads / 16;
        int warp = item / 32;
        int band = warp % 4;
        int column = warp / 4 * tiles;
        float[] c0 = context.mmaFragment(0f);
        float[] c1 = context.mmaFragment(0f);
        float[] c2 = context.mmaFragment(0f);
        float[] c3 = context.mmaFragment(0f);
        // One loop, since TornadoVM can't carry accumulators through two.
        for (int step = 0; step < WIDTH / 16; step++) {
            if (step % STEPS == 0) {
                int steps = Math.min(STEPS, WIDTH / 16 - step);
                int from = SlabRow.longOf(bits, step * 16);
                int size = SlabRow.size(bits, from);
                int longs = steps * 16 * size / 64;
                context.localBarrier();
                for (int i = item; i < KEYS * longs; i += ITEMS) {
                    int key = i / longs;
                    int value = i % longs * (64 / size);
                    int exponent = scales[key * SCALES + step / STEPS % SCALES] - 127;
                    long word = word(slab, starts[key], from + i % longs);
                    for (int n = 0; n < 32 / size; n++) {
                        int pair = (int) (word >> (2 * size * n));
                        if (size == 8) {
                            pair = Bf16Pair.scaled(table[pair & 0xFF], table[(pair >> 8) & 0xFF], exponent);
                        }
                        left[value / 16 * LEFT_STEP + key * 8 + value % 16 / 2 + n] = pair;
                    }
                }
                for (int i = item; i < steps * heads * 8; i += ITEMS) {
                    int row = token * HEADS + firstHead + i / 64 % (heads / 8) * 8 + i % 4 * 2;
                    int q = row * WIDTH + (step + i / (heads * 8)) * 16 + i / 4 % 16;
                    right[i / 64 * RIGHT + i % 64] = Bf16Pair.round(query.get(q), query.get(q + WIDTH));
                }
                context.localBarrier();
            }
            HalfFloat[] a = context.mmaLoadA(left, 16, step % STEPS * LEFT_STEP * 4 + band * LEFT_BAND);
            int at = (step % STEPS * (heads / 8) + column) * RIGHT * 4;
            c0 = context.mmaBF16(a, context.mmaLoadB(right, 16, at), c0, MMAShape.M16N8K16);
            if (tiles > 1) {
                c1 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + RIGHT * 4), c1, MMAShape.M16N8K16);
            }
            if (tiles > 2) {
                c2 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 2 * RIGHT * 4), c2, MMAShape.M16N8K16);
                c3 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 3 * RIGHT * 4), c3, MMAShape.M16N8K16);
            }
        }
        int scratch = context.groupIdx * KEYS;
        context.mmaStore(c0, scores, scratch + band * 16, column * 8, heads);
        if (tiles > 1) {
            context.mmaStore(c1, scores, scratch + band * 16, column * 8 + 8, heads);
        }
        if (tiles > 2) {
            context.mmaStore(c2, scores, scratch + band * 16, column * 8 + 16, heads);
            context.mmaStore(c3, scores, scratch + band * 16, column * 8 + 24, heads);
        }
        // TornadoVM doesn't take mmaStore for a write: without a plain one it would read the scores before.
        int head = item % heads;
        if (item < heads) {
            most.set(result + head, SparseMla.NO_SCORE);
        }
        context.localBarrier();
        for (int four = item / heads; four < FOURS; four += ITEMS / heads) {
            float largest = SparseMla.NO_SCORE;
            for (int j = four * 4; j < four * 4 + 4; j++) {
                float score = scale * SparseMlaCombine.PER_LN2 * scores.get((scratch + j) * heads + head);
                if (starts[j] >= 0) {
                    largest = Math.max(largest, TornadoMath.ceil(score));
                }
            }
            fours[four * heads + head] = largest;
        }
        context.localBarrier();
        float largest = SparseMla.NO_SCORE;
        for (int four = 0; four < FOURS; four++) {
            largest = Math.max(largest, fours[four * heads + head]);
        }
        context.localBarrier();
        for (int four = item / heads; four < FOURS; four += ITEMS / heads) {
            float total = 0f;
            for (int j = four * 4; j < four * 4 + 4; j++) {
                float score = scale * SparseMlaCombine.PER_LN2 * scores.get((scratch + j) * heads + head);
                float weight = 0f;
                if (starts[j] >= 0) {
                    weight = TornadoMath.exp((score - largest) * SparseMlaCombine.LN2);
                }
                weights.set((scratch + j) * heads + head, Float.floatToRawIntBits(weight));
                total += weight;
            }
            fours[four * heads + head] = total;
        }
        context.localBarrier();
        if (item < heads) {
            float total = 0f;
            for (int four = 0; four < FOURS; four++) {
                total += fours[four * heads + head];
            }
            most.set(result + head, largest);
            sum.set(result + head, total);
        }
        for (int i = item; i < heads * KEYS / 2; i += ITEMS) {
            int row = i / 32 % (heads / 8) * 8 + i % 8;
            int pair = i / (heads * 4) * 4 + i / 8 % 4;
            int w = (scratch + pair * 2) * heads + row;
            left[pair / 8 * LEFT_STEP + row * 8 + pair % 8] = Bf16Pair.round(weights.get(w), weights.get(w + heads));
        }
        int headBand = warp % tiles;
        int headRow = result + headBand * 16;
        for (int chunk = 0; chunk < LATENT; chunk += CHUNK) {
            int longs = CHUNK * bits / 64;
            for (int i = item; i < KEYS * longs; i += ITEMS) {
                int key = i / longs;
                int value = i % longs * (64 / bits);
                int exponent = scales[key * SCALES + chunk / 128] - 127;
                long word = word(slab, starts[key], chunk * bits / 64 + i % longs);
                for (int n = 0; n < 32 / bits; n++) {
                    int pair = (int) (word >> (2 * bits * n));
                    if (bits == 8) {
                        pair = Bf16Pair.scaled(table[pair & 0xFF], table[(pair >> 8) & 0xFF], exponent);
                    }
                    right[(key / 16 * (CHUNK / 8) + value / 8) * RIGHT + key % 16 * 4 + value % 8 / 2 + n] = pair;
                }
            }
            context.localBarrier();
            for (int half = 0; half < CHUNK / 8; half += 8) {
                int columns = half + warp / tiles * tiles;
                float[] d0 = context.mmaFragment(0f);
                float[] d1 = context.mmaFragment(0f);
                float[] d2 = context.mmaFragment(0f);
                float[] d3 = context.mmaFragment(0f);
                for (int step = 0; step < KEYS / 16; step++) {
                    HalfFloat[] a = context.mmaLoadA(left, 16, step * LEFT_STEP * 4 + headBand * LEFT_BAND);
                    int at = (step * (CHUNK / 8) + columns) * RIGHT * 4;
                    d0 = context.mmaBF16(a, context.mmaLoadB(right, 16, at), d0, MMAShape.M16N8K16);
                    if (tiles > 1) {
                        d1 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + RIGHT * 4), d1, MMAShape.M16N8K16);
                    }
                    if (tiles > 2) {
                        d2 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 2 * RIGHT * 4), d2, MMAShape.M16N8K16);
                        d3 = context.mmaBF16(a, context.mmaLoadB(right, 16, at + 3 * RIGHT * 4), d3, MMAShape.M16N8K16);
                    }
                }
                context.mmaStore(d0, partial, headRow, chunk + columns * 8, LATENT);
                if (tiles > 1) {
                    context.mmaStore(d1, partial, headRow, chunk + columns * 8 + 8, LATENT);
                }
                if (tiles > 2) {
                    context.mmaStore(d2, partial, headRow, chunk + columns * 8 + 16, LATENT);
                    context.mmaStore(d3, partial, headRow, chunk + columns * 8 + 24, LATENT);
                }
            }
            context.localBarrier();
        }
    }

    /** A long of a row; 0 of a masked one, for its values will be multiplied by 0. */
    private static long word(LongArray slab, int at, int l) {
        long word = 0;
        if (at >= 0) {
            word = slab.get(at + l);
        }
        return word;
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
        return append(graph, grids, task, shape, groupHeads(shape), scale, arrays, codes, scratch);
    }

    /** With so many heads to a group: 64, 32 or 16. */
    static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            int groupHeads,
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
        Grids.groups(graph, grids, task, shape.tokens() * splits(shape.k()) * HEADS / groupHeads, 1, ITEMS);
        KernelContext context = Grids.CONTEXT;
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
                        groupHeads,
                        scale);
        return SparseMlaCombine.append(
                graph, grids, task + "-combine", shape, splits(shape.k()), arrays, scratch.partials);
    }
}
