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
        var piece = rows(format.rows(), shape, step.counts, step.writeRow, r, exponents, at, slab, floats);
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
        var piece = keys(
                format.indexKeys(),
                shape,
                step.counts,
                step.request,
                step.position,
                tables.index,
                k,
                exponents,
                anchor,
                slab,
                floats);
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

    /**
     * The kernel that writes rows of a type.
     *
     * @param floats the slab's memory where rows are f32, else not read
     */
    static GraphRecorder.Piece rows(
            KvDtype type,
            KvRowWrite.Shape shape,
            IntArray counts,
            IntArray writeRow,
            FloatArray row,
            FloatArray exponents,
            IntArray layer,
            LongArray slab,
            FloatArray floats) {
        return switch (type) {
            case FP8 ->
                (graph, grids, task) ->
                        KvRowWrite.appendFp8(graph, grids, task, counts, writeRow, row, exponents, layer, slab, shape);
            case BF16 ->
                (graph, grids, task) ->
                        KvRowWrite.appendBf16(graph, grids, task, counts, writeRow, row, exponents, layer, slab, shape);
            case FP32 ->
                (graph, grids, task) ->
                        KvRowWrite.appendFp32(graph, grids, task, counts, writeRow, row, layer, floats, shape);
        };
    }

    /**
     * The kernel that writes keys of a type.
     *
     * @param floats the slab's memory where keys are f32, else not read
     */
    static GraphRecorder.Piece keys(
            KvDtype type,
            IndexKeyWrite.Shape shape,
            IntArray counts,
            IntArray request,
            IntArray position,
            IntArray table,
            FloatArray key,
            FloatArray exponents,
            IntArray anchor,
            LongArray slab,
            FloatArray floats) {
        return switch (type) {
            case FP8 ->
                (graph, grids, task) -> IndexKeyWrite.appendFp8(
                        graph, grids, task, counts, request, position, table, key, exponents, anchor, slab, shape);
            case BF16 ->
                (graph, grids, task) -> IndexKeyWrite.appendBf16(
                        graph, grids, task, counts, request, position, table, key, exponents, anchor, slab, shape);
            case FP32 ->
                (graph, grids, task) -> IndexKeyWrite.appendFp32(
                        graph, grids, task, counts, request, position, table, key, anchor, floats, shape);
        };
    }
}
