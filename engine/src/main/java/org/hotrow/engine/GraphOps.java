package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.kernels.tornado.Bf16Linear;
import org.hotrow.kernels.tornado.Embedding;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.Fp8Linear;
import org.hotrow.kernels.tornado.Logits;
import org.hotrow.kernels.tornado.Residual;
import org.hotrow.kernels.tornado.RotaryEmbedding;
import org.hotrow.kernels.tornado.RowResolver;
import org.hotrow.kernels.tornado.SwiGlu;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.VectorTensor;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The operations as pieces of task graphs: a walk is recorded once, and the graphs run for every step. Kernels read from
 * {@link GraphStep} what changes.
 */
final class GraphOps implements Ops {
    private final ModelConfig config;
    private final GraphWeights weights;
    private final GraphStep step;
    private final GraphSlabs slabs;
    private final GraphHotRows hotRows;
    private final DeviceArrays arrays;
    private final GraphRecorder recorder;
    private final Variant variant;
    private final GraphSelection selection;
    private final GraphExperts experts;
    private final GraphHeads heads;
    private final GraphWrites writes;
    private final GraphNorms norms;
    private final GraphDraftRows draftRows;
    private final int maxRows;
    private final int maxLogitRows;
    private final FloatArray codes;
    private final FloatArray exponents;
    private final List<IntArray> layers = new ArrayList<>();
    private final RowResolver.Loads loads;

    GraphOps(
            ModelConfig config,
            CacheFormat format,
            GraphWeights weights,
            StepArrays all,
            GraphStep step,
            GraphTables tables,
            GraphSlabs slabs,
            GraphHotRows hotRows,
            DeviceArrays arrays,
            GraphRecorder recorder,
            Variant variant) {
        this.config = config;
        this.weights = weights;
        this.step = step;
        this.slabs = slabs;
        this.hotRows = hotRows;
        this.arrays = arrays;
        this.recorder = recorder;
        this.variant = variant;
        maxRows = step.maxRows;
        maxLogitRows = step.maxLogitRows;
        codes = arrays.adopt(Fp8Codes.table());
        exponents = arrays.adopt(Exponents.table());
        for (int layer = 0; layer < slabs.geometry().layers(); layer++) {
            layers.add(slabs.layer(layer));
        }
        selection = new GraphSelection(config, format, all, step, tables, slabs, arrays, recorder, codes, exponents);
        experts = new GraphExperts(config, weights, step, arrays, recorder, codes, variant);
        heads = new GraphHeads(config.attention(), step, recorder, codes, exponents, variant);
        writes = new GraphWrites(format, all, step, tables, slabs, recorder, exponents);
        norms = new GraphNorms(step, recorder, (float) config.rmsEps());
        draftRows = new GraphDraftRows(step, recorder);
        loads = hotRows.loads(maxRows);
        hotRows.recordReset(recorder);
    }

    @Override
    public Activation activation(int width) {
        return new GraphActivation(arrays.floats(CpuActivation.elements(maxRows, width)), width, width);
    }

    @Override
    public Activation logitActivation(int width) {
        return new GraphActivation(arrays.floats(CpuActivation.elements(maxLogitRows, width)), width, width);
    }

    @Override
    public IntRows ints(int width) {
        return new GraphInts(arrays.ints(CpuActivation.elements(maxRows, width)), width);
    }

    @Override
    public void embed(MatrixTensor table, Activation out) {
        GraphWeights.Matrix matrix = weights.matrix(table);
        FloatArray o = GraphActivation.of(out).whole();
        var shape = new Embedding.Shape(maxRows, matrix.cols(), matrix.rows());
        recorder.add(
                "embed",
                1,
                (graph, grids, task) -> Embedding.append(
                        graph, grids, task, step.counts, step.token, matrix.codes(), exponents, o, shape),
                step.counts,
                step.token,
                matrix.codes(),
                exponents,
                o);
    }

    @Override
    public Activation features() {
        return new GraphActivation(draftRows.kept().features(), config.hiddenSize(), config.hiddenSize());
    }

    @Override
    public IntRows selections() {
        return new GraphInts(draftRows.kept().selections(), config.indexer().topK());
    }

