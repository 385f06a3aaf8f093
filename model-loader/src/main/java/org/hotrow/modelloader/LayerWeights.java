package org.hotrow.modelloader;

import org.jspecify.annotations.Nullable;

/**
 * A decoder layer.
 *
 * @param inputNorm RMS norm before attention
 * @param postAttentionNorm RMS norm before the MLP
 * @param indexer null on a layer that shares the selection of an earlier one
 */
public record LayerWeights(
        VectorTensor inputNorm,
        VectorTensor postAttentionNorm,
        AttentionWeights attention,
        @Nullable IndexerWeights indexer,
        MlpWeights mlp) {
    /** Bytes in the checkpoint. */
    public long bytes() {
        long norms = inputNorm.bytes() + postAttentionNorm.bytes();
        return norms + attention.bytes() + (indexer == null ? 0 : indexer.bytes()) + mlp.bytes();
    }

    static LayerWeights map(
            TensorClaims claims, String prefix, ModelConfig config, IndexerType indexerType, MlpType mlpType) {
        Dim hidden = Dim.hidden(config);
        String attention = prefix + "self_attn.";
        String mlp = prefix + "mlp.";
        return new LayerWeights(
                claims.vector(prefix + "input_layernorm.weight", hidden),
                claims.vector(prefix + "post_attention_layernorm.weight", hidden),
                AttentionWeights.map(claims, attention, config),
                indexerType == IndexerType.FULL ? IndexerWeights.map(claims, attention + "indexer.", config) : null,
                switch (mlpType) {
                    case DENSE ->
                        DenseMlp.map(claims, mlp, config, new Dim(config.mlp().denseWidth(), "intermediate_size"));
                    case SPARSE -> MoeMlp.map(claims, mlp, config);
                });
    }
}
