package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A model's {@code config.json}: its shape, and what its numbers mean. Everything is within bounds: no product of two
 * or three sizes overflows a long, no width of a projection an int.
 *
 * <p>Spellings. RoPE: {@code rope_theta} and {@code rope_type} or {@code type}, in {@code rope_parameters} or
 * {@code rope_scaling}; theta also on its own. Indexers: {@code indexer_types}, else {@code index_topk_pattern}, else
 * {@code index_topk_freq} and {@code index_skip_topk_offset}. MLPs: {@code mlp_layer_types}, else
 * {@code first_k_dense_replace} and {@code moe_layer_freq}. Experts: {@code n_routed_experts}. Type of the weights
 * (checked, but each tensor says its own): {@code dtype} or {@code torch_dtype}. Two spellings that contradict each
 * other are refused; a list and a rule are not: the list decides.
 *
 * <p>Defaults of absent fields, the same as null:
 *
 * <pre>
 *                                   GLM_MOE_DSA   DEEPSEEK_V32
 * rms_norm_eps                      1e-5          1e-6
 * n_group, topk_group               1, 1          8, 4
 * indexer_rope_interleave           true          false
 * rope_interleave                   true          true
 * rope_type                         default       default
 * index_topk_freq, ..._offset       1, 2          1, 2          every layer has its indexer
 * index_share_for_mtp_iteration     false         false
 * first_k_dense_replace             3             3
 * moe_layer_freq                    1             1
 * n_shared_experts                  1             1
 * norm_topk_prob                    true          true
 * routed_scaling_factor             2.5           2.5
 * num_nextn_predict_layers          0             0
 * tie_word_embeddings               false         false
 * eos_token_id, pad_token_id        none          none
 * </pre>
 *
 * All other fields named in these records are required; rope_theta too, since a wrong guess would go unseen. Ignored:
 * head_dim and num_key_value_heads, which mean nothing here, modules_to_not_convert, and what only training or a
 * server needs.
 *
 * @param family decides defaults and conventions
 * @param vocabSize rows of embedding and head, which may exceed the tokenizer's ids
 * @param hiddenSize width of the residual stream
 * @param layers main layers
 * @param mtpLayers layers for drafting that a full checkpoint has after the main ones
 * @param contextLength largest number of positions
 * @param rmsEps of every RMS norm, those of the latents too
 * @param tiedEmbeddings whether the head is the embedding where the checkpoint has no head
 * @param quantization present if the config announces block FP8
 * @param eosIds tokens that end a generation, ascending
 * @param padId token for padding
 */
public record ModelConfig(
        Family family,
        int vocabSize,
        int hiddenSize,
        int layers,
        int mtpLayers,
        int contextLength,
        double rmsEps,
        boolean tiedEmbeddings,
        AttentionConfig attention,
        IndexerConfig indexer,
        MlpConfig mlp,
        RopeConfig rope,
        Optional<Fp8> quantization,
        List<Integer> eosIds,
        OptionalInt padId) {
    private static final int MAX_VOCAB = 1 << 22;
    private static final int MAX_HIDDEN = 1 << 16;
    private static final int MAX_LAYERS = 1024;
    private static final int MAX_MTP_LAYERS = 16;
    private static final int MAX_CONTEXT = 1 << 24;
    private static final double MAX_EPS = 0.1;

    public ModelConfig {
        eosIds = List.copyOf(eosIds);
    }

    /** Factor of the attention scores before the softmax. */
    public double softmaxScale() {
        return rope.softmaxScale(attention.queryDim());
    }

    /**
     * Reads {@code config.json} in {@code folder}.
     *
     * @throws ModelFormatException naming the field, if the config is broken, contradicts itself or asks for something
     *     that Hotrow does not run
     */
    public static ModelConfig read(Path folder) {
        JsonFields config = JsonFields.read(new ModelFolder(folder).path().resolve("config.json"));
        Family family = Family.read(config);
        refuseWhatIsNotRun(config);
        checkWeightType(config);
        int vocabSize = config.whole("vocab_size", 1, MAX_VOCAB);
        int layers = config.whole("num_hidden_layers", 1, MAX_LAYERS);
        int contextLength = config.whole("max_position_embeddings", 1, MAX_CONTEXT);
        AttentionConfig attention = AttentionConfig.read(config);
        @Nullable JsonFields quantization = config.child("quantization_config");
        return new ModelConfig(
                family,
                vocabSize,
                config.whole("hidden_size", 1, MAX_HIDDEN),
                layers,
                config.whole("num_nextn_predict_layers", 0, MAX_MTP_LAYERS, 0),
                contextLength,
                config.positive("rms_norm_eps", MAX_EPS, family.rmsEps),
                config.flag("tie_word_embeddings", false),
                attention,
                IndexerConfig.read(config, family, layers, contextLength, attention.ropeDim()),
                MlpConfig.read(config, family, layers),
                RopeConfig.read(config, family, MAX_CONTEXT),
                quantization == null ? Optional.empty() : Optional.of(Fp8.read(quantization)),
                config.tokenIds("eos_token_id", vocabSize),
                config.tokenId("pad_token_id", vocabSize));
    }

    private static void refuseWhatIsNotRun(JsonFields config) {
        for (String name : List.of(
                "attention_bias",
                "mlp_bias",
                "sliding_window",
                "use_sliding_window",
                "attn_logit_softcapping",
                "final_logit_softcapping",
                "swiglu_limit",
                "compression_config")) {
            config.refuseIfSet(name);
        }
        config.words("layer_types", "indexed_attention", "deepseek_sparse_attention");
    }

    private static void checkWeightType(JsonFields config) {
        String[] types = {"bfloat16", "float16", "float32"};
        if (config.has("dtype")
                && config.has("torch_dtype")
                && !config.word("dtype", types).equals(config.word("torch_dtype", types))) {
            throw config.contradiction("torch_dtype", config, "dtype");
        }
        config.word("dtype", types);
        config.word("torch_dtype", types);
    }
}