    @Override
    public void keep(Activation x, Activation all) {
        draftRows.recordKeep(
                GraphActivation.of(x).whole(), GraphActivation.of(all).whole(), x.width());
    }

    @Override
    public void keep(IntRows x, IntRows all) {
        draftRows.recordKeep(
                GraphInts.of(x).data(),
                GraphInts.of(all).data(),
                GraphInts.of(x).width());
    }

    @Override
    public void take(Activation all, Activation out) {
        draftRows.recordTake(
                GraphActivation.of(all).whole(), GraphActivation.of(out).whole(), out.width());
    }

    @Override
    public void take(IntRows all, IntRows out) {
        draftRows.recordTake(
                GraphInts.of(all).data(),
                GraphInts.of(out).data(),
                GraphInts.of(out).width());
    }

    @Override
    public void join(Activation left, Activation right, Activation out) {
        draftRows.recordJoin(
                GraphActivation.of(left).whole(),
                GraphActivation.of(right).whole(),
                GraphActivation.of(out).whole(),
                left.width());
    }

    /** They come with the step. */
    @Override
    public void angles() {}

    @Override
    public void rmsNorm(Activation x, VectorTensor weight, Activation out) {
        norms.recordRms(GraphActivation.of(x), weights.vector(weight), GraphActivation.of(out));
    }

    @Override
    public void layerNorm(Activation x, VectorTensor weight, VectorTensor bias, Activation out) {
        FloatArray data = GraphActivation.of(x).whole();
        if (data != GraphActivation.of(out).data()) {
            throw new IllegalArgumentException("the layer norm is in place");
        }
        norms.recordLayer(data, weights.vector(weight), weights.vector(bias), x.width());
    }

    @Override
    public void linear(MatrixTensor weight, Activation x, Activation out) {
        FloatArray from = GraphActivation.of(x).whole();
        FloatArray to = GraphActivation.of(out).whole();
        linear(weights.matrix(weight), from, to);
    }

    private void linear(GraphWeights.Matrix w, FloatArray from, FloatArray to) {
        if (w.bits() == 8) {
            var shape = new Fp8Linear.Shape(maxRows, w.cols(), w.rows());
            recorder.add(
                    "linear",
                    1,
                    (graph, grids, task) -> Fp8Linear.append(
                            graph, grids, task, step.counts, from, w.codes(), w.scale(), codes, to, shape, variant),
                    step.counts,
                    from,
                    w.codes(),
                    w.scale(),
                    codes,
                    to);
        } else {
            var shape = new Bf16Linear.Shape(maxRows, w.cols(), w.rows(), StepArrays.ROWS);
            recorder.add(
                    "linear",
                    1,
                    (graph, grids, task) -> Bf16Linear.append(
                            graph, grids, task, step.counts, from, w.codes(), exponents, to, shape, variant),
                    step.counts,
                    from,
                    w.codes(),
                    exponents,
                    to);
        }
    }

    @Override
    public void add(Activation x, Activation into) {
        FloatArray update = GraphActivation.of(x).whole();
        FloatArray sum = GraphActivation.of(into).whole();
        var shape = new Residual.Shape(maxRows, x.width());
        recorder.add(
                "add",
                1,
                (graph, grids, task) -> Residual.append(graph, grids, task, step.counts, update, sum, shape),
                step.counts,
                update,
                sum);
    }

    @Override
    public void addNorm(Activation x, Activation into, VectorTensor weight, Activation out) {
        norms.recordSum(
                GraphActivation.of(x).whole(),
                GraphActivation.of(into).whole(),
                weights.vector(weight),
                GraphActivation.of(out).whole(),
                x.width());
    }

    @Override
    public void swiglu(Activation gate, Activation up, Activation out) {
        FloatArray g = GraphActivation.of(gate).whole();
        FloatArray u = GraphActivation.of(up).whole();
        if (g != GraphActivation.of(out).data()) {
            throw new IllegalArgumentException("the gate is in place");
        }
        var shape = new SwiGlu.Shape(maxRows, gate.width());
        recorder.add(
                "swiglu",
                1,
                (graph, grids, task) -> SwiGlu.append(graph, grids, task, step.counts, g, u, shape),
                step.counts,
                g,
                u);
    }

