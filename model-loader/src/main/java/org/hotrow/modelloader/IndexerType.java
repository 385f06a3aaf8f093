package org.hotrow.modelloader;

/** Where a layer's selection of tokens comes from. */
public enum IndexerType {
    /** The layer's own indexer. */
    FULL,
    /** The nearest earlier {@link #FULL} layer, same step and token. */
    SHARED
}
