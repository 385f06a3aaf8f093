package org.hotrow.kernels.tornado;

import org.hotrow.kernels.tornado.SparseMla.Arrays;
import org.hotrow.kernels.tornado.SparseMla.Shape;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * {@link SparseMla} in splits of 128 entries of the list, which only the index in the list decides. A group has 8 heads
 * and one split, or all of them where tokens keep the device busy; {@link SparseMlaCombine} adds what the groups gave. A
 * token has the same bits both ways.
 *
 * <pre>
 * staged      [8 rows][8][pitch]            value i of a row at (i % 8) * pitch + i / 8: without bank conflicts
 * dots        [8 heads][8 rows][32 lanes]   warp w has heads 2 (w % 4) and + 1 of rows 4 (w / 4) to + 3; lane: i % 32
 * weights     [8 heads][8 rows]             a work-item each
 * sums        of all 8 heads                a work-item has values i and i + 256 of the latent
 * </pre>
 *
 * Rows are staged 8 at a time: loaded as neighbouring longs, decoded once, read from local memory by all heads for the
 * scores, then for the sums. When the largest score grows, sums so far are multiplied by a power of two, which rounds
 * nothing; a split's sums join those of the splits before it in the same way.
 */
public final class SparseMlaSplit {
    private static final int KEYS = 128;
    private static final int HEADS = 8;
    private static final int ROWS = 8;
    private static final int PAIRS = HEADS * ROWS;
    private static final int WARP = 32;
    private static final int ITEMS = 256;
    private static final int DOT_PITCH = WARP + 1;
    private static final int MOST_RUNS = 18;
    private static final int SCALES = SlabRow.SCALES;
    private static final int CODES = 256;
    /** Enough to give nearly every multiprocessor of an H200 one. */
    private static final int FULL_GRID = 128;

    private SparseMlaSplit() {}

    private static int splits(int k) {
        return (k + KEYS - 1) / KEYS;
    }

    private static int blocks(int heads) {
        return (heads + HEADS - 1) / HEADS;
    }

    /** Into how many groups the list of a token goes: one if there are tokens enough, else one per split. */
    static int parts(Shape shape) {
        return shape.tokens() * blocks(shape.heads()) >= FULL_GRID ? 1 : splits(shape.k());
    }

    /** Bytes of {@link Partials} for a shape. */
    public static long bytes(Shape shape) {
        return 4L * shape.tokens() * parts(shape) * shape.heads() * (2L + shape.latent());
    }

    /** What groups leave for {@link SparseMlaCombine}. */
    public record Partials(FloatArray most, FloatArray sum, FloatArray partial) {
        /** Scratch for a shape. */
        public static Partials of(Shape shape) {
            return of(shape, parts(shape));
        }

        static Partials of(Shape shape, int parts) {
            int heads = Elements.count("partial results", shape.tokens(), parts, shape.heads());
            return new Partials(
                    new FloatArray(heads),
                    new FloatArray(heads),
                    new FloatArray(Elements.count("partial sums", heads, shape.latent())));
        }

        /** Bytes beside the floor: written once and read once, if lists are full. */
        public long partialBytes() {
            return 2 * (most.getNumBytesOfSegment() + sum.getNumBytesOfSegment() + partial.getNumBytesOfSegment());
        }
    }

