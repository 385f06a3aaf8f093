package org.hotrow.bench;

import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;

/** Which layers of a published model keep rows, and which of them index keys; all in fp8. */
enum LayerMap {
    /** GLM-5.2 too. */
    GLM_5_3("GLM-5.3", 78),
    GLM_5_3_MTP("GLM-5.3 with its MTP layer", 79),
    GLM_5_1("GLM-5.1", 78),
    DEEPSEEK_V3_2("DeepSeek-V3.2", 61);

    private static final int ROW_BYTES = 656;
    private static final int INDEX_PAGE_BYTES = Block.TOKENS * 132;

    private final String title;
    private final int layers;

    LayerMap(String title, int layers) {
        this.title = title;
        this.layers = layers;
    }

    private boolean isAnchor(int layer) {
        return switch (this) {
            case GLM_5_3, GLM_5_3_MTP -> layer < 3 || layer % 4 == 2;
            case GLM_5_1, DEEPSEEK_V3_2 -> true;
        };
    }

    /** The model's name. */
    String title() {
        return title;
    }

    /** The pool of so many blocks, null block included. */
    KvGeometry geometry(int blocks) {
        List<Integer> anchors =
                IntStream.range(0, layers).filter(this::isAnchor).boxed().toList();
        return KvGeometry.of(layers, anchors, ROW_BYTES, INDEX_PAGE_BYTES, blocks);
    }

    /** The largest pool in so many bytes. */
    KvGeometry geometryIn(long bytes) {
        return geometry(Math.toIntExact(bytes / ((long) layers * Block.TOKENS * ROW_BYTES)));
    }
}
