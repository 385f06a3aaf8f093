package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelFormatException;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/**
 * The walk as task graphs, recorded once for each of a few numbers of rows: a lone token doesn't wait for the padding of a
 * prompt.
 *
 * <pre>
 * step    part | part | ...     runs of rows: at most as many as the largest graphs take, and of a request with a hot
 *                               region at most as many as surely fit it; guesses stay with the token before them
 * part    rows up | graphs of the least size that takes them | logits down, if any are wanted, and what was dropped
 * pass    the same, by graphs for the drafter's first pass or for later ones
 * </pre>
 */
final class GraphWalk implements StepWalk {
    /** The graphs for up to so many rows. */
    private record Graphs(
            GraphStep step, StepGraphs graphs, Optional<Passes> passes, FloatArray logits, FloatArray finalNorm) {
        void close() {
            graphs.close();
            passes.ifPresent(Passes::close);
        }
    }

    /** The drafter's. */
    private record Passes(StepGraphs first, StepGraphs later) {
        void close() {
            first.close();
            later.close();
        }
    }

    private final Model model;
    private final CacheFormat format;
    private final StepArrays step;
    private final DeviceArrays arrays;
    private final Variant variant;
    private final Uploads uploads;
    private final GraphTables tables;
    private final GraphSlabs slabs;
    private final GraphHotRows hotRows;
    private final GraphWeights weights;
    private final GraphDrafts.@Nullable Kept kept;
    private final Optional<GraphUnions> unions;
    private final List<Graphs> sizes = new ArrayList<>();
    private final CpuActivation logits;
    private final CpuActivation finalNorm;

    /**
     * Loads the weights and records the walk.
     *
     * @param rows of parts, ascending
     * @param gatherGroups groups of a launch that loads rows from the host
     * @throws ModelFormatException if the files change while they are read, or have FP8 weights that are NaN
     */
    GraphWalk(
            Model model,
            CacheFormat format,
            StepArrays step,
            KvCache cache,
            DeviceArrays arrays,
            Variant variant,
            List<Integer> rows,
            int gatherGroups,
            LoadProgress progress) {
        this.model = model;
        this.format = format;
        this.step = step;
        this.arrays = arrays;
        this.variant = variant;
        ModelConfig config = model.config();
        List<Integer> anchors = cache.geometry().anchorLayers();
        uploads = new Uploads(arrays);
        tables = new GraphTables(step, arrays, uploads);
        slabs = new GraphSlabs(arrays, GraphKvTensor.of(cache.tensor()), cache.host());
        hotRows = new GraphHotRows(
                step,
                tables,
                slabs,
                arrays,
                anchors,
                config.indexer().topK(),
                // Without hot regions nothing makes room, and scores needn't be kept.
                cache.hotBlocks() > 0 ? cache.hot().replacement() : Replacement.LRU,
                gatherGroups);
        weights = new GraphWeights(arrays, model.weights().bytes(cache.drafting()), progress);
        kept = cache.drafting() ? GraphDrafts.Kept.of(arrays, config, step.maxRows) : null;
        unions = Optional.ofNullable(kept).map(all -> new GraphUnions(all.unions()));
        logits = CpuActivation.of(step.maxLogitRows, config.vocabSize());
        finalNorm = CpuActivation.of(step.maxLogitRows, config.hiddenSize());
        sizes(rows, step.maxRows).forEach(size -> sizes.add(record(size)));
    }

    /** Of these numbers of rows, ascending, those that steps of up to so many rows need graphs for. */
    static List<Integer> sizes(List<Integer> rows, int maxRows) {
        return rows.stream().map(size -> Math.min(size, maxRows)).distinct().toList();
    }

