package org.hotrow.engine;

import java.util.Objects;
import org.hotrow.kernels.tornado.RowCopy;
import org.hotrow.kernels.tornado.RowJoin;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The copies of rows by which a pass of the drafter goes on from another. */
final class GraphDraftRows {
    private final GraphStep step;
    private final GraphRecorder recorder;

    GraphDraftRows(GraphStep step, GraphRecorder recorder) {
        this.step = step;
        this.recorder = recorder;
    }

    private GraphDrafts drafts() {
        return Objects.requireNonNull(step.drafts, "without drafts");
    }

    /** Rows of all parts. */
    GraphDrafts.Kept kept() {
        return drafts().kept();
    }

    private RowCopy.Shape shape(int width) {
        return new RowCopy.Shape(step.maxRows, kept().rows(), width);
    }

    void recordKeep(FloatArray x, FloatArray all, int width) {
        var shape = shape(width);
        recordKeep(x, all, (graph, grids, task) -> RowCopy.appendKeep(graph, grids, task, step.counts, x, all, shape));
    }

    void recordKeep(IntArray x, IntArray all, int width) {
        var shape = shape(width);
        recordKeep(x, all, (graph, grids, task) -> RowCopy.appendKeep(graph, grids, task, step.counts, x, all, shape));
    }

    private void recordKeep(TornadoNativeArray x, TornadoNativeArray all, GraphRecorder.Piece piece) {
        recorder.add("keep", 1, piece, step.counts, x, all);
    }

    void recordTake(FloatArray all, FloatArray out, int width) {
        var shape = shape(width);
        IntArray row = drafts().sourceRow();
        recordTake(
                row,
                all,
                out,
                (graph, grids, task) -> RowCopy.appendTake(graph, grids, task, step.counts, row, all, out, shape));
    }

    void recordTake(IntArray all, IntArray out, int width) {
        var shape = shape(width);
        IntArray row = drafts().selectionRow();
        recordTake(
                row,
                all,
                out,
                (graph, grids, task) -> RowCopy.appendTake(graph, grids, task, step.counts, row, all, out, shape));
    }

    private void recordTake(IntArray row, TornadoNativeArray all, TornadoNativeArray out, GraphRecorder.Piece piece) {
        recorder.add("take", 1, piece, step.counts, row, all, out);
    }

    void recordJoin(FloatArray left, FloatArray right, FloatArray out, int width) {
        var shape = new RowJoin.Shape(step.maxRows, width);
        recorder.add(
                "join",
                1,
                (graph, grids, task) -> RowJoin.append(graph, grids, task, step.counts, left, right, out, shape),
                step.counts,
                left,
                right,
                out);
    }
}
