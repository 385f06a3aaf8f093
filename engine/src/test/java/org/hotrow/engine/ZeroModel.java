package org.hotrow.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A checkpoint of one dense layer, all zeros, whose latent and index key are as wide as a test wants. */
final class ZeroModel {
    private static final int HIDDEN = 24;
    private static final int VOCAB = 11;
    private static final int RANK = 12;
    private static final int ROPE = 8;

    private ZeroModel() {}

    static void write(Path folder, int latent, int indexDim) throws IOException {
        Files.writeString(folder.resolve("config.json"), """
                {"model_type": "glm_moe_dsa", "vocab_size": 11, "hidden_size": 24, "num_hidden_layers": 1,
                 "num_attention_heads": 1, "q_lora_rank": 12, "kv_lora_rank": %d, "qk_nope_head_dim": 4,
                 "qk_rope_head_dim": 8, "v_head_dim": 4, "index_n_heads": 1, "index_head_dim": %d, "index_topk": 2,
                 "intermediate_size": 16, "moe_intermediate_size": 16, "n_routed_experts": 2,
                 "num_experts_per_tok": 1, "first_k_dense_replace": 1, "max_position_embeddings": 256,
                 "rope_theta": 10000}
                """.formatted(latent, indexDim));
        String attention = "model.layers.0.self_attn.";
        String mlp = "model.layers.0.mlp.";
        Header header = new Header();
        header.add("model.embed_tokens.weight", VOCAB, HIDDEN);
        header.add("lm_head.weight", VOCAB, HIDDEN);
        header.add("model.norm.weight", HIDDEN);
        header.add("model.layers.0.input_layernorm.weight", HIDDEN);
        header.add("model.layers.0.post_attention_layernorm.weight", HIDDEN);
        header.add(attention + "q_a_proj.weight", RANK, HIDDEN);
        header.add(attention + "q_a_layernorm.weight", RANK);
        header.add(attention + "q_b_proj.weight", 4 + ROPE, RANK);
        header.add(attention + "kv_a_proj_with_mqa.weight", latent + ROPE, HIDDEN);
        header.add(attention + "kv_a_layernorm.weight", latent);
        header.add(attention + "kv_b_proj.weight", 8, latent);
        header.add(attention + "o_proj.weight", HIDDEN, 4);
        header.add(attention + "indexer.wq_b.weight", indexDim, RANK);
        header.add(attention + "indexer.wk.weight", indexDim, HIDDEN);
        header.add(attention + "indexer.k_norm.weight", indexDim);
        header.add(attention + "indexer.k_norm.bias", indexDim);
        header.add(attention + "indexer.weights_proj.weight", 1, HIDDEN);
        header.add(mlp + "gate_proj.weight", 16, HIDDEN);
        header.add(mlp + "up_proj.weight", 16, HIDDEN);
        header.add(mlp + "down_proj.weight", HIDDEN, 16);
        Files.write(folder.resolve("model.safetensors"), header.fileOfZeros());
    }

    private static final class Header {
        private final List<String> tensors = new ArrayList<>();
        private long bytes;

        void add(String name, long... shape) {
            long end = bytes + Float.BYTES * LongStream.of(shape).reduce(1, Math::multiplyExact);
            String dims = LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
            tensors.add("\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%d,%d]}"
                    .formatted(name, dims, bytes, end));
            bytes = end;
        }

        byte[] fileOfZeros() {
            byte[] header = ("{" + String.join(",", tensors) + "}").getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate((int) (Long.BYTES + header.length + bytes))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(header.length)
                    .put(header)
                    .array();
        }
    }
}
