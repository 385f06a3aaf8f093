package org.hotrow.engine;

import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.IndexKeyWrite;
import org.hotrow.kernels.tornado.KvRowWrite;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The writes of rows and index keys to the KV tensor. */
final class GraphWrites {
    private final CacheFormat format;
    private final GraphStep step;
    private final GraphTables tables;
    private final GraphSlabs slabs;
    private final GraphRecorder recorder;
    private final FloatArray exponents;
    private final int maxIndexBlocks;

    GraphWrites(
            CacheFormat format,
            StepArrays all,
            GraphStep step,
            GraphTables tables,
            GraphSlabs slabs,
            GraphRecorder recorder,
            FloatArray exponents) {
        this.format = format;
        this.step = step;
        this.tables = tables;
        this.slabs = slabs;
        this.recorder = recorder;
        this.exponents = exponents;
        maxIndexBlocks = all.maxIndexBlocks;
    }

    /** Adds the write of rows to a layer. */
    void recordRow(int layer, FloatArray r, int width) {
        IntArray at = slabs.layer(layer);
        LongArray slab = slabs.of(layer);
        FloatArray floats = format.rows() == KvDtype.FP32 ? slabs.floatsOf(layer) : exponents;
        var shape = new KvRowWrite.Shape(step.maxRows, width, slabs.layersInSlab(layer));
        GraphRecorder.Piece piece = switch (format.rows()) {
            case FP8 ->
                (graph, grids, task) -> KvRowWrite.appendFp8(
                        graph, grids, task, step.counts, step.writeRow, r, exponents, at, slab, shape);
            case BF16 ->
                (graph, grids, task) -> KvRowWrite.appendBf16(
                        graph, grids, task, step.counts, step.writeRow, r, exponents, at, slab, shape);
            case FP32 ->
                (graph, grids, task) ->
                        KvRowWrite.appendFp32(graph, grids, task, step.counts, step.writeRow, r, at, floats, shape);
        };
        recorder.add(
                "writeRow",
                1,
                piece,
                step.counts,
                step.writeRow,
                r,
                exponents,
                at,
                format.rows() == KvDtype.FP32 ? floats : slab);
    }

    /** Adds the write of keys to an anchor. */
    void recordKey(int layer, FloatArray k, int width) {
        IntArray anchor = slabs.anchor(layer);
        LongArray slab = slabs.of(layer);
        FloatArray floats = format.indexKeys() == KvDtype.FP32 ? slabs.floatsOf(layer) : exponents;
        int wordBytes = format.indexKeys() == KvDtype.FP32 ? Float.BYTES : Long.BYTES;
        var shape = new IndexKeyWrite.Shape(
                step.maxRows,
                width,
                maxIndexBlocks,
                slabs.geometry().pagesPerIndexBlock(),
                slabs.anchorsInSlab(layer),
                slabs.blockLongs(layer) * (Long.BYTES / wordBytes));
        GraphRecorder.Piece piece = switch (format.indexKeys()) {
            case FP8 ->
                (graph, grids, task) -> IndexKeyWrite.appendFp8(
                        graph,
                        grids,
                        task,
                        step.counts,
                        step.request,
                        step.position,
                        tables.index,
                        k,
                        exponents,
                        anchor,
                        slab,
                        shape);
            case BF16 ->
                (graph, grids, task) -> IndexKeyWrite.appendBf16(
                        graph,
                        grids,
                        task,
                        step.counts,
                        step.request,
                        step.position,
                        tables.index,
                        k,
                        exponents,
                        anchor,
                        slab,
                        shape);
            case FP32 ->
                (graph, grids, task) -> IndexKeyWrite.appendFp32(
                        graph,
                        grids,
                        task,
                        step.counts,
                        step.request,
                        step.position,
                        tables.index,
                        k,
                        anchor,
                        floats,
                        shape);
        };
        recorder.add(
                "writeKey",
                1,
                piece,
                step.counts,
                step.request,
                step.position,
                tables.index,
                k,
                exponents,
                anchor,
                format.indexKeys() == KvDtype.FP32 ? floats : slab);
    }
}
