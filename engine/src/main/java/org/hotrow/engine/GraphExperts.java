package org.hotrow.engine;

import java.util.List;
import org.hotrow.kernels.tornado.ExpertCombine;
import org.hotrow.kernels.tornado.ExpertGroups;
import org.hotrow.kernels.tornado.ExpertLinear;
import org.hotrow.kernels.tornado.SwiGlu;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MlpConfig;
import org.hotrow.modelloader.ModelConfig;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The routed experts, with the buffers that all layers share. */
final class GraphExperts {
    private final MlpConfig config;
    private final GraphWeights weights;
    private final GraphStep step;
    private final GraphRecorder recorder;
    private final FloatArray codes;
    private final Variant variant;
    private final int hidden;
    private final int maxRows;
    private final ExpertGroups.Shape groupsShape;
    private final ExpertGroups.Arrays groups;
    private final FloatArray gateLogits;
    private final FloatArray gate;
    private final FloatArray up;
    private final FloatArray down;

    GraphExperts(
            ModelConfig config,
            GraphWeights weights,
            GraphStep step,
            DeviceArrays arrays,
            GraphRecorder recorder,
            FloatArray codes,
            Variant variant) {
        this.config = config.mlp();
        this.weights = weights;
        this.step = step;
        this.recorder = recorder;
        this.codes = codes;
        this.variant = variant;
        maxRows = step.maxRows;
        hidden = config.hiddenSize();
        groupsShape = new ExpertGroups.Shape(maxRows, this.config.experts(), this.config.expertsPerToken());
        groups = arrays.adopt(ExpertGroups.Arrays.of(groupsShape));
        int pairs = groupsShape.maxPairs();
        gateLogits = arrays.floats(CpuActivation.elements(maxRows, this.config.experts()));
        gate = arrays.floats(CpuActivation.elements(pairs, this.config.expertWidth()));
        up = arrays.floats(CpuActivation.elements(pairs, this.config.expertWidth()));
        down = arrays.floats(CpuActivation.elements(pairs, hidden));
    }

    /** The router's products: {@code [maxRows, experts]}. */
    FloatArray gateLogits() {
        return gateLogits;
    }

    void recordRoute(FloatArray bias, IntArray chosen, FloatArray shares) {
        var shape = new org.hotrow.kernels.tornado.Router.Shape(
                maxRows, config.experts(), config.expertsPerToken(), config.normaliseWeights(), (float)
                        config.scaling());
        recorder.add(
                "route",
                1,
                (graph, grids, task) -> org.hotrow.kernels.tornado.Router.append(
                        graph, grids, task, step.counts, gateLogits, bias, chosen, shares, shape),
                step.counts,
                gateLogits,
                bias,
                chosen,
                shares);
    }

    void record(List<DenseMlp> mlps, FloatArray x, IntArray chosen, FloatArray shares, FloatArray out) {
        recorder.add(
                "group",
                1,
                (graph, grids, task) ->
                        ExpertGroups.append(graph, grids, task, step.counts, chosen, groups, groupsShape),
                step.counts,
                chosen,
                groups);
        multiply(weights.experts(mlps, GraphWeights.ExpertMatrix.GATE), x, gate, false);
        multiply(weights.experts(mlps, GraphWeights.ExpertMatrix.UP), x, up, false);
        var gates = new SwiGlu.Shape(maxRows, config.expertsPerToken() * config.expertWidth());
        recorder.add(
                "swiglu",
                1,
                (graph, grids, task) -> SwiGlu.append(graph, grids, task, step.counts, gate, up, gates),
                step.counts,
                gate,
                up);
        multiply(weights.experts(mlps, GraphWeights.ExpertMatrix.DOWN), gate, down, true);
        var combine = new ExpertCombine.Shape(maxRows, config.expertsPerToken(), hidden);
        recorder.add(
                "combine",
                1,
                (graph, grids, task) ->
                        ExpertCombine.append(graph, grids, task, step.counts, shares, down, out, combine),
                step.counts,
                shares,
                down,
                out);
    }

    private void multiply(GraphWeights.Matrix w, FloatArray x, FloatArray out, boolean ofPairs) {
        var shape = new ExpertLinear.Shape(groupsShape, w.cols(), w.rows(), ofPairs);
        recorder.add(
                "experts",
                1,
                (graph, grids, task) -> ExpertLinear.append(
                        graph, grids, task, groups, x, w.codes(), w.scale(), codes, out, shape, variant),
                groups,
                x,
                w.codes(),
                w.scale(),
                codes,
                out);
    }
}
