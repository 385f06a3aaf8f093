package org.hotrow.engine;

import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.tornado.GuessDrop;
import org.hotrow.kernels.tornado.RowGather;
import org.hotrow.kernels.tornado.RowResolver;
import org.hotrow.kernels.tornado.ScoredResolver;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Hot regions on a device: for each unit, positions are resolved at its anchor and what is missed is loaded for all of its
 * layers at once.
 *
 * <p>A part of a step may have no more rows of a request than their selections surely fit the hot region, so no load
 * depends on what the host would have to read back. Rows of guesses may be more: from the first that doesn't fit they are
 * dropped, and no padding after that needs anything.
 */
final class GraphHotRows {
    private static final int ITEMS = 256;
    private static final int RESOLVE_TASKS = 7;
    private static final int SCORED_TASKS = 8;

    private final GraphSlabs slabs;
    private final DeviceArrays arrays;
    private final StepArrays all;
    private final GraphTables tables;
    private final List<Integer> anchors;
    private final int topK;
    private final RowResolver.State state;
    /** If rows of the lowest scores make room. */
    private final ScoredResolver.@Nullable Slots scored;

    private final long[] counters;
    private final int gatherGroups;

    /**
     * @param topK entries of a list
     * @param replacement which rows make room
     * @param gatherGroups groups of a launch that loads rows
     */
    GraphHotRows(
            StepArrays all,
            GraphTables tables,
            GraphSlabs slabs,
            DeviceArrays arrays,
            List<Integer> anchors,
            int topK,
            Replacement replacement,
            int gatherGroups) {
        this.slabs = slabs;
        this.arrays = arrays;
        this.all = all;
        this.tables = tables;
        this.anchors = anchors;
        this.topK = topK;
        this.gatherGroups = gatherGroups;
        state = arrays.adopt(RowResolver.State.of(shape(1)));
        scored = replacement == Replacement.SCORE ? arrays.adopt(ScoredResolver.Slots.of(shape(1))) : null;
        counters = new long[anchors.size() * RowResolver.COUNTERS];
    }

    private RowResolver.Shape shape(int maxRows) {
        return new RowResolver.Shape(
                maxRows,
                topK,
                all.maxSeqs,
                anchors.size(),
                all.maxPages,
                all.maxHotBlocks,
                all.maxHotBlocks * Block.TOKENS);
    }

    /** Rows of a request that a part of a step may have, if it has a hot region. */
    int rowsThatFit() {
        return Math.max(1, all.maxHotBlocks * Block.TOKENS / topK);
    }

    /** Room for the loads of a part of so many rows. */
    RowResolver.Loads loads(int maxRows) {
        return arrays.adopt(RowResolver.Loads.of(shape(maxRows)));
    }

    /** Empties the regions of seats that begin. */
    void recordReset(GraphRecorder recorder) {
        recorder.add(
                "reset",
                1,
                (graph, grids, task) -> RowResolver.appendReset(graph, grids, task, shape(1), tables.resetSeat, state),
                tables.resetSeat,
                state.positionOf(),
                state.order());
        ScoredResolver.Slots slots = scored;
        if (slots != null) {
            recorder.add(
                    "resetValues",
                    1,
                    (graph, grids, task) ->
                            ScoredResolver.appendReset(graph, grids, task, shape(1), tables.resetSeat, slots),
                    tables.resetSeat,
                    slots.values());
        }
    }

    /** Takes note of an anchor's scores, if they are asked for. */
    void recordScores(GraphRecorder recorder, GraphStep step, int anchor, ScoredResolver.Scores scores) {
        ScoredResolver.Slots slots = scored;
        if (slots == null) {
            return;
        }
        IntArray unit = arrays.intsOf(anchors.indexOf(anchor));
        RowResolver.Shape shape = shape(step.maxRows);
        RowResolver.Step of = stepOf(step);
        recorder.add(
                "scoreSlots",
                1,
                (graph, grids, task) ->
                        ScoredResolver.appendScore(graph, grids, task, shape, ITEMS, scores, unit, of, state, slots),
                scores.bits(),
                scores.position(),
                of.request(),
                of.span(),
                of.hotTable(),
                unit,
                state.positionOf(),
                scores.exponents(),
                slots.values());
    }

    private RowResolver.Step stepOf(GraphStep step) {
        return new RowResolver.Step(step.request, step.span, tables.block, tables.host, tables.hot);
    }

