package org.hotrow.modelloader;

/**
 * Projections of latent attention, {@code y = W x}. Shapes are [out, in].
 *
 * @param qA hidden to query latent, [queryRank, hidden]
 * @param qANorm RMS norm of the query latent
 * @param qB query latent to heads of {@code [nope | rope]}, [heads * queryDim, queryRank]
 * @param kvA hidden to {@code [latent | rope]}, [latentRank + ropeDim, hidden]
 * @param kvANorm RMS norm of the key-value latent, rope excluded
 * @param kvB key-value latent to heads of {@code [nope | value]}, [heads * (nopeDim + valueDim), latentRank]
 * @param output heads' values to hidden, [hidden, heads * valueDim]
 */
public record AttentionWeights(
        MatrixTensor qA,
        VectorTensor qANorm,
        MatrixTensor qB,
        MatrixTensor kvA,
        VectorTensor kvANorm,
        MatrixTensor kvB,
        MatrixTensor output) {
    /** Bytes in the checkpoint. */
    public long bytes() {
        return qA.bytes() + qANorm.bytes() + qB.bytes() + kvA.bytes() + kvANorm.bytes() + kvB.bytes() + output.bytes();
    }

    static AttentionWeights map(TensorClaims claims, String prefix, ModelConfig config) {
        AttentionConfig attention = config.attention();
        int heads = attention.heads();
        Dim hidden = Dim.hidden(config);
        Dim queryRank = Dim.queryRank(config);
        Dim queries =
                new Dim(heads * attention.queryDim(), "num_attention_heads * (qk_nope_head_dim + qk_rope_head_dim)");
        Dim latent = new Dim(attention.latentRank(), "kv_lora_rank");
        Dim row = new Dim(attention.latentRank() + attention.ropeDim(), "kv_lora_rank + qk_rope_head_dim");
        Dim keysAndValues = new Dim(
                heads * (attention.nopeDim() + attention.valueDim()),
                "num_attention_heads * (qk_nope_head_dim + v_head_dim)");
        Dim values = new Dim(heads * attention.valueDim(), "num_attention_heads * v_head_dim");
        return new AttentionWeights(
                claims.matrix(prefix + "q_a_proj.weight", queryRank, hidden),
                claims.vector(prefix + "q_a_layernorm.weight", queryRank),
                claims.matrix(prefix + "q_b_proj.weight", queries, queryRank),
                claims.matrix(prefix + "kv_a_proj_with_mqa.weight", row, hidden),
                claims.vector(prefix + "kv_a_layernorm.weight", latent),
                claims.matrix(prefix + "kv_b_proj.weight", keysAndValues, latent),
                claims.matrix(prefix + "o_proj.weight", hidden, values));
    }
}
