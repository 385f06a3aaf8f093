package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.IndexKeyWrite;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The check of what stores index keys, byte for byte. A request on seat 1 has two tokens, whose FP8 scales share a long,
 * one on seat 0 a token now and then; each round goes on behind the last.
 */
final class KeyWriteCheck implements KernelCheck.Inputs {
    private static final int ROWS = 3;
    private static final int WIDTH = 24;
    private static final int BLOCKS = 4;
    private static final int PAGES = 2;
    private static final int ANCHORS = 2;
    private static final int ANCHOR = 1;

    private final KvDtype type;
    private final IndexFormat format;
    private final int blockBytes;
    private final IntArray counts;
    private final IntArray request;
    private final IntArray position;
    private final IntArray table;
    private final FloatArray key;
    private final LongArray slab;
    private final MemorySegment expected;

    private KeyWriteCheck(CheckBench bench, KvDtype type) {
        this.type = type;
        format = IndexFormat.of(type, WIDTH);
        blockBytes = PAGES * ANCHORS * format.pageBytes() + Long.BYTES;
        counts = bench.counts();
        request = bench.ints(ROWS);
        position = bench.ints(ROWS);
        table = bench.ints(2);
        key = bench.floats(ROWS * WIDTH);
        MemorySegment memory = bench.slab((long) BLOCKS * blockBytes);
        expected = bench.copy(memory);
        slab = bench.longs(memory);
    }

    static KernelCheck of(CheckBench bench, KvDtype type) {
        KeyWriteCheck c = new KeyWriteCheck(bench, type);
        int wordBytes = type == KvDtype.FP32 ? Float.BYTES : Long.BYTES;
        var shape = new IndexKeyWrite.Shape(ROWS, WIDTH, 1, PAGES, ANCHORS, c.blockBytes / wordBytes);
        FloatArray e = bench.exponents;
        IntArray anchor = bench.arrays.intsOf(ANCHOR, ANCHORS, c.blockBytes / Long.BYTES);
        FloatArray floats = type == KvDtype.FP32 ? bench.arrays.floatsOf(c.slab) : e;
        var piece = GraphWrites.keys(
                type, shape, c.counts, c.request, c.position, c.table, c.key, e, anchor, c.slab, floats);
        String variant = CacheFormat.word(type);
        return KernelCheck.of(
                IndexKeyWrite.class,
                variant,
                1,
                piece,
                c,
                c.counts,
                c.request,
                c.position,
                c.table,
                c.key,
                e,
                anchor,
                c.slab,
                floats);
    }

    @Override
    public void send(CheckRound round) {
        int rows = round.counts(counts, ROWS);
        int[] blocks = {3 - round.number() % 2, 1 + round.number() % 2};
        int first = Block.TOKENS + 2 * round.number();
        round.send(table, blocks);
        round.send(request, 1, 1, rows == ROWS ? 0 : -1);
        round.send(position, first, first + 1, first);
        float[] values = round.values(key, rows * WIDTH, WIDTH);
        for (int t = 0; t < rows; t++) {
            int slot = (t == 1 ? first + 1 : first) % Block.TOKENS;
            format.write(values, t * WIDTH, expected, page(blocks[t < 2 ? 1 : 0]), slot);
        }
        if (rows == ROWS && type == KvDtype.FP8) {
            clearNeighbour(page(blocks[0]), first % Block.TOKENS);
        }
        round.expect(slab, expected);
    }

    /** Where the second page of a block begins. */
    private long page(int block) {
        return (long) block * blockBytes + (ANCHORS + ANCHOR) * (long) format.pageBytes();
    }

    /** The scale behind that of an even slot is zero until its own token comes. */
    private void clearNeighbour(long page, int slot) {
        long scales = page + (long) Block.TOKENS * format.valueBytes();
        expected.asSlice(scales + (slot + 1) * (long) Float.BYTES, Float.BYTES).fill((byte) 0);
    }
}
