package org.hotrow.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.hotrow.kernels.HotSlots;
import org.hotrow.kernels.Misses;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.Resolve;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The plain resolver at production sizes: 2,048 selected positions, none resident, in a hot region of 4,096 rows, with the
 * misses of {@link MissRates}' selections. With scores, taking note of them is part of it. The floor is the tables' bytes
 * that one call reads and writes.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ResolveBenchmark extends FloorBenchmark {
    private static final int K = 2048;
    private static final int HOT = 4096;
    private static final int PAGES = 520;
    private static final int STEPS = 300;

    @Param({"LRU", "SCORE"})
    public Replacement replacement = Replacement.LRU;

    private final int[][] selections = new int[STEPS][];
    private final float[][] scores = new float[STEPS][];
    private final int[] rows = new int[K];
    private final Misses misses = new Misses();
    private HotSlots hot = new HotSlots(1, 1, 0);
    private Resolve resolve = resolver(hot);
    private int next;

    private static Resolve resolver(HotSlots hot) {
        int[] hostTable = new int[PAGES];
        Arrays.setAll(hostTable, page -> page + 1);
        int[] hotTable = new int[HOT / 64];
        Arrays.setAll(hotTable, block -> block + 1);
        return new Resolve(hot, new int[PAGES], hostTable, PAGES, hotTable, hotTable.length);
    }

    /** Draws the selections and fills the region. */
    @Setup(Level.Trial)
    public void draw() {
        hot = new HotSlots(1, 1, HOT, replacement);
        resolve = resolver(hot);
        SelectionStream stream = new SelectionStream(MissRates.LOCALITY, K, PAGES * 64 - STEPS, STEPS, 1);
        for (int step = 0; step < STEPS; step++) {
            selections[step] = stream.next();
            scores[step] = stream.scores();
            resolve();
        }
        int perPosition = 3 * Integer.BYTES;
        int perSlot = (replacement == Replacement.SCORE ? 6 : 3) * Integer.BYTES;
        FloorProfiler.declare(new Floor((long) K * perPosition + (long) HOT * perSlot, 0));
    }

    /** One selection of one unit. */
    @Benchmark
    public int resolve() {
        misses.clear();
        if (replacement == Replacement.SCORE) {
            hot.score(0, 0, scores[next], 0, scores[next].length);
        }
        resolve.resolve(0, 0, selections[next], 0, K, rows, 0, misses);
        next = (next + 1) % STEPS;
        return misses.count();
    }
}
