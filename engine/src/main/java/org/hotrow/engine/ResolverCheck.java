package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.HotSlots;
import org.hotrow.kernels.Misses;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.Resolve;
import org.hotrow.kernels.tornado.RowResolver;
import org.hotrow.kernels.tornado.RowResolver.Loads;
import org.hotrow.kernels.tornado.RowResolver.Shape;
import org.hotrow.kernels.tornado.RowResolver.State;
import org.hotrow.kernels.tornado.RowResolver.Step;
import org.hotrow.kernels.tornado.ScoredResolver;
import org.hotrow.kernels.tornado.ScoredResolver.Scores;
import org.hotrow.kernels.tornado.ScoredResolver.Slots;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The checks of the resolver, where the least recently used rows make room and where those of the lowest scores do: rounds
 * build on each other, on the device and on the plain resolver beside it.
 */
final class ResolverCheck implements KernelCheck.Inputs {
    private static final int TASKS = 1 + 7;
    private static final int SCORED_TASKS = TASKS + 3;
    private static final int ITEMS = 64;
    private static final int UNIT = 1;
    private static final int[] HOST_TABLE = {3, 4, 5, 6, 2, 1, 8, 7};
    private static final int[] HOT_TABLE = {9, 10};

    private final Shape shape = new Shape(3, 5, 2, 2, 4, 1, 11);
    private final IntArray positions;
    private final IntArray rows;
    private final IntArray resetSeat;
    private final IntArray unit;
    private final Step step;
    private final State state;
    private final Loads loads;
    private final HotSlots hot;
    private final MemorySegment counters;
    private final Scores scores;
    private final Slots slots;

    private ResolverCheck(CheckBench bench, Replacement replacement) {
        hot = new HotSlots(shape.seats(), shape.units(), shape.slots(), replacement);
        int most = shape.pages() * Block.TOKENS;
        scores = new Scores(bench.ints(shape.tokens() * most), bench.ints(shape.tokens()), bench.exponents, most);
        slots = bench.arrays.adopt(Slots.of(shape));
        positions = bench.ints(shape.tokens() * shape.k());
        rows = bench.ints(shape.tokens() * shape.k());
        resetSeat = bench.ints(shape.seats());
        unit = bench.arrays.intsOf(UNIT);
        int pages = shape.seats() * shape.pages();
        step = new Step(
                bench.ints(shape.tokens()),
                bench.ints(2),
                bench.ints(pages),
                bench.ints(pages),
                bench.ints(shape.seats() * shape.hotBlocks()));
        state = bench.arrays.adopt(State.of(shape));
        Loads sizes = Loads.of(shape);
        loads = new Loads(
                bench.ints(sizes.host().getSize()),
                bench.ints(sizes.row().getSize()),
                bench.ints(sizes.count().getSize()),
                bench.ints(sizes.found().getSize()));
        counters = bench.slab((long) shape.units() * RowResolver.COUNTERS * Long.BYTES)
                .fill((byte) 0);
    }

    static KernelCheck of(CheckBench bench) {
        ResolverCheck check = new ResolverCheck(bench, Replacement.LRU);
        return KernelCheck.of(
                RowResolver.class,
                "",
                TASKS,
                (graph, grids, task) -> {
                    RowResolver.appendReset(graph, grids, task + "-reset", check.shape, check.resetSeat, check.state);
                    RowResolver.append(
                            graph,
                            grids,
                            task,
                            check.shape,
                            ITEMS,
                            check.positions,
                            check.unit,
                            check.step,
                            check.state,
                            check.rows,
                            check.loads);
                },
                check,
                check.positions,
                check.unit,
                check.resetSeat,
                check.step,
                check.state,
                check.rows,
                check.loads);
    }

    static KernelCheck scored(CheckBench bench) {
        ResolverCheck check = new ResolverCheck(bench, Replacement.SCORE);
        return KernelCheck.of(
                ScoredResolver.class,
                "",
                SCORED_TASKS,
                check::appendScored,
                check,
                check.positions,
                check.unit,
                check.resetSeat,
                check.step,
                check.state,
                check.scores,
                check.slots,
                check.rows,
                check.loads);
    }

