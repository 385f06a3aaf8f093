package org.hotrow.modelloader;

/** The kind of a layer's MLP. */
public enum MlpType {
    DENSE,
    /** Routed experts and shared ones. */
    SPARSE
}
