package org.hotrow.kernels.inspect;

import java.util.List;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.SparseMla;

/**
 * Sizes at which operations are timed: those of GLM-5.3 in a slab of {@value #LAYERS} layers, one of them an anchor, so that
 * many long requests fit; or few and short ones.
 *
 * @param batches tokens of a step, each of a request of its own
 * @param contexts positions of each request
 * @param outputs of matrices of {@value Production#HIDDEN} inputs
 */
record Sizes(
        List<Integer> batches,
        List<Integer> contexts,
        int topK,
        List<Integer> outputs,
        int experts,
        int expertOutputs,
        int repetitions) {
    static final int LAYERS = 4;
    static final int ROW_BYTES = Production.ROW_LONGS * Long.BYTES;
    static final int BLOCK_LONGS = LAYERS * 64 * Production.ROW_LONGS;
    static final int INDEX_PAGES = BLOCK_LONGS / Production.INDEX_PAGE_LONGS;
    static final int INDEX_HEADS = 32;
    static final int INDEX_WIDTH = 128;
    static final int HEADS = 64;
    /** Of the selected rows, those that are neither resident nor hot. */
    static final List<Double> MISSES = List.of(0.0, 0.067, 0.134, 1.0);

    static final Sizes GLM =
            new Sizes(List.of(1, 8, 32), List.of(8_192, 81_920, 524_288), 2048, List.of(2048, 12_288), 256, 2048, 20);
    static final Sizes SMOKE = new Sizes(List.of(1, 3), List.of(700, 2_100), 256, List.of(256), 8, 128, 1);

    /** Rows of a hot region. */
    int slots() {
        return 2 * topK;
    }

    /** Loads of a token. */
    int misses(double share) {
        return (int) Math.round(topK * share);
    }

    SparseMla.Shape attention(int tokens) {
        return new SparseMla.Shape(tokens, HEADS, 512, 64, topK, KvDtype.FP8);
    }
}
