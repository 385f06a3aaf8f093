package org.hotrow.modelloader;

/**
 * The indexer of a FULL layer. Shapes are [out, in].
 *
 * @param qB query latent to index heads, [heads * headDim, queryRank]
 * @param k hidden to the index key, [headDim, hidden]
 * @param kNormWeight LayerNorm of the key, with a mean and eps 1e-6
 * @param kNormBias its bias
 * @param headWeights hidden to the heads' weights, [heads, hidden]
 */
public record IndexerWeights(
        MatrixTensor qB, MatrixTensor k, VectorTensor kNormWeight, VectorTensor kNormBias, MatrixTensor headWeights) {
    /** Bytes in the checkpoint. */
    public long bytes() {
        return qB.bytes() + k.bytes() + kNormWeight.bytes() + kNormBias.bytes() + headWeights.bytes();
    }

    static IndexerWeights map(TensorClaims claims, String prefix, ModelConfig config) {
        IndexerConfig indexer = config.indexer();
        Dim hidden = Dim.hidden(config);
        Dim heads = new Dim(indexer.heads(), "index_n_heads");
        Dim key = new Dim(indexer.headDim(), "index_head_dim");
        Dim queries = new Dim(indexer.heads() * indexer.headDim(), "index_n_heads * index_head_dim");
        return new IndexerWeights(
                claims.matrix(prefix + "wq_b.weight", queries, Dim.queryRank(config)),
                claims.matrix(prefix + "wk.weight", key, hidden),
                claims.vector(prefix + "k_norm.weight", key),
                claims.vector(prefix + "k_norm.bias", key),
                claims.matrix(prefix + "weights_proj.weight", heads, hidden));
    }
}
