package org.hotrow.engine;

import java.util.List;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerType;

/** Sizes of GLM-5.3. */
final class Glm53 {
    static final int HIDDEN = 6144;
    static final double RMS_EPS = 1e-5;
    static final AttentionConfig ATTENTION = new AttentionConfig(64, 2048, 512, 192, 64, 256, true);
    /** Of one layer that has an indexer. */
    static final IndexerConfig INDEXER = new IndexerConfig(32, 128, 2048, true, List.of(IndexerType.FULL), false);

    private Glm53() {}
}
