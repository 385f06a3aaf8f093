package org.hotrow.kernels.inspect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The operations as decode steps of GLM-5.3 launch them, FP8 rows and index keys: 6,144 values of a token, 78 layers in one
 * slab, 21 of them anchors, 64 heads over a latent of 512 and 64 values with RoPE, 2,048 selected rows, 32 index heads of
 * 128, up to 2^20 positions. Attention, its cache and a plain linear have one token, the others {@value #TOKENS}.
 */
final class Production {
    static final int HIDDEN = 6144;
    static final int TOKENS = 16;
    static final int TOP_K = 2048;
    static final int MOST_TOKENS = 1 << 20;
    static final int LAYERS = 78;
    static final int ANCHORS = 21;
    static final int ROW_LONGS = 82;
    static final int BLOCK_LONGS = LAYERS * 64 * ROW_LONGS;
    static final int INDEX_PAGES = 18;
    static final int INDEX_PAGE_LONGS = 64 * 132 / 8;

    private Production() {}

    /** The operations by name; each is made when it is asked for, since together they need much memory. */
    static Map<String, Supplier<Launch>> launches() {
        Map<String, Supplier<Launch>> all = new LinkedHashMap<>();
        LinearLaunches.addTo(all);
        LayerLaunches.addTo(all);
        CacheLaunches.addTo(all);
        AttentionLaunches.addTo(all);
        ExpertLaunches.addTo(all);
        return all;
    }

    /** The counts of a step of so many rows, all with logits. */
    static IntArray counts(int rows) {
        return IntArray.fromElements(rows, 0, 0, 0, rows, 0, 0, 0);
    }
}
