package org.hotrow.modelloader;

/** The MLP of a layer. */
public sealed interface MlpWeights permits DenseMlp, MoeMlp {
    /** Bytes in the checkpoint. */
    long bytes();
}
