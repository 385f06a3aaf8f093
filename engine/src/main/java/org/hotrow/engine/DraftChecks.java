package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hotrow.kernels.tornado.GuessDrop;
import org.hotrow.kernels.tornado.RowCopy;
import org.hotrow.kernels.tornado.RowJoin;
import org.hotrow.kernels.tornado.RowResolver;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Checks of the kernels that drafts need. */
final class DraftChecks {
    private static final int ROWS = 3;
    private static final int ALL_ROWS = 5;
    private static final int WIDTH = 37;

    private DraftChecks() {}

    static List<KernelCheck> all(CheckBench bench) {
        return List.of(take(bench), takeInts(bench), keep(bench), keepInts(bench), join(bench), guessDrop(bench));
    }

    private static RowCopy.Shape shape() {
        return new RowCopy.Shape(ROWS, ALL_ROWS, WIDTH);
    }

    /** Rows from the last one down. */
    private static int[] rows(CheckRound round) {
        return new int[] {ALL_ROWS - 1, ALL_ROWS - 2 - round.number() % 2, 0};
    }

    private static int first(CheckRound round, IntArray counts) {
        int[] all = new int[counts.getSize()];
        all[StepArrays.ROWS] = round.rows(ROWS);
        all[StepArrays.FIRST_ROW] = 1 + round.number() % 2;
        round.send(counts, all);
        return all[StepArrays.FIRST_ROW];
    }

    private static KernelCheck take(CheckBench bench) {
        IntArray counts = bench.counts();
        IntArray row = bench.ints(ROWS);
        FloatArray all = bench.floats(ALL_ROWS * WIDTH);
        FloatArray out = bench.floats(ROWS * WIDTH);
        return KernelCheck.of(
                RowCopy.class,
                "take",
                1,
                (graph, grids, task) -> RowCopy.appendTake(graph, grids, task, counts, row, all, out, shape()),
                round -> {
                    round.send(row, rows(round));
                    float[] from = round.values(all, ALL_ROWS * WIDTH);
                    float[] expected = round.poison(out);
                    RowCopy.referenceTake(round.counts(counts, ROWS), WIDTH, rows(round), from, expected);
                    round.expect(out, expected, 0);
                },
                counts,
                row,
                all,
                out);
    }

    private static KernelCheck takeInts(CheckBench bench) {
        IntArray counts = bench.counts();
        IntArray row = bench.ints(ROWS);
        IntArray all = bench.ints(ALL_ROWS * WIDTH);
        IntArray out = bench.ints(ROWS * WIDTH);
        return KernelCheck.of(
                RowCopy.class,
                "take ints",
                1,
                (graph, grids, task) -> RowCopy.appendTake(graph, grids, task, counts, row, all, out, shape()),
                round -> {
                    round.send(row, rows(round));
                    int[] from = round.random().ints(ALL_ROWS * WIDTH).toArray();
                    round.send(all, from);
                    int[] expected = round.poison(out);
                    RowCopy.referenceTake(round.counts(counts, ROWS), WIDTH, rows(round), from, expected);
                    round.expect(out, expected);
                },
                counts,
                row,
                all,
                out);
    }

    private static KernelCheck keep(CheckBench bench) {
        IntArray counts = bench.counts();
        FloatArray x = bench.floats(ROWS * WIDTH);
        FloatArray all = bench.floats(ALL_ROWS * WIDTH);
        return KernelCheck.of(
                RowCopy.class,
                "keep",
                1,
                (graph, grids, task) -> RowCopy.appendKeep(graph, grids, task, counts, x, all, shape()),
                round -> {
                    int rows = round.rows(ROWS);
                    float[] from = round.values(x, rows * WIDTH);
                    float[] expected = round.poison(all);
                    RowCopy.referenceKeep(rows, WIDTH, first(round, counts), from, expected);
                    round.expect(all, expected, 0);
                },
                counts,
                x,
                all);
    }

    private static KernelCheck keepInts(CheckBench bench) {
        IntArray counts = bench.counts();
        IntArray x = bench.ints(ROWS * WIDTH);
        IntArray all = bench.ints(ALL_ROWS * WIDTH);
        return KernelCheck.of(
                RowCopy.class,
                "keep ints",
                1,
                (graph, grids, task) -> RowCopy.appendKeep(graph, grids, task, counts, x, all, shape()),
                round -> {
                    int[] from = round.random().ints(ROWS * WIDTH).toArray();
                    round.send(x, from);
                    int[] expected = round.poison(all);
                    RowCopy.referenceKeep(round.rows(ROWS), WIDTH, first(round, counts), from, expected);
                    round.expect(all, expected);
                },
                counts,
                x,
                all);
    }

    private static KernelCheck join(CheckBench bench) {
        var shape = new RowJoin.Shape(ROWS, WIDTH);
        IntArray counts = bench.counts();
        FloatArray left = bench.floats(ROWS * WIDTH);
        FloatArray right = bench.floats(ROWS * WIDTH);
        FloatArray out = bench.floats(2 * ROWS * WIDTH);
        return KernelCheck.of(
                RowJoin.class,
                "",
                1,
                (graph, grids, task) -> RowJoin.append(graph, grids, task, counts, left, right, out, shape),
                round -> {
                    int rows = round.counts(counts, ROWS);
                    float[] expected = round.poison(out);
                    RowJoin.reference(
                            rows, WIDTH, round.values(left, rows * WIDTH), round.values(right, rows * WIDTH), expected);
                    round.expect(out, expected, 0);
                },
                counts,
                left,
                right,
                out);
    }

    /** A token with one or two guesses, of which more are done each round. */
    private static KernelCheck guessDrop(CheckBench bench) {
        var shape = new RowResolver.Shape(ROWS, 5, 2, 1, 4, 1, 11);
        IntArray positions = bench.ints(ROWS * shape.k());
        IntArray request = bench.ints(ROWS);
        IntArray span = bench.ints(2);
        RowResolver.Loads loads = bench.arrays.adopt(RowResolver.Loads.of(shape));
        IntArray guess = bench.ints(ROWS);
        IntArray fresh = bench.ints(ROWS);
        long[] counted = new long[ROWS * GuessDrop.COUNTERS];
        LongArray unions = bench.arrays.adopt(LongArray.fromArray(counted));
        return KernelCheck.of(
                GuessDrop.class,
                "",
                2,
                (graph, grids, task) -> GuessDrop.append(
                        graph, grids, task, shape, positions, request, span, loads, guess, fresh, unions),
                round -> {
                    int rows = round.rows(ROWS);
                    int[] selected = {0, 2, 4, 6, -1, 1, 2, 3, round.number() + 4, 20, 3, 4, 30, -1, -1};
                    int[] found = new int[loads.found().getSize()];
                    found[RowResolver.DONE] = 1 + round.number();
                    int[] seats = {1, 1, rows == ROWS ? 1 : -1};
                    int[] guesses = {0, GuessDrop.GUESS, rows == ROWS ? GuessDrop.GUESS : 0};
                    round.send(positions, selected);
                    round.send(span, 0, rows);
                    round.send(loads.found(), found);
                    round.send(request, seats);
                    round.send(guess, guesses);
                    round.poison(fresh);
                    GuessDrop.reference(0, rows, shape.k(), selected, found, seats, guesses, counted);
                    round.expect(request, seats);
                    round.expect(guess, guesses);
                    round.expect(unions, MemorySegment.ofArray(counted.clone()));
                },
                positions,
                request,
                span,
                loads,
                guess,
                fresh,
                unions);
    }
}
