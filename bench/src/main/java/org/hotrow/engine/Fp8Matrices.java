package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.bench.Floor;
import org.hotrow.engine.lanes.MatrixPacker;
import org.hotrow.engine.lanes.PackedMatrix;
import org.hotrow.kernels.E4m3;
import org.hotrow.modelloader.Fp8;

/** Block FP8 matrices of one shape, one after the other, so many that none is in a cache when its turn comes. */
final class Fp8Matrices implements AutoCloseable {
    /**
     * A standard deviation of the weights: in a block of 128 x 128 the largest, which becomes 448, is about four of them.
     * So one code in 8,000 is subnormal, as in checkpoints. Of codes drawn evenly one in 18 would be, and cost some
     * processors a hundred cycles.
     */
    private static final float DEVIATION = 448 / 4f;

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

    /** Codes of normally distributed weights, which all matrices share: each has its own copy. */
    private MemorySegment codes(SplittableRandom random) {
        byte[] codes = new byte[rows * cols];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = E4m3.encode((float) random.nextGaussian() * DEVIATION);
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
