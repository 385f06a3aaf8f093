package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelFormatException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/**
 * The walk as task graphs, recorded once for each of a few numbers of rows: a lone token doesn't wait for the padding of a
 * prompt.
 *
 * <pre>
 * step    part | part | ...     runs of rows: at most as many as the largest graphs take, and of a request with a hot
 *                               region at most as many as surely fit it
 * part    rows up | graphs of the least size that takes them | logits down, if any are wanted
 * </pre>
 */
final class GraphWalk implements StepWalk {
    /** The graphs for up to so many rows. */
    private record Graphs(GraphStep step, StepGraphs graphs, FloatArray logits, FloatArray finalNorm) {}

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
        List<Integer> anchors = config.indexer().anchors();
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
                cache.hot().replacement(),
                gatherGroups);
        weights = new GraphWeights(arrays, model.weights().bytes(), progress);
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
                config.attention().ropeDim());
        var recorder = new GraphRecorder(arrays, maxRows);
        var ops = new GraphOps(config, format, weights, step, part, tables, slabs, hotRows, arrays, recorder, variant);
        var walk = new ModelWalk(config, model.weights(), ops);
        walk.step();
        return new Graphs(
                part,
                new StepGraphs.Planned(recorder.plan(), recorder.graphs(), arrays),
                GraphActivation.of(walk.logits()).whole(),
                GraphActivation.of(walk.finalNorm()).whole());
    }

    @Override
    public void step() {
        tables.upload();
        int firstLogit = 0;
        int from = 0;
        do {
            int to = end(from);
            Graphs graphs = graphsFor(to - from);
            int wanted = graphs.step.upload(from, to, firstLogit);
            arrays.send();
            graphs.graphs.launch();
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
        hotRows.count();
        if (hotRows.faults() > 0) {
            throw new IllegalStateException(hotRows.faults() + " selected positions were neither on the device nor on"
                    + " the host, or did not fit the hot region");
        }
    }

    /** Graphs of a part of one row. */
    int graphs() {
        return sizes.getFirst().graphs.count();
    }

    @Override
    public void draft(boolean first) {
        throw new IllegalStateException("task graphs have no drafter");
    }

    /** The row behind the part that begins with row {@code from}. */
    private int end(int from) {
        int end = from;
        int ofRequest = 0;
        while (end < step.rows() && end - from < sizes.getLast().step.maxRows) {
            int seat = step.request[end];
            ofRequest = end > from && step.request[end - 1] == seat ? ofRequest + 1 : 1;
            if (step.hasHotRegion(seat) && ofRequest > hotRows.rowsThatFit()) {
                break;
            }
            end++;
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
    public void close() {
        sizes.forEach(size -> size.graphs.close());
        uploads.close();
    }
}
