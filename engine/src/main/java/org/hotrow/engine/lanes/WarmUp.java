package org.hotrow.engine.lanes;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * Runs every loop of a provider until it is compiled. How that shows: a loop of the Vector API allocates its vectors as
 * objects while it is interpreted, and nothing once the optimising compiler has it.
 */
final class WarmUp {
    private static final int ROWS = 11;
    private static final int WIDTH = 256;
    private static final int CALLS = 200;
    private static final int MOST_ROUNDS = 3_000;

    private final Lanes lanes;
    private final float[] a = values(ROWS * WIDTH);
    private final float[] b = values(ROWS * WIDTH);
    private final float[] out = new float[ROWS * WIDTH];
    private final float[] block = values(PackedMatrix.SEGMENT * Lanes.TILE);
    private final float[] room = new float[Lanes.ROOM];
    private final MemorySegment stored;
    private final List<PackedMatrix> matrices;

    private WarmUp(Lanes lanes, Arena memory) {
        this.lanes = lanes;
        stored = memory.allocate(4 * WIDTH, 64);
        MatrixPacker packer = new MatrixPacker(memory);
        matrices = List.of(
                packer.packE4m3(Lanes.TILE, WIDTH, 0, (row, segment) -> 1, (first, count, to) -> to.fill((byte) 0x38)),
                packer.pack(Packing.BF16, Lanes.TILE, WIDTH, (first, count, to) -> to.fill((byte) 0x3F)),
                packer.pack(Packing.F32, Lanes.TILE, WIDTH, (first, count, to) -> to.fill((byte) 0x3F)));
    }

    private static float[] values(int n) {
        float[] values = new float[n];
        Arrays.fill(values, 0.5f);
        return values;
    }

    /** Whether all loops of {@code lanes} are compiled now; false if the compiler didn't get to it in many rounds. */
    static boolean run(Lanes lanes) {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) {
            return true;
        }
        try (Arena memory = Arena.ofShared()) {
            WarmUp warmUp = new WarmUp(lanes, memory);
            for (Runnable loop : warmUp.loops()) {
                if (!settles(loop, threads)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean settles(Runnable loop, ThreadMXBean threads) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                loop.run();
            }
            if (threads.getCurrentThreadAllocatedBytes() == before) {
                return true;
            }
        }
        return false;
    }

    private List<Runnable> loops() {
        return List.of(
                () -> products(1),
                () -> products(Lanes.FEW_ROWS),
                () -> products(ROWS),
                () -> lanes.dots(a, 0, 5, b, 0, 3, WIDTH, out, 0, 3, room),
                () -> lanes.e4m3(stored, 0, WIDTH, 0.5f, out, 0),
                () -> lanes.bf16(stored, 0, WIDTH, out, 0),
                () -> lanes.exp(out, 0, lanes.max(a, 0, WIDTH) + lanes.sum(a, 0, WIDTH), WIDTH),
                () -> lanes.swiglu(a, 0, b, 0, out, 0, WIDTH),
                () -> lanes.weightedRelu(a, WIDTH, ROWS, b, 0, out, 0, WIDTH),
                () -> lanes.addScaled(lanes.dot(a, 0, b, 0, WIDTH), a, 0, out, 0, WIDTH),
                () -> lanes.add(a, 0, out, 0, WIDTH),
                () -> lanes.scale(a, 0, 0.5f, out, 0, WIDTH),
                () -> lanes.scale(a, 0, 0.5f, b, out, 0, WIDTH));
    }

    private void products(int rows) {
        for (PackedMatrix matrix : matrices) {
            for (int s = 0; s < matrix.segments(); s++) {
                if (rows <= Lanes.FEW_ROWS) {
                    lanes.decodeTile(matrix, 0, s, a, 0, WIDTH, rows, out, 0);
                } else {
                    int n = PackedMatrix.SEGMENT;
                    lanes.decode(matrix, 0, s, block);
                    lanes.tile(block, 0, Lanes.TILE, n, a, 0, WIDTH, rows, out, 0, Lanes.TILE);
                    lanes.addTiles(out, rows, matrix.scales(), matrix.scaleAt(0, s), b);
                }
            }
        }
    }
}
