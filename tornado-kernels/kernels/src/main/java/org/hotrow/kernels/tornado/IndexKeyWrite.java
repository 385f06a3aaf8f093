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
 * Stores the indexer's keys of a step in index pages, in the bytes of {@link org.hotrow.kernels.IndexFormat}, which is
 * also their reference: only a NaN of bf16 is another NaN.
 *
 * <pre>
 * counts       [8] int                        counts[0] = T rows
 * request      [maxRows] int                  seat; of padding -1, which is not stored
 * position     [maxRows] int                  rows of a request stand together, their positions ascending by 1
 * indexTable   [maxSeqs][maxIndexBlocks] int  index blocks of pagesPerBlock pages of 64 tokens
 * key          [maxRows][width] f32
 * anchor       [1] int                        the layer's number among the anchors of its slab
 * slab         [blocks] of [pagesPerBlock][anchorsInSlab][page]     longs; of floats for FP32
 *
 * fp8 page     64 keys of width codes, then 64 f32 scales, two to a long
 * bf16, fp32   64 keys
 *
 * floor        4 T width bytes read, a key written for each
 * sectors      below 80 %: beside a key's 512 bytes, what says where it goes and its exponent are 4 bytes of a sector each
 * </pre>
 *
 * <p>A group of 32 work-items per row. Two neighbours share a long of scales: the row of the even position stores both
 * if the odd one is in the step too, else the other is zero, being that of a token that is yet to come; an odd position
 * whose neighbour was stored in an earlier step keeps that one's scale.
 */
public final class IndexKeyWrite {
    private static final int GROUP = 32;
    private static final int PAGE = 64;
    private static final float LEAST_RATIO = 1e-4f / E4m3.MAX;

    private IndexKeyWrite() {}

    /**
     * Rows that a launch covers, and where index pages lie.
     *
     * @param width values of a key
     * @param blockWords longs (floats for FP32) of a block in the slab
     */
    public record Shape(
            int maxRows, int width, int maxIndexBlocks, int pagesPerBlock, int anchorsInSlab, int blockWords) {
        /** Checks that keys are whole longs. */
        public Shape {
            if (maxRows < 1
                    || width < 8
                    || width % 8 != 0
                    || maxIndexBlocks < 1
                    || pagesPerBlock < 1
                    || anchorsInSlab < 1
                    || blockWords < 1) {
                throw new IllegalArgumentException("index keys of " + width + " values, " + pagesPerBlock + " pages of "
                        + anchorsInSlab + " anchors in a block: expected a multiple of 8, at least 1");
            }
            Elements.count("keys", maxRows, width);
        }

        /** Bytes that DRAM must move for {@code rows} rows of keys of {@code keyBytes} bytes, scale included. */
        public long floorBytes(int rows, int keyBytes) {
            return 4L * rows * width + (long) rows * keyBytes;
        }
    }

    static void writeFp8(
            KernelContext context,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            FloatArray key,
            FloatArray exponents,
            IntArray anchor,
            LongArray slab,
            int width,
            int maxIndexBlocks,
            int pagesPerBlock,
            int anchorsInSlab,
            int blockWords) {
        float[] values = context.allocateFloatLocalArray(width);
        float[] largest = context.allocateFloatLocalArray(2 * GROUP);
        int item = context.localIdx;
        int t = context.groupIdx;
        int rows = counts.get(0);
        int next = follows(request, position, t, rows);
        float most = 0;
        int written = isWritten(request, t, rows);
        int end = written * width;
        for (int i = item; i < end; i += GROUP) {
            float value = key.get(t * width + i);
            values[i] = value;
            most = TornadoMath.max(most, Fp8Codes.finiteMagnitude(value));
        }
        largest[item] = most;
        largest[GROUP + item] = largestOf(key, t + 1, next, item, width);
        for (int distance = GROUP / 2; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (item < distance) {
                largest[item] = TornadoMath.max(largest[item], largest[item + distance]);
                largest[GROUP + item] = TornadoMath.max(largest[GROUP + item], largest[GROUP + item + distance]);
            }
        }
        context.localBarrier();
        if (written == 1) {
            int page = pageAt(
                    request,
                    position,
                    indexTable,
                    t,
                    maxIndexBlocks,
                    pagesPerBlock,
                    anchorsInSlab,
                    anchor.get(0),
                    PAGE * (width + 4) / 8,
                    blockWords);
            int slot = position.get(t) % PAGE;
            int exponent = exponent(exponents, largest[0]);
            float scale = exponents.get(exponent);
            for (int i = item; i < width / 8; i += GROUP) {
                long word = 0;
                for (int j = 0; j < 8; j++) {
                    word = word | ((long) Fp8Codes.encode(values[i * 8 + j], scale) << (8 * j));
                }
                slab.set(page + slot * (width / 8) + i, word);
            }
            int scales = page + PAGE * (width / 8) + slot / 2;
            if (item == 0) {
                int neighbour = next == 1 ? exponent(exponents, largest[GROUP]) : 0;
                int kept = follows(request, position, t - 1, rows);
                writeScale(slab, scales, slot, exponent, neighbour, kept);
            }
        }
    }

    /** 1 if row t is one of the step's, with a request. */
    private static int isWritten(IntArray request, int t, int rows) {
        int written = 0;
        if (t < rows) {
            if (request.get(t) >= 0) {
                written = 1;
            }
        }
        return written;
    }

