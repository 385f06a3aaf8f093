package org.hotrow.engine;

import org.hotrow.kernels.tornado.HeadLinear;
import org.hotrow.kernels.tornado.Variant;
import org.hotrow.modelloader.AttentionConfig;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** Both halves of the key-value up-projection. */
final class GraphHeads {
    private final AttentionConfig config;
    private final GraphStep step;
    private final GraphRecorder recorder;
    private final FloatArray codes;
    private final FloatArray exponents;
    private final Variant variant;

    GraphHeads(
            AttentionConfig config,
            GraphStep step,
            GraphRecorder recorder,
            FloatArray codes,
            FloatArray exponents,
            Variant variant) {
        this.config = config;
        this.step = step;
        this.recorder = recorder;
        this.codes = codes;
        this.exponents = exponents;
        this.variant = variant;
    }

    private HeadLinear.Shape shape(GraphWeights.Matrix kvB) {
        return new HeadLinear.Shape(
                step.maxRows,
                config.heads(),
                config.nopeDim(),
                config.ropeDim(),
                config.valueDim(),
                config.latentRank(),
                kvB.bits());
    }

    /** Adds the query side. */
    void recordAbsorb(GraphWeights.Matrix kvB, FloatArray query, FloatArray out) {
        var matrix = new HeadLinear.Matrix(kvB.codes(), kvB.scale(), codes, exponents);
        HeadLinear.Shape shape = shape(kvB);
        recorder.add(
                "absorb",
                1,
                (graph, grids, task) ->
                        HeadLinear.appendAbsorb(graph, grids, task, step.counts, query, matrix, out, shape, variant),
                step.counts,
                query,
                matrix,
                out);
    }

    /** Adds the value side. */
    void recordExpand(GraphWeights.Matrix kvB, FloatArray latent, FloatArray out) {
        var matrix = new HeadLinear.Matrix(kvB.codes(), kvB.scale(), codes, exponents);
        HeadLinear.Shape shape = shape(kvB);
        recorder.add(
                "expand",
                1,
                (graph, grids, task) ->
                        HeadLinear.appendExpand(graph, grids, task, step.counts, latent, matrix, out, shape, variant),
                step.counts,
                latent,
                matrix,
                out);
    }
}
