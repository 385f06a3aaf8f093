package org.hotrow.engine;

import org.hotrow.allocator.Block;
import org.hotrow.kernels.tornado.IndexScores;
import org.hotrow.kernels.tornado.RadixTopK;
import org.hotrow.kernels.tornado.ScoredResolver;
import org.hotrow.kernels.tornado.SparseMla;
import org.hotrow.kernels.tornado.SparseMlaSplit;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.ModelConfig;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The indexer's selection and the attention over it, with the scratch that all layers share. */
final class GraphSelection {
    private static final int TOP_K_TASKS = 4;

    private final GraphStep step;
    private final GraphTables tables;
    private final GraphSlabs slabs;
    private final GraphRecorder recorder;
    private final FloatArray codes;
    private final FloatArray exponents;
    private final IndexScores.Shape scoresShape;
    private final RadixTopK.Shape topKShape;
    private final SparseMla.Shape attentionShape;
    private final float indexScale;
    private final float softmaxScale;
    private final IntArray scores;
    private final RadixTopK.Scratch topK;
    private final SparseMlaSplit.Partials partials;

    GraphSelection(
            ModelConfig config,
            CacheFormat format,
            StepArrays all,
            GraphStep step,
            GraphTables tables,
            GraphSlabs slabs,
            DeviceArrays arrays,
            GraphRecorder recorder,
            FloatArray codes,
            FloatArray exponents) {
        this.step = step;
        this.tables = tables;
        int maxRows = step.maxRows;
        this.slabs = slabs;
        this.recorder = recorder;
        this.codes = codes;
        this.exponents = exponents;
        IndexerConfig i = config.indexer();
        AttentionConfig a = config.attention();
        int mostTokens = all.maxPages * Block.TOKENS;
        scoresShape = new IndexScores.Shape(
                maxRows,
                i.heads(),
                i.headDim(),
                i.topK(),
                mostTokens,
                all.maxIndexBlocks,
                slabs.geometry().pagesPerIndexBlock(),
                format.indexKeys());
        topKShape = new RadixTopK.Shape(maxRows, mostTokens, i.topK());
        attentionShape = new SparseMla.Shape(maxRows, a.heads(), a.latentRank(), a.ropeDim(), i.topK(), format.rows());
        indexScale = (float) (Math.pow(i.heads(), -0.5) * Math.pow(i.headDim(), -0.5));
        softmaxScale = (float) config.softmaxScale();
        scores = arrays.ints(CpuActivation.elements(maxRows, mostTokens));
        topK = arrays.adopt(RadixTopK.Scratch.of(topKShape));
        partials = arrays.adopt(SparseMlaSplit.Partials.of(attentionShape));
    }

    /** Scores, then the positions of the best. */
    void record(int layer, FloatArray query, FloatArray headWeights, IntArray positions) {
        var indexer = new IndexScores.Arrays(
                query,
                headWeights,
                step.request,
                step.position,
                tables.index,
                slabs.of(layer),
                slabs.anchor(layer),
                codes,
                exponents,
                scores);
        recorder.add(
                "score",
                1,
                (graph, grids, task) -> IndexScores.append(graph, grids, task, scoresShape, indexScale, indexer),
                indexer);
        recorder.add(
                "topK",
                TOP_K_TASKS,
                (graph, grids, task) -> RadixTopK.append(
                        graph, grids, task, topKShape, scores, step.request, step.position, topK, positions),
                scores,
                step.request,
                step.position,
                topK,
                positions);
    }

    /** What {@link #record} leaves. */
    ScoredResolver.Scores scores() {
        return new ScoredResolver.Scores(scores, step.position, exponents, scoresShape.mostTokens());
    }

    void recordAttention(IntArray layer, LongArray slab, FloatArray query, IntArray rows, FloatArray out) {
        var arrays = new SparseMla.Arrays(query, rows, slab, layer, step.span, codes, exponents, out);
        recorder.add(
                "attend",
                2,
                (graph, grids, task) ->
                        SparseMlaSplit.append(graph, grids, task, attentionShape, softmaxScale, arrays, partials),
                arrays,
                partials);
    }
}