    private Graphs record(int maxRows) {
        ModelConfig config = model.config();
        var part = new GraphStep(
                step,
                arrays,
                uploads,
                RopeTables.of(config),
                maxRows,
                config.attention().ropeDim(),
                kept);
        var recorder = new GraphRecorder(arrays, maxRows);
        var ops = new GraphOps(config, format, weights, step, part, tables, slabs, hotRows, arrays, recorder, variant);
        var walk = new ModelWalk(config, model.weights(), ops, kept != null, WalkProbe.NONE);
        walk.step();
        StepGraphs graphs = planned(recorder);
        return new Graphs(
                part,
                graphs,
                kept == null ? Optional.empty() : Optional.of(passes(walk, recorder)),
                GraphActivation.of(walk.logits()).whole(),
                GraphActivation.of(walk.finalNorm()).whole());
    }

    private StepGraphs planned(GraphRecorder recorder) {
        return new StepGraphs.Planned(recorder.plan(), recorder.graphs(), arrays);
    }

    private Passes passes(ModelWalk walk, GraphRecorder recorder) {
        walk.draft(true);
        StepGraphs first = planned(recorder);
        walk.draft(false);
        return new Passes(first, planned(recorder));
    }

    @Override
    public void step() {
        tables.upload();
        run(Graphs::graphs);
        if (step.anyGuessed(0, step.rows())) {
            unions.orElseThrow().count(uploads);
        }
    }

    @Override
    public void draft(boolean first) {
        run(graphs -> {
            Passes passes = graphs.passes.orElseThrow();
            return first ? passes.first : passes.later;
        });
    }

    private void run(Function<Graphs, StepGraphs> which) {
        int firstLogit = 0;
        int from = 0;
        do {
            int to = end(from);
            Graphs graphs = graphsFor(to - from);
            int wanted = graphs.step.upload(from, to, firstLogit);
            arrays.send();
            which.apply(graphs).launch();
            graphs.step.downloadDropped(from, to);
            if (wanted > 0) {
                download(graphs.logits, logits, firstLogit, wanted);
                download(graphs.finalNorm, finalNorm, firstLogit, wanted);
            }
            if (from == 0 && step.resetSeats() > 0) {
                tables.uploadNoResets();
            }
            firstLogit += wanted;
            from = to;
        } while (from < step.rows());
        hotRows.count(uploads);
        if (hotRows.faults() > 0) {
            throw new IllegalStateException(hotRows.faults() + " selected positions were neither on the device nor on"
                    + " the host, or did not fit the hot region");
        }
    }

    /** Graphs of a part of one row. */
    int graphs() {
        return sizes.getFirst().graphs.count();
    }

    /** The row behind the part that begins with row {@code from}. */
    private int end(int from) {
        int end = from;
        int ofRequest = 0;
        while (end < step.rows()) {
            int next = end + 1;
            while (next < step.rows() && step.guessed[next]) {
                next++;
            }
            int seat = step.request[end];
            ofRequest = end > from && step.request[end - 1] == seat ? ofRequest + 1 : 1;
            boolean fits = !step.hasHotRegion(seat) || ofRequest <= hotRows.rowsThatFit();
            if (end > from && (!fits || next - from > sizes.getLast().step.maxRows)) {
                return end;
            }
            end = next;
        }
        return end;
    }

    private Graphs graphsFor(int rows) {
        return sizes.stream()
                .filter(graphs -> graphs.step.maxRows >= rows)
                .findFirst()
                .orElseThrow();
    }

    private void download(FloatArray from, CpuActivation to, int firstRow, int rows) {
        uploads.download(from, to.data(), to.at(firstRow), rows * to.width());
    }

    @Override
    public CpuActivation logits() {
        return logits;
    }

    @Override
    public CpuActivation finalNorm() {
        return finalNorm;
    }

    @Override
    public long lookups() {
        return hotRows.lookups();
    }

    @Override
    public long hits() {
        return hotRows.hits();
    }

    @Override
    public long hostRowsRead() {
        return hotRows.hostRowsRead();
    }

    @Override
    public long unions() {
        return unions.map(GraphUnions::unions).orElse(0L);
    }

    @Override
    public long unionPositions() {
        return unions.map(GraphUnions::positions).orElse(0L);
    }

    @Override
    public int largestUnion() {
        return unions.map(GraphUnions::largest).orElse(0);
    }

    @Override
    public void close() {
        sizes.forEach(Graphs::close);
        uploads.close();
    }
}
