package org.hotrow.modelloader;

/**
 * A layer for drafting: {@code x = ehProj [eNorm(embed(token)) ; hNorm(hidden)]}, the decoder layer on x, headNorm, then
 * the main head.
 *
 * @param layer with an indexer of its own and a mixture of experts
 * @param eNorm RMS norm of the embedding
 * @param hNorm RMS norm of the hidden state
 * @param ehProj [hidden, 2 * hidden], embedding first
 * @param headNorm RMS norm before the head
 */
public record MtpWeights(
        LayerWeights layer, VectorTensor eNorm, VectorTensor hNorm, MatrixTensor ehProj, VectorTensor headNorm) {
    /** Bytes in the checkpoint, without copies of embedding and head. */
    public long bytes() {
        return layer.bytes() + eNorm.bytes() + hNorm.bytes() + ehProj.bytes() + headNorm.bytes();
    }

    static MtpWeights map(TensorClaims claims, String prefix, ModelConfig config) {
        Dim hidden = Dim.hidden(config);
        Dim both = new Dim(2 * config.hiddenSize(), "2 * hidden_size");
        // Copies of the main embedding and head, which some checkpoints carry: checked, not used.
        for (String copy : new String[] {"embed_tokens.weight", "shared_head.head.weight"}) {
            if (claims.has(prefix + copy)) {
                claims.matrix(prefix + copy, Dim.vocab(config), hidden);
            }
        }
        return new MtpWeights(
                LayerWeights.map(claims, prefix, config, IndexerType.FULL, MlpType.SPARSE),
                claims.vector(prefix + "enorm.weight", hidden),
                claims.vector(prefix + "hnorm.weight", hidden),
                claims.matrix(prefix + "eh_proj.weight", hidden, both),
                claims.vector(prefix + "shared_head.norm.weight", hidden));
    }
}
