package org.hotrow.kernels.tornado;

import org.hotrow.kernels.tornado.RowResolver.Loads;
import org.hotrow.kernels.tornado.RowResolver.Shape;
import org.hotrow.kernels.tornado.RowResolver.State;
import org.hotrow.kernels.tornado.RowResolver.Step;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * {@link RowResolver} where the slots of the lowest index scores make room: each has a value, as
 * {@link org.hotrow.kernels.HotSlots} has it, which with {@link org.hotrow.kernels.Resolve} is the plain reference.
 *
 * <pre>
 * scores      [tokens][most tokens]    bits of f32, as {@link IndexScores} leaves them: none of a token with no more than
 *                                      k positions
 * position    [tokens]                 scores reach so far
 * values      [seats][units][slots]    bits of f32; stays on the device; loaded +Infinity, empty -Infinity
 * threshold   [seats][2]               scratch: a key, and how many slots of that key make room
 * </pre>
 *
 * The scores that count are those of a request's first token in the span: its tokens share the region. A unit whose
 * positions come from elsewhere is resolved by the values of before.
 *
 * <p>Floor, bytes, beside the resolver's: per slot of a request with scores 12 (score, value read and written). What is
 * read again, to choose and to make room, is in the cache. Sectors of scores are used below 80 %: positions lie anywhere.
 */
public final class ScoredResolver {
    private ScoredResolver() {}

    /**
     * What the indexer says.
     *
     * @param exponents of {@link Exponents}
     * @param mostTokens positions that a token's scores have room for
     */
    public record Scores(IntArray bits, IntArray position, FloatArray exponents, int mostTokens) {}

    /** What stays on the device beside {@link State}. */
    public record Slots(IntArray values, IntArray threshold) {
        /** Of empty regions. */
        public static Slots of(Shape shape) {
            IntArray values = new IntArray(shape.seats() * shape.units() * shape.slots());
            values.init(HotScores.EMPTY);
            return new Slots(values, new IntArray(2 * shape.seats()));
        }

        /** Its bytes. */
        public static long bytes(Shape shape) {
            return 4L * shape.seats() * ((long) shape.units() * shape.slots() + 2);
        }
    }

    /** Bytes that DRAM must move beside those of the resolver. */
    public static long floorBytes(Shape shape, int requests) {
        return 12L * requests * shape.slots();
    }

    /** Adds the kernel that empties regions to the graph, once a step, beside {@link RowResolver#appendReset}. */
    public static TaskGraph appendReset(
            TaskGraph graph, GridScheduler grids, String task, Shape shape, IntArray resetSeat, Slots of) {
        Grids.groups(graph, grids, task, resetSeat.getSize() * shape.units(), 1, HotScores.RESET_ITEMS);
        return graph.task(task, HotScores::reset, Grids.CONTEXT, resetSeat, of.values, shape.units(), shape.slots());
    }

    /** Adds the kernel that takes note of an anchor's scores to the graph, before its {@link #append}. */
    public static TaskGraph appendScore(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            int items,
            Scores scores,
            IntArray unit,
            Step step,
            State state,
            Slots of) {
        Grids.groups(graph, grids, task, shape.tokens(), 1, items);
        return graph.task(
                task,
                HotScores::score,
                Grids.CONTEXT,
                scores.bits,
                scores.position,
                step.request(),
                step.span(),
                step.hotTable(),
                unit,
                state.positionOf(),
                scores.exponents,
                of.values,
                scores.mostTokens,
                shape.k(),
                shape.hotBlocks(),
                shape.slots(),
                shape.units(),
                items);
    }

    /**
     * As {@link RowResolver#append}, with {@code task-choose} before {@code -make-room}.
     *
     * @param items work-items of a group, 32 or more
     */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            int items,
            IntArray positions,
            IntArray unit,
            Step step,
            State state,
            Slots of,
            IntArray rows,
            Loads loads) {
        if (items < HotScores.PARTS) {
            throw new IllegalArgumentException(
                    "groups of " + items + " work-items, expected " + HotScores.PARTS + " or more");
        }
        RowResolver.appendFind(graph, grids, task, shape, items, positions, unit, step, state, rows, loads);
        Grids.groups(graph, grids, task + "-choose", shape.tokens(), 1, items);
        Grids.groups(graph, grids, task + "-make-room", shape.tokens(), 1, items);
        graph.task(
                        task + "-choose",
                        HotScores::choose,
                        Grids.CONTEXT,
                        step.request(),
                        unit,
                        of.values,
                        of.threshold,
                        state.scratch(),
                        loads.found(),
                        shape.slots(),
                        shape.units(),
                        items)
                .task(
                        task + "-make-room",
                        HotScores::makeRoom,
                        Grids.CONTEXT,
                        step.request(),
                        step.span(),
                        unit,
                        state.order(),
                        of.values,
                        of.threshold,
                        state.scratch(),
                        loads.found(),
                        shape.slots(),
                        shape.units(),
                        items);
        return RowResolver.appendPlace(graph, grids, task, shape, items, positions, unit, step, state, rows, loads);
    }
}