    private void appendScored(TaskGraph graph, GridScheduler grids, String task) {
        RowResolver.appendReset(graph, grids, task + "-reset", shape, resetSeat, state);
        ScoredResolver.appendReset(graph, grids, task + "-resetValues", shape, resetSeat, slots);
        ScoredResolver.appendScore(graph, grids, task + "-score", shape, ITEMS, scores, unit, step, state, slots);
        ScoredResolver.append(graph, grids, task, shape, ITEMS, positions, unit, step, state, slots, rows, loads);
    }

    /** Two requests, of which one has two tokens now and then, and one begins anew. */
    @Override
    public void send(CheckRound round) {
        int tokens = round.rows(shape.tokens());
        int[] seats = {1, round.number() / 2 % 2, tokens == shape.tokens() ? 0 : -1};
        int[] blocks = {0, 5, 0, 0, 7, 0, 0, 6 + 3 * (round.number() % 2)};
        int reset = round.number() == 2 ? 1 : -1;
        round.send(step.request(), seats);
        round.send(step.span(), 0, tokens);
        round.send(step.blockTable(), blocks);
        round.send(step.hostTable(), HOST_TABLE);
        round.send(step.hotTable(), HOT_TABLE);
        round.send(resetSeat, -1, reset);
        if (reset >= 0) {
            hot.reset(reset);
        }
        if (hot.replacement() == Replacement.SCORE) {
            score(round, seats, tokens);
        }
        int[] chosen = chosen(round);
        round.send(positions, chosen);
        int[] expected = round.poison(rows);
        Misses misses = resolve(seats, tokens, blocks, chosen, expected);
        round.expect(rows, expected);
        expect(round, misses);
    }

    /** Scores of the first token of each request count. */
    private void score(CheckRound round, int[] seats, int tokens) {
        int most = scores.mostTokens();
        int[] position = {most - 7, most - 1, most / 2};
        int[] bits = new int[shape.tokens() * most];
        float[] values = new float[bits.length];
        for (int i = 0; i < bits.length; i++) {
            values[i] = round.random().nextInt(40) / 8f - 2;
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        round.send(scores.position(), position);
        round.send(scores.bits(), bits);
        for (int t = 0; t < tokens; t++) {
            if (t == 0 || seats[t - 1] != seats[t]) {
                hot.score(seats[t], UNIT, values, t * most, position[t] + 1);
            }
        }
    }

    /** Few different ones, so that some are found again. */
    private int[] chosen(CheckRound round) {
        int[] chosen = new int[shape.tokens() * shape.k()];
        Arrays.fill(chosen, -1);
        for (int t = 0; t < shape.tokens(); t++) {
            int[] some = round.random()
                    .ints(0, 16)
                    .map(i -> 16 * i)
                    .distinct()
                    .limit(shape.k() - t)
                    .sorted()
                    .toArray();
            System.arraycopy(some, 0, chosen, t * shape.k(), some.length);
        }
        return chosen;
    }

    /** By the plain resolver, one call for all tokens of a request. */
    private Misses resolve(int[] seats, int tokens, int[] blocks, int[] chosen, int[] expected) {
        int k = shape.k();
        Misses misses = new Misses();
        Resolve plain = new Resolve(hot, blocks, HOST_TABLE, shape.pages(), HOT_TABLE, shape.hotBlocks());
        for (int t = 0; t < tokens; ) {
            int end = t + 1;
            while (end < tokens && seats[end] == seats[t]) {
                end++;
            }
            plain.resolve(seats[t], UNIT, chosen, t * k, (end - t) * k, expected, t * k, misses);
            t = end;
        }
        return misses;
    }

    private void expect(CheckRound round, Misses misses) {
        int[] host = round.poison(loads.host());
        int[] row = round.poison(loads.row());
        round.poison(loads.count());
        round.poison(loads.found());
        for (int m = 0; m < misses.count(); m++) {
            host[m] = misses.hostRow(m);
            row[m] = misses.row(m);
        }
        round.expect(loads.host(), host);
        round.expect(loads.row(), row);
        round.expect(loads.count(), misses.count());
        add(RowResolver.LOOKUPS, misses.lookups());
        add(RowResolver.LOADS, misses.count());
        round.expect(state.counters(), counters);
    }

    private void add(int counter, long count) {
        int at = UNIT * RowResolver.COUNTERS + counter;
        counters.setAtIndex(ValueLayout.JAVA_LONG, at, counters.getAtIndex(ValueLayout.JAVA_LONG, at) + count);
    }
}
