package org.hotrow.allocator;

import java.util.List;
import java.util.stream.IntStream;

/** Layer maps of the models that we know, with fp8 rows and index keys. */
enum Glm {
    /** GLM-5.1: every layer is an anchor. */
    V51(78),
    /** GLM-5.2 and 5.3. */
    V53(78),
    /** GLM-5.2 and 5.3 with their MTP layer, an anchor too. */
    V53_MTP(79),
    /** DeepSeek-V3.2: every layer is an anchor. */
    DEEPSEEK_V32(61);

    static final int ROW_BYTES = 656;
    static final int INDEX_PAGE_BYTES = 64 * 132;

    final int layers;

    Glm(int layers) {
        this.layers = layers;
    }

    List<Integer> anchors() {
        return IntStream.range(0, layers).filter(this::isAnchor).boxed().toList();
    }

    private boolean isAnchor(int layer) {
        return switch (this) {
            case V51, DEEPSEEK_V32 -> true;
            case V53, V53_MTP -> layer < 3 || layer % 4 == 2 || layer == 78;
        };
    }

    /** The geometry of a pool of so many blocks. */
    KvGeometry of(int blocks) {
        return KvGeometry.of(layers, anchors(), ROW_BYTES, INDEX_PAGE_BYTES, blocks);
    }

    /** The geometry of the largest pool in so many bytes. */
    KvGeometry in(long bytes) {
        return of(Math.toIntExact(bytes / ((long) layers * Block.TOKENS * ROW_BYTES)));
    }
}
