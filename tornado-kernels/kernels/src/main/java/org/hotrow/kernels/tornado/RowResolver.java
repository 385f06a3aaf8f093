package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Finds the device rows of selected positions, for the layers of one unit, and lists the rows that must be loaded.
 *
 * <pre>
 * positions   [tokens][k]               selected, -1 masked; no list has a position twice
 * request     [tokens]                  seat; the tokens of a request are neighbours; padding -1
 * span        {first, end}              the tokens of this call
 * unit        {unit}
 * blockTable  [seats][pages]            0 = lost
 * hostTable   [seats][pages]            0 = no completed copy
 * hotTable    [seats][hot blocks]       0 = no hot region
 *
 * rows        [tokens][k]               row ids of the span's tokens; -1 masked
 * missHost    [capacity]                host row of each load: page * 64 + offset
 * missRow     [capacity]                its device row
 * missCount   {loads}                   in the order of Misses
 * found       [tokens][4]               lookups; of a request's first token also loads, tokens done, faults
 * counters    [units][3]                lookups, loads, faults, summed over all calls
 *
 * positionOf  [seats][units][slots]     stays on the device; -1 = empty
 * order       [seats][units][slots]     stays on the device; the least recently used slot first
 * slotOf      [seats][pages * 64]       scratch, 0 before and after
 * scratch     [seats][4][slots]
 * </pre>
 *
 * If the union of a request's selections that aren't resident is larger than its region, {@code found} says how many of
 * its tokens are done; the rows of the others are -1, and another call has to take them. A position that is nowhere, or
 * would need a hot region that the request doesn't have, is a fault: it is counted and its row is -1 or not loaded.
 *
 * <p>Floor, bytes: per entry 12 (position, page's block, row); per slot of a request that has lost pages 12 (position,
 * order read and written); per load 16 (the slot's new position, page's host page, both rows). Between the kernels: per
 * slot 12 (map, use, new order), per load 16 (map read and written, slot, position). Sectors are used below 80 %: what is
 * looked up by position or slot lies anywhere, 4 bytes of a sector, and items take neighbours in turn.
 *
 * <p>The least recently used slots make room; with {@link HotScores} those of the lowest index scores.
 */
public final class RowResolver {
    /** Where {@code found} of a request's first token has how many of its tokens are done. */
    public static final int DONE = HotResolve.DONE;

    /** Entries of {@code counters}, for each unit. */
    public static final int COUNTERS = 3;

    public static final int LOOKUPS = 0;

    public static final int LOADS = 1;
    public static final int FAULTS = 2;

    private static final int PAGE = 64;
    private static final int RESET_ITEMS = 256;

    private RowResolver() {}

    /**
     * Sizes that don't change.
     *
     * @param tokens most tokens of a step
     * @param pages pages of a request
     * @param slots rows of a hot region
     */
    public record Shape(int tokens, int k, int seats, int units, int pages, int hotBlocks, int slots) {
        /** Refuses what the kernels can't index. */
        public Shape {
            if (k < 1 || k >= 1 << 15 || slots < 1 || slots > (long) hotBlocks * PAGE || tokens < 1 || seats < 1) {
                throw new IllegalArgumentException("row resolver of " + tokens + " tokens, top " + k + ", " + slots
                        + " slots in " + hotBlocks + " blocks: expected top 1 to 32767, slots that the blocks hold");
            }
            Elements.count("hot slots", seats, units, slots);
            Elements.count("positions", seats, pages, PAGE);
            Elements.count("scratch", seats, HotResolve.SCRATCH, slots);
            Elements.count("selected rows", tokens, k);
        }

        /** Most loads of a call. */
        public int capacity() {
            return Elements.count("loads", Math.min(seats, tokens), slots);
        }

        /**
         * Bytes that DRAM must move.
         *
         * @param entries selected positions
         * @param requests those that have lost pages
         */
        public long floorBytes(int entries, int requests, int loads) {
            return 12L * entries + 12L * requests * slots + 16L * loads;
        }

        /** Bytes between the kernels of a unit. */
        public long scratchBytes(int requests, int loads) {
            return 12L * requests * slots + 16L * loads;
        }

        /** Bytes of {@link Loads}. */
        public long loadBytes() {
            return 4L * (2L * capacity() + 1 + (long) tokens * HotResolve.FOUND);
        }

        /** Bytes of what stays on the device, scratch included. */
        public long deviceBytes() {
            return 4L * seats * ((2L * units + HotResolve.SCRATCH) * slots + (long) pages * PAGE);
        }
    }

    /** What changes with the step. */
    public record Step(IntArray request, IntArray span, IntArray blockTable, IntArray hostTable, IntArray hotTable) {}

    /** What stays on the device from step to step. */
    public record State(IntArray positionOf, IntArray order, IntArray slotOf, IntArray scratch, LongArray counters) {
        /** Empty regions. */
        public static State of(Shape shape) {
            int slots = shape.seats * shape.units * shape.slots;
            State state = new State(
                    new IntArray(slots),
                    new IntArray(slots),
                    new IntArray(shape.seats * shape.pages * PAGE),
                    new IntArray(shape.seats * HotResolve.SCRATCH * shape.slots),
                    new LongArray(shape.units * COUNTERS));
            for (int i = 0; i < slots; i++) {
                state.positionOf.set(i, -1);
                state.order.set(i, i % shape.slots);
            }
            state.slotOf.init(0);
            state.counters.init(0);
            return state;
        }
    }

