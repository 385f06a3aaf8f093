package org.hotrow.modelloader;

/**
 * Multi-head latent attention. A query head is {@code [nope | rope]}; the cached row of a token is
 * {@code [latent | rope]}, shared by all heads. No projection has a bias.
 *
 * @param heads query heads
 * @param queryRank width of the query latent, {@code q_lora_rank}
 * @param latentRank width of the key-value latent, {@code kv_lora_rank}
 * @param nopeDim width of a query or key head's part without position
 * @param ropeDim width of the rotated part; even
 * @param valueDim width of a value head
 * @param ropeInterleaved whether RoPE rotates pairs (2i, 2i+1), else (i, i + ropeDim/2)
 */
public record AttentionConfig(
        int heads, int queryRank, int latentRank, int nopeDim, int ropeDim, int valueDim, boolean ropeInterleaved) {
    private static final int MAX_HEADS = 4096;
    private static final int MAX_HEAD_DIM = 4096;
    private static final int MAX_RANK = 1 << 16;

    /** Width of a query or key head: nope and rope. */
    public int queryDim() {
        return nopeDim + ropeDim;
    }

    static AttentionConfig read(JsonFields config) {
        var attention = new AttentionConfig(
                config.whole("num_attention_heads", 1, MAX_HEADS),
                config.whole("q_lora_rank", 1, MAX_RANK),
                config.whole("kv_lora_rank", 1, MAX_RANK),
                config.whole("qk_nope_head_dim", 1, MAX_HEAD_DIM),
                config.whole("qk_rope_head_dim", 2, MAX_HEAD_DIM),
                config.whole("v_head_dim", 1, MAX_HEAD_DIM),
                config.flag("rope_interleave", true));
        if (attention.ropeDim % 2 != 0) {
            throw config.refusal("qk_rope_head_dim", "an even number: RoPE rotates pairs");
        }
        int queryDim = attention.queryDim();
        if (config.whole("qk_head_dim", 1, 2 * MAX_HEAD_DIM, queryDim) != queryDim) {
            throw config.refusal("qk_head_dim", queryDim + " = qk_nope_head_dim + qk_rope_head_dim");
        }
        return attention;
    }
}