    @Override
    public void rope(Activation x, int heads, int at, boolean interleaved) {
        FloatArray data = GraphActivation.of(x).whole();
        int pairs = config.attention().ropeDim() / 2;
        var shape = new RotaryEmbedding.Shape(maxRows, x.width(), at, heads, x.width() / heads, pairs, interleaved);
        recorder.add(
                "rope",
                1,
                (graph, grids, task) ->
                        RotaryEmbedding.append(graph, grids, task, step.counts, data, step.cos, step.sin, shape),
                step.counts,
                data,
                step.cos,
                step.sin);
    }

    @Override
    public void absorb(MatrixTensor kvB, Activation query, Activation out) {
        heads.recordAbsorb(
                weights.matrix(kvB),
                GraphActivation.of(query).whole(),
                GraphActivation.of(out).whole());
    }

    @Override
    public void expand(MatrixTensor kvB, Activation latent, Activation out) {
        heads.recordExpand(
                weights.matrix(kvB),
                GraphActivation.of(latent).whole(),
                GraphActivation.of(out).whole());
    }

    @Override
    public void writeRow(int layer, Activation row) {
        writes.recordRow(layer, GraphActivation.of(row).whole(), row.width());
    }

    @Override
    public void writeIndexKey(int layer, Activation key) {
        writes.recordKey(layer, GraphActivation.of(key).whole(), key.width());
    }

    @Override
    public void select(int layer, Activation query, Activation headWeights, IntRows positions) {
        selection.record(
                layer,
                GraphActivation.of(query).whole(),
                GraphActivation.of(headWeights).whole(),
                GraphInts.of(positions).data());
        hotRows.recordScores(recorder, step, layer, selection.scores());
    }

    @Override
    public void resolve(int anchor, IntRows positions, IntRows rows) {
        hotRows.record(
                recorder,
                step,
                loads,
                anchor,
                GraphInts.of(positions).data(),
                GraphInts.of(rows).data());
    }

    @Override
    public void attend(int layer, Activation query, IntRows rows, Activation out) {
        selection.recordAttention(
                layers.get(layer),
                slabs.of(layer),
                GraphActivation.of(query).whole(),
                GraphInts.of(rows).data(),
                GraphActivation.of(out).whole());
    }

    @Override
    public void route(MatrixTensor gate, VectorTensor bias, Activation x, IntRows chosen, Activation shares) {
        linear(weights.matrix(gate), GraphActivation.of(x).whole(), experts.gateLogits());
        experts.recordRoute(
                weights.vector(bias),
                GraphInts.of(chosen).data(),
                GraphActivation.of(shares).whole());
    }

    @Override
    public void experts(List<DenseMlp> mlps, Activation x, IntRows chosen, Activation shares, Activation out) {
        experts.record(
                mlps,
                GraphActivation.of(x).whole(),
                GraphInts.of(chosen).data(),
                GraphActivation.of(shares).whole(),
                GraphActivation.of(out).whole());
    }

    @Override
    public void logits(Activation hidden, VectorTensor norm, MatrixTensor head, Activation normed, Activation logits) {
        GraphWeights.Matrix matrix = weights.matrix(head);
        FloatArray h = GraphActivation.of(hidden).whole();
        FloatArray w = weights.vector(norm);
        FloatArray n = GraphActivation.of(normed).whole();
        FloatArray l = GraphActivation.of(logits).whole();
        var shape = new Logits.Shape(maxLogitRows, matrix.cols(), matrix.rows(), (float) config.rmsEps());
        recorder.add(
                "logits",
                2,
                (graph, grids, task) -> Logits.append(
                        graph,
                        grids,
                        task,
                        step.counts,
                        step.logitRow,
                        h,
                        w,
                        matrix.codes(),
                        exponents,
                        n,
                        l,
                        shape,
                        variant),
                step.counts,
                step.logitRow,
                h,
                w,
                matrix.codes(),
                exponents,
                n,
                l);
    }
}
