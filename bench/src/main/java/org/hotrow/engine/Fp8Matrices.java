package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.bench.Floor;
import org.hotrow.engine.lanes.MatrixPacker;
import org.hotrow.engine.lanes.PackedMatrix;
import org.hotrow.modelloader.Fp8;

/** Block FP8 matrices of one shape, one after the other, so many that none is in a cache when its turn comes. */
final class Fp8Matrices implements AutoCloseable {
    /** All codes but NaN, 0x7F with either sign. */
    private static final int CODES = 0x7F;

    private final Arena arena = Arena.ofShared();
    private final List<PackedMatrix> matrices = new ArrayList<>();
    private final int rows;
    private final int cols;
    private int next;

    /**
     * @param shape rows x columns
     * @param bytes of all of them at least
     */
    Fp8Matrices(String shape, long bytes, SplittableRandom random) {
        int x = shape.indexOf('x');
        rows = Integer.parseInt(shape.substring(0, x));
        cols = Integer.parseInt(shape.substring(x + 1));
        MemorySegment codes = codes(random);
        MatrixPacker packer = new MatrixPacker(arena);
        for (long i = 0; i < Math.ceilDiv(bytes, codes.byteSize()); i++) {
            matrices.add(packer.packE4m3(
                    rows,
                    cols,
                    0,
                    (row, block) -> 1f / (1 + row + block),
                    (first, count, to) -> to.copyFrom(codes.asSlice((long) first * cols, (long) count * cols))));
        }
    }

    /** Random codes, which all matrices share: each has its own copy. */
    private MemorySegment codes(SplittableRandom random) {
        byte[] codes = new byte[rows * cols];
        for (int i = 0; i < codes.length; i++) {
            int sign = random.nextInt() & 0x80;
            codes[i] = (byte) (sign | random.nextInt(CODES));
        }
        return MemorySegment.ofArray(codes);
    }

    private int scales() {
        return Math.ceilDiv(rows, Fp8.BLOCK) * Math.ceilDiv(cols, Fp8.BLOCK);
    }

    int rows() {
        return rows;
    }

    int cols() {
        return cols;
    }

    /** The one whose turn it is. */
    PackedMatrix next() {
        next = (next + 1) % matrices.size();
        return matrices.get(next);
    }

    /** One of them, read once, by {@code tokens} rows. */
    Floor floor(long tokens) {
        return new Floor((long) rows * cols + 4L * scales(), tokens * rows * cols);
    }

    @Override
    public void close() {
        arena.close();
    }
}