    /** Positions to rows, and the loads of the unit's layers. */
    void record(
            GraphRecorder recorder,
            GraphStep step,
            RowResolver.Loads loads,
            int anchor,
            IntArray positions,
            IntArray rows) {
        int number = anchors.indexOf(anchor);
        IntArray unit = arrays.intsOf(number);
        RowResolver.Shape shape = shape(step.maxRows);
        RowResolver.Step of = stepOf(step);
        ScoredResolver.Slots slots = scored;
        if (slots == null) {
            recorder.add(
                    "resolve",
                    RESOLVE_TASKS,
                    (graph, grids, task) -> RowResolver.append(
                            graph, grids, task, shape, ITEMS, positions, unit, of, state, rows, loads),
                    positions,
                    unit,
                    of,
                    state,
                    rows,
                    loads);
        } else {
            recorder.add(
                    "resolve",
                    SCORED_TASKS,
                    (graph, grids, task) -> ScoredResolver.append(
                            graph, grids, task, shape, ITEMS, positions, unit, of, state, slots, rows, loads),
                    positions,
                    unit,
                    of,
                    state,
                    slots,
                    rows,
                    loads);
        }
        GraphDrafts drafts = step.drafts;
        // The MTP layer has the last unit, and passes without guesses.
        if (drafts != null && number + 1 < anchors.size()) {
            recordDrop(recorder, step, drafts, loads, positions);
        }
        int end = end(number);
        int first = anchor;
        while (first < end && !slabs.windows().isEmpty()) {
            int layers = 1;
            while (first + layers < end
                    && slabs.geometry().slabOf(first + layers)
                            == slabs.geometry().slabOf(first)) {
                layers++;
            }
            recordGathers(recorder, loads, first, layers);
            first += layers;
        }
    }

    private void recordDrop(
            GraphRecorder recorder, GraphStep step, GraphDrafts drafts, RowResolver.Loads loads, IntArray positions) {
        RowResolver.Shape shape = shape(step.maxRows);
        IntArray guess = drafts.guess();
        IntArray fresh = drafts.kept().fresh();
        LongArray unions = drafts.kept().unions();
        recorder.add(
                "guesses",
                2,
                (graph, grids, task) -> GuessDrop.append(
                        graph, grids, task, shape, positions, step.request, step.span, loads, guess, fresh, unions),
                positions,
                step.request,
                step.span,
                loads.found(),
                guess,
                fresh,
                unions);
    }

    private void recordGathers(GraphRecorder recorder, RowResolver.Loads loads, int first, int layers) {
        IntArray place = slabs.place(first, layers);
        LongArray slab = slabs.of(first);
        for (GraphKvTensor.Window window : slabs.windows()) {
            var gather = new RowGather.Shape(
                    window.firstPage(),
                    window.pages(),
                    Math.toIntExact(slabs.geometry().hostPageBytes() / Long.BYTES),
                    slabs.geometry().rowBytes() / Long.BYTES,
                    gatherGroups);
            recorder.add(
                    "gather",
                    1,
                    (graph, grids, task) ->
                            RowGather.append(graph, grids, task, gather, loads, place, window.memory(), slab),
                    loads.host(),
                    loads.row(),
                    loads.count(),
                    place,
                    window.memory(),
                    slab);
        }
    }

    /** The layer behind a unit. */
    private int end(int unit) {
        return unit + 1 < anchors.size()
                ? anchors.get(unit + 1)
                : slabs.geometry().layers();
    }

    /** Selected positions that were not resident, in all units. */
    long lookups() {
        return counted(RowResolver.LOOKUPS, false);
    }

    /** Those that were in the hot regions. */
    long hits() {
        return lookups() - counted(RowResolver.LOADS, false);
    }

    /** Rows read from the host, each layer's counted. */
    long hostRowsRead() {
        return counted(RowResolver.LOADS, true);
    }

    /** Positions that were nowhere; 0 unless the tables are wrong. */
    long faults() {
        return counted(RowResolver.FAULTS, false);
    }

    /** Brings back what was counted. */
    void count(Uploads uploads) {
        uploads.download(state.counters(), counters);
    }

    private long counted(int counter, boolean byLayer) {
        long sum = 0;
        for (int unit = 0; unit < anchors.size(); unit++) {
            long count = counters[unit * RowResolver.COUNTERS + counter];
            sum += byLayer ? count * (end(unit) - anchors.get(unit)) : count;
        }
        return sum;
    }
}