    /** A group of 256 for one token, 8 heads and one of {@code parts} equal parts of the splits. */
    public static void partials(
            KernelContext context,
            FloatArray query,
            IntArray rows,
            LongArray slab,
            IntArray layer,
            IntArray span,
            FloatArray codes,
            FloatArray exponents,
            FloatArray most,
            FloatArray sum,
            FloatArray partial,
            int heads,
            int latent,
            int rope,
            int k,
            int bits,
            int parts,
            float scale) {
        int width = latent + rope;
        int pitch = width / 8 + 4;
        float[] values = context.allocateFloatLocalArray(CODES);
        float[] powers = context.allocateFloatLocalArray(CODES);
        int[] starts = context.allocateIntLocalArray(KEYS);
        int[] scales = context.allocateIntLocalArray(KEYS * SCALES);
        float[] staged = context.allocateFloatLocalArray(ROWS * 8 * pitch);
        float[] dots = context.allocateFloatLocalArray(PAIRS * DOT_PITCH);
        float[] weights = context.allocateFloatLocalArray(PAIRS);
        float[] factors = context.allocateFloatLocalArray(2 * HEADS);
        float[] q = new float[2 * MOST_RUNS];
        float[] sums = new float[2 * HEADS];
        float[] all = new float[2 * HEADS];
        int item = context.localIdx;
        int lane = item % WARP;
        int warp = item / WARP;
        int head = context.groupIdx % blocks(heads) * HEADS;
        int part = context.groupIdx / blocks(heads) % parts;
        int token = context.groupIdx / blocks(heads) / parts;
        int rowLongs = SlabRow.longs(bits, width);
        int layerInSlab = layer.get(SlabRow.LAYER_IN_SLAB);
        int layersInSlab = layer.get(SlabRow.LAYERS_IN_SLAB);
        int attends = SparseMla.attends(token, span);
        int pairHead = warp % 4 * 2;
        int pairRow = warp / 4 * 4;
        values[item] = codes.get(item);
        powers[item] = exponents.get(item);
        for (int n = 0; n < MOST_RUNS; n++) {
            q[n] = value(query, token * heads, Math.min(head + pairHead, heads - 1), lane + WARP * n, width);
            q[MOST_RUNS + n] =
                    value(query, token * heads, Math.min(head + pairHead + 1, heads - 1), lane + WARP * n, width);
        }
        for (int h = 0; h < 2 * HEADS; h++) {
            all[h] = 0f;
        }
        // Of the first 64 work-items, each has a head and a row of 8; the first of a head has its m and l too.
        float mostOfAll = SparseMla.NO_SCORE;
        float sumOfAll = 0f;
        int written = 0;
        int first = splits(k) / parts * part;
        int end = (first + splits(k) / parts) * attends;
        for (int split = first; split < end; split++) {
            if (item < KEYS) {
                int row = SparseMla.entry(rows, token, split * KEYS + item, k);
                starts[item] = row < 0 ? -1 : SlabRow.at(row, layerInSlab, layersInSlab, rowLongs);
            }
            context.localBarrier();
            int keys = 0;
            for (int j = 0; j < KEYS; j++) {
                if (starts[j] >= 0) {
                    keys = j + 1;
                }
            }
            written = Math.max(written, keys);
            if (bits == 8) {
                for (int i = item; i < KEYS * SCALES; i += ITEMS) {
                    scales[i] = SlabRow.scale(slab, starts[i / SCALES], i % SCALES);
                }
            }
            float largest = SparseMla.NO_SCORE;
            float total = 0f;
            for (int h = 0; h < 2 * HEADS; h++) {
                sums[h] = 0f;
            }
            for (int from = 0; from < keys; from += ROWS) {
                int rowsStaged = Math.min(ROWS, keys - from);
                context.localBarrier();
                for (int i = item; i < ROWS * rowLongs; i += ITEMS) {
                    int row = i / rowLongs;
                    int at = starts[from + row];
                    long word = 0;
                    if (at >= 0) {
                        word = slab.get(at + i % rowLongs);
                    }
                    int size = SlabRow.size(bits, i % rowLongs);
                    int valueAt = SlabRow.first(bits, i % rowLongs);
                    int valuesEnd = valueAt + SlabRow.values(bits, i % rowLongs);
                    while (valueAt < valuesEnd) {
                        int code = (int) word;
                        float value = 0f;
                        if (size == 8) {
                            value = values[code & 0xFF] * powers[scales[(from + row) * SCALES + valueAt / 128]];
                        } else {
                            value = SlabRow.significand(code, size) * powers[SlabRow.exponent(code, size)];
                        }
                        staged[(row * 8 + valueAt % 8) * pitch + valueAt / 8] = value;
                        word = word >> size;
                        valueAt++;
                    }
                }
                context.localBarrier();
                for (int row = pairRow; row < Math.min(pairRow + 4, rowsStaged); row++) {
                    float dot0 = 0f;
                    float dot1 = 0f;
                    for (int n = 0; n < MOST_RUNS; n++) {
                        int i = lane + WARP * n;
                        if (i < width) {
                            float value = staged[(row * 8 + i % 8) * pitch + i / 8];
                            dot0 += q[n] * value;
                            dot1 += q[MOST_RUNS + n] * value;
                        }
                    }
                    dots[(pairHead * ROWS + row) * DOT_PITCH + lane] = dot0;
                    dots[(pairHead * ROWS + ROWS + row) * DOT_PITCH + lane] = dot1;
                }
                context.localBarrier();
                if (item < PAIRS) {
                    float keyScore = SparseMla.NO_SCORE;
                    if (starts[from + item % ROWS] >= 0) {
                        float dot = 0f;
                        for (int n = 0; n < WARP; n++) {
                            dot += dots[item * DOT_PITCH + n];
                        }
                        keyScore = dot * (scale * SparseMlaCombine.PER_LN2);
                    }
                    weights[item] = keyScore;
                }
                context.localBarrier();
                float score = 0f;
                float before = largest;
                if (item < PAIRS) {
                    score = weights[item];
                    for (int row = 0; row < ROWS; row++) {
                        largest = Math.max(largest, TornadoMath.ceil(weights[item / ROWS * ROWS + row]));
                    }
                }
                context.localBarrier();
                if (item < PAIRS) {
                    // 0 of a masked row, or multiplied by 0 when the first score comes.
                    weights[item] = TornadoMath.exp((score - largest) * SparseMlaCombine.LN2);
                    if (item % ROWS == 0) {
                        factors[item / ROWS] = SparseMlaCombine.powerOfTwo(exponents, before - largest);
                    }
                }
                context.localBarrier();
                if (item < PAIRS && item % ROWS == 0) {
                    total *= factors[item / ROWS];
                    for (int row = 0; row < ROWS; row++) {
                        total += weights[item + row];
                    }
                }
                for (int h = 0; h < HEADS; h++) {
                    sums[h] *= factors[h];
                    sums[HEADS + h] *= factors[h];
                }
                for (int row = 0; row < rowsStaged; row++) {
                    float value0 = 0f;
                    float value1 = 0f;
                    if (item < latent) {
                        value0 = staged[(row * 8 + item % 8) * pitch + item / 8];
                    }
                    if (item + ITEMS < latent) {
                        value1 = staged[(row * 8 + item % 8) * pitch + (item + ITEMS) / 8];
                    }
                    for (int h = 0; h < HEADS; h++) {
                        sums[h] += weights[h * ROWS + row] * value0;
                        sums[HEADS + h] += weights[h * ROWS + row] * value1;
                    }
                }
            }
            context.localBarrier();
            if (item < PAIRS && item % ROWS == 0) {
                float before = mostOfAll;
                mostOfAll = Math.max(mostOfAll, largest);
                factors[item / ROWS] = SparseMlaCombine.powerOfTwo(exponents, before - mostOfAll);
                factors[HEADS + item / ROWS] = SparseMlaCombine.powerOfTwo(exponents, largest - mostOfAll);
                sumOfAll = sumOfAll * factors[item / ROWS] + total * factors[HEADS + item / ROWS];
            }
            context.localBarrier();
            for (int h = 0; h < HEADS; h++) {
                all[h] = all[h] * factors[h] + sums[h] * factors[HEADS + h];
                all[HEADS + h] = all[HEADS + h] * factors[h] + sums[HEADS + h] * factors[HEADS + h];
            }
        }
        int result = (token * parts + part) * heads + head;
        if (item < PAIRS && item % ROWS == 0 && head + item / ROWS < heads && attends == 1) {
            most.set(result + item / ROWS, mostOfAll);
            sum.set(result + item / ROWS, sumOfAll);
        }
        // A bound that is known keeps the sums in registers.
        for (int h = 0; h < HEADS; h++) {
            int valuesEnd = written > 0 && head + h < heads ? latent : 0;
            if (item < valuesEnd) {
                partial.set((result + h) * latent + item, all[h]);
            }
            if (item + ITEMS < valuesEnd) {
                partial.set((result + h) * latent + item + ITEMS, all[HEADS + h]);
            }
        }
    }

    private static float value(FloatArray query, int firstHead, int head, int i, int width) {
        float value = 0f;
        if (i < width) {
            value = query.get((firstHead + head) * width + i);
        }
        return value;
    }

    /** Adds both kernels to the graph, as {@code task} and {@code task-combine}. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            float scale,
            Arrays arrays,
            Partials partials) {
        int parts = parts(shape);
        Grids.groups(graph, grids, task, shape.tokens() * parts * blocks(shape.heads()), 1, ITEMS);
        graph.task(
                task,
                SparseMlaSplit::partials,
                Grids.CONTEXT,
                arrays.query(),
                arrays.rows(),
                arrays.slab(),
                arrays.layer(),
                arrays.span(),
                arrays.codes(),
                arrays.exponents(),
                partials.most,
                partials.sum,
                partials.partial,
                shape.heads(),
                shape.latent(),
                shape.rope(),
                shape.k(),
                shape.bits(),
                parts,
                scale);
        return SparseMlaCombine.append(graph, grids, task + "-combine", shape, parts, arrays, partials);
    }
}