    /** Stores a scale's exponent and, at an even slot, its neighbour's; at an odd one nothing if the even row does. */
    private static void writeScale(LongArray slab, int at, int slot, int exponent, int neighbour, int evenRowDoes) {
        long scale = (long) exponent << 23;
        if (slot % 2 == 0) {
            slab.set(at, scale | ((long) neighbour << 55));
        } else if (evenRowDoes == 0) {
            slab.set(at, (slab.get(at) & 0xFFFFFFFFL) | (scale << 32));
        }
    }

    /** 1 if row t + 1 is the next token of row t's request, in the same step. */
    private static int follows(IntArray request, IntArray position, int t, int rows) {
        int follows = 0;
        if (t >= 0 && t + 1 < rows) {
            if (request.get(t) == request.get(t + 1) && position.get(t) + 1 == position.get(t + 1)) {
                follows = 1;
            }
        }
        return follows;
    }

    private static float largestOf(FloatArray key, int t, int there, int item, int width) {
        int end = 0;
        if (there == 1) {
            end = width;
        }
        float largest = 0;
        for (int i = item; i < end; i += GROUP) {
            largest = TornadoMath.max(largest, Fp8Codes.finiteMagnitude(key.get(t * width + i)));
        }
        return largest;
    }

    private static int exponent(FloatArray exponents, float largest) {
        return Exponents.atLeast(exponents, TornadoMath.max(largest / E4m3.MAX, LEAST_RATIO));
    }

    static void writeBf16(
            KernelContext context,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            FloatArray key,
            FloatArray exponents,
            IntArray anchor,
            LongArray slab,
            int width,
            int maxIndexBlocks,
            int pagesPerBlock,
            int anchorsInSlab,
            int blockWords) {
        int t = context.groupIdx;
        if (isWritten(request, t, counts.get(0)) == 1) {
            int page = pageAt(
                    request,
                    position,
                    indexTable,
                    t,
                    maxIndexBlocks,
                    pagesPerBlock,
                    anchorsInSlab,
                    anchor.get(0),
                    PAGE * (width / 4),
                    blockWords);
            int at = page + position.get(t) % PAGE * (width / 4);
            for (int i = context.localIdx; i < width / 4; i += GROUP) {
                long word = 0;
                for (int j = 0; j < 4; j++) {
                    long code = Exponents.encodeBf16(exponents, key.get(t * width + i * 4 + j));
                    word = word | (code << (16 * j));
                }
                slab.set(at + i, word);
            }
        }
    }

    static void writeFp32(
            KernelContext context,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            FloatArray key,
            IntArray anchor,
            FloatArray slab,
            int width,
            int maxIndexBlocks,
            int pagesPerBlock,
            int anchorsInSlab,
            int blockWords) {
        int t = context.groupIdx;
        if (isWritten(request, t, counts.get(0)) == 1) {
            int page = pageAt(
                    request,
                    position,
                    indexTable,
                    t,
                    maxIndexBlocks,
                    pagesPerBlock,
                    anchorsInSlab,
                    anchor.get(0),
                    PAGE * width,
                    blockWords);
            int at = page + position.get(t) % PAGE * width;
            for (int i = context.localIdx; i < width; i += GROUP) {
                slab.set(at + i, key.get(t * width + i));
            }
        }
    }

    /** Where the page of row t's position begins in the slab. */
    private static int pageAt(
            IntArray request,
            IntArray position,
            IntArray indexTable,
            int t,
            int maxIndexBlocks,
            int pagesPerBlock,
            int anchorsInSlab,
            int anchor,
            int pageWords,
            int blockWords) {
        int page = position.get(t) / PAGE;
        int block = indexTable.get(request.get(t) * maxIndexBlocks + page / pagesPerBlock);
        return block * blockWords + (page % pagesPerBlock * anchorsInSlab + anchor) * pageWords;
    }

    /** Appends the task for keys in FP8. */
    public static TaskGraph appendFp8(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            FloatArray key,
            FloatArray exponents,
            IntArray anchor,
            LongArray slab,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                IndexKeyWrite::writeFp8,
                Grids.CONTEXT,
                counts,
                request,
                position,
                indexTable,
                key,
                exponents,
                anchor,
                slab,
                shape.width(),
                shape.maxIndexBlocks(),
                shape.pagesPerBlock(),
                shape.anchorsInSlab(),
                shape.blockWords());
    }

    /** Appends the task for keys in bf16. */
    public static TaskGraph appendBf16(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            FloatArray key,
            FloatArray exponents,
            IntArray anchor,
            LongArray slab,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                IndexKeyWrite::writeBf16,
                Grids.CONTEXT,
                counts,
                request,
                position,
                indexTable,
                key,
                exponents,
                anchor,
                slab,
                shape.width(),
                shape.maxIndexBlocks(),
                shape.pagesPerBlock(),
                shape.anchorsInSlab(),
                shape.blockWords());
    }

    /** Appends the task for keys in f32. */
    public static TaskGraph appendFp32(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray indexTable,
            FloatArray key,
            IntArray anchor,
            FloatArray slab,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                IndexKeyWrite::writeFp32,
                Grids.CONTEXT,
                counts,
                request,
                position,
                indexTable,
                key,
                anchor,
                slab,
                shape.width(),
                shape.maxIndexBlocks(),
                shape.pagesPerBlock(),
                shape.anchorsInSlab(),
                shape.blockWords());
    }
}
