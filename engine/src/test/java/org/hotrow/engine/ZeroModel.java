package org.hotrow.engine;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.SafetensorsWriter;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;

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
        List<Tensor> tensors = new ArrayList<>();
        tensors.add(tensor("model.embed_tokens.weight", VOCAB, HIDDEN));
        tensors.add(tensor("lm_head.weight", VOCAB, HIDDEN));
        tensors.add(tensor("model.norm.weight", HIDDEN));
        tensors.add(tensor("model.layers.0.input_layernorm.weight", HIDDEN));
        tensors.add(tensor("model.layers.0.post_attention_layernorm.weight", HIDDEN));
        tensors.add(tensor(attention + "q_a_proj.weight", RANK, HIDDEN));
        tensors.add(tensor(attention + "q_a_layernorm.weight", RANK));
        tensors.add(tensor(attention + "q_b_proj.weight", 4 + ROPE, RANK));
        tensors.add(tensor(attention + "kv_a_proj_with_mqa.weight", latent + ROPE, HIDDEN));
        tensors.add(tensor(attention + "kv_a_layernorm.weight", latent));
        tensors.add(tensor(attention + "kv_b_proj.weight", 8, latent));
        tensors.add(tensor(attention + "o_proj.weight", HIDDEN, 4));
        tensors.add(tensor(attention + "indexer.wq_b.weight", indexDim, RANK));
        tensors.add(tensor(attention + "indexer.wk.weight", indexDim, HIDDEN));
        tensors.add(tensor(attention + "indexer.k_norm.weight", indexDim));
        tensors.add(tensor(attention + "indexer.k_norm.bias", indexDim));
        tensors.add(tensor(attention + "indexer.weights_proj.weight", 1, HIDDEN));
        tensors.add(tensor(mlp + "gate_proj.weight", 16, HIDDEN));
        tensors.add(tensor(mlp + "up_proj.weight", 16, HIDDEN));
        tensors.add(tensor(mlp + "down_proj.weight", HIDDEN, 16));
        try (SafetensorsWriter writer =
                SafetensorsWriter.create(folder.resolve("model.safetensors"), Map.of(), tensors)) {
            for (Tensor tensor : tensors) {
                writer.write(MemorySegment.ofArray(new byte[Math.toIntExact(tensor.bytes())]));
            }
            writer.finish();
        }
    }

    private static Tensor tensor(String name, long... shape) {
        return new Tensor(name, DType.F32, LongStream.of(shape).boxed().toList());
    }
}