    /** The loads of a call. */
    public record Loads(IntArray host, IntArray row, IntArray count, IntArray found) {
        /** Room for a shape. */
        public static Loads of(Shape shape) {
            return new Loads(
                    new IntArray(shape.capacity()),
                    new IntArray(shape.capacity()),
                    new IntArray(1),
                    new IntArray(shape.tokens * HotResolve.FOUND));
        }
    }

    /** A group for each entry of {@code resetSeat} and unit: an empty region, slots in order. */
    public static void reset(
            KernelContext context, IntArray resetSeat, IntArray positionOf, IntArray order, int units, int slots) {
        int seat = resetSeat.get(context.groupIdx / units);
        if (seat >= 0) {
            int region = (seat * units + context.groupIdx % units) * slots;
            for (int slot = context.localIdx; slot < slots; slot += RESET_ITEMS) {
                positionOf.set(region + slot, -1);
                order.set(region + slot, slot);
            }
        }
    }

    /** Adds {@link #reset} to the graph, once a step. */
    public static TaskGraph appendReset(
            TaskGraph graph, GridScheduler grids, String task, Shape shape, IntArray resetSeat, State state) {
        Grids.groups(graph, grids, task, resetSeat.getSize() * shape.units, 1, RESET_ITEMS);
        return graph.task(
                task,
                RowResolver::reset,
                Grids.CONTEXT,
                resetSeat,
                state.positionOf,
                state.order,
                shape.units,
                shape.slots);
    }

    /**
     * Adds the kernels of a unit to the graph: {@code task-look-up}, {@code -remember}, {@code -find}, {@code -make-room},
     * {@code -place}, {@code -list} and {@code -count}.
     *
     * @param items work-items of a group, a power of two
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
            IntArray rows,
            Loads loads) {
        appendFind(graph, grids, task, shape, items, positions, unit, step, state, rows, loads);
        Grids.groups(graph, grids, task + "-make-room", shape.tokens, 1, items);
        graph.task(
                task + "-make-room",
                HotResolve::makeRoom,
                Grids.CONTEXT,
                step.request,
                step.span,
                unit,
                state.order,
                state.scratch,
                loads.found,
                shape.slots,
                shape.units,
                items);
        return appendPlace(graph, grids, task, shape, items, positions, unit, step, state, rows, loads);
    }

    /** What comes before room is made. */
    static void appendFind(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            int items,
            IntArray positions,
            IntArray unit,
            Step step,
            State state,
            IntArray rows,
            Loads loads) {
        for (String kernel : new String[] {"look-up", "remember", "find"}) {
            Grids.groups(graph, grids, task + "-" + kernel, shape.tokens, 1, items);
        }
        KernelContext context = Grids.CONTEXT;
        graph.task(
                        task + "-look-up",
                        HotResolve::lookUp,
                        context,
                        positions,
                        step.request,
                        step.span,
                        step.blockTable,
                        rows,
                        loads.found,
                        shape.k,
                        shape.pages,
                        items)
                .task(
                        task + "-remember",
                        HotResolve::remember,
                        context,
                        step.request,
                        step.span,
                        unit,
                        state.positionOf,
                        state.slotOf,
                        state.scratch,
                        loads.found,
                        shape.pages,
                        shape.slots,
                        shape.units,
                        items)
                .task(
                        task + "-find",
                        HotResolve::find,
                        context,
                        positions,
                        step.request,
                        step.span,
                        step.hotTable,
                        state.slotOf,
                        state.scratch,
                        rows,
                        loads.found,
                        shape.k,
                        shape.pages,
                        shape.hotBlocks,
                        shape.slots,
                        items);
    }

    /** What comes after it. */
    static TaskGraph appendPlace(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            int items,
            IntArray positions,
            IntArray unit,
            Step step,
            State state,
            IntArray rows,
            Loads loads) {
        Grids.groups(graph, grids, task + "-place", shape.tokens, 1, items);
        Grids.groups(graph, grids, task + "-list", shape.tokens, 1, HotLoads.ITEMS);
        Grids.groups(graph, grids, task + "-count", 1, 1, HotLoads.ITEMS);
        KernelContext context = Grids.CONTEXT;
        return graph.task(
                        task + "-place",
                        HotResolve::place,
                        context,
                        positions,
                        step.request,
                        step.span,
                        step.hotTable,
                        unit,
                        state.positionOf,
                        state.slotOf,
                        state.scratch,
                        rows,
                        loads.found,
                        shape.k,
                        shape.pages,
                        shape.hotBlocks,
                        shape.slots,
                        shape.units,
                        items)
                .task(
                        task + "-list",
                        HotLoads::list,
                        context,
                        step.request,
                        step.span,
                        step.hostTable,
                        step.hotTable,
                        state.scratch,
                        loads.found,
                        loads.host,
                        loads.row,
                        loads.count,
                        shape.pages,
                        shape.hotBlocks,
                        shape.slots,
                        shape.tokens)
                .task(task + "-count", HotLoads::count, context, unit, loads.found, state.counters, shape.tokens);
    }
}
