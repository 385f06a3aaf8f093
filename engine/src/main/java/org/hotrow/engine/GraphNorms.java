package org.hotrow.engine;

import org.hotrow.kernels.tornado.LayerNorm;
import org.hotrow.kernels.tornado.RmsNorm;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** The norms. */
final class GraphNorms {
    private final GraphStep step;
    private final GraphRecorder recorder;
    private final float rmsEps;

    GraphNorms(GraphStep step, GraphRecorder recorder, float rmsEps) {
        this.step = step;
        this.recorder = recorder;
        this.rmsEps = rmsEps;
    }

    /** Adds an RMS norm; {@code to} may be {@code from}. */
    void recordRms(GraphActivation from, FloatArray w, GraphActivation to) {
        var shape = new RmsNorm.Shape(step.maxRows, from.stride(), from.width(), rmsEps);
        if (from.data() == to.data()) {
            recorder.add(
                    "norm",
                    1,
                    (graph, grids, task) ->
                            RmsNorm.appendInPlace(graph, grids, task, step.counts, from.data(), w, shape),
                    step.counts,
                    from.data(),
                    w);
            return;
        }
        FloatArray o = to.whole();
        recorder.add(
                "norm",
                1,
                (graph, grids, task) -> RmsNorm.append(graph, grids, task, step.counts, from.data(), w, o, shape),
                step.counts,
                from.data(),
                w,
                o);
    }

    /** Adds a layer norm in place. */
    void recordLayer(FloatArray data, FloatArray w, FloatArray b, int width) {
        var shape = new LayerNorm.Shape(step.maxRows, width);
        recorder.add(
                "layerNorm",
                1,
                (graph, grids, task) -> LayerNorm.append(graph, grids, task, step.counts, data, w, b, shape),
                step.counts,
                data,
                w,
                b);
    }

    /** Adds an update to a sum, and the RMS norm of the sum. */
    void recordSum(FloatArray update, FloatArray sum, FloatArray w, FloatArray o, int width) {
        var shape = new RmsNorm.Shape(step.maxRows, width, width, rmsEps);
        recorder.add(
                "addNorm",
                1,
                (graph, grids, task) ->
                        RmsNorm.appendWithUpdate(graph, grids, task, step.counts, sum, update, w, o, shape),
                step.counts,
                sum,
                update,
                w,
                o);
    }
}
