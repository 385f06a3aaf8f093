package org.hotrow.modelloader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Model folders in the test resources, and small configs to edit. */
final class TestModels {
    /** A small valid GLM config, one field per line; {@link #edited} never touches the last one. */
    static final String GLM = """
            {
              "architectures": ["GlmMoeDsaForCausalLM"],
              "model_type": "glm_moe_dsa",
              "vocab_size": 384,
              "hidden_size": 128,
              "intermediate_size": 256,
              "moe_intermediate_size": 64,
              "num_hidden_layers": 6,
              "num_attention_heads": 2,
              "q_lora_rank": 96,
              "kv_lora_rank": 512,
              "qk_nope_head_dim": 32,
              "qk_rope_head_dim": 64,
              "v_head_dim": 48,
              "index_n_heads": 8,
              "index_head_dim": 128,
              "index_topk": 64,
              "rope_parameters": {"rope_theta": 8000000, "rope_type": "default"},
              "n_routed_experts": 8,
              "num_experts_per_tok": 2,
              "max_position_embeddings": 4096,
              "use_cache": true
            }
            """;

    /** A small valid DeepSeek config of the same form. */
    static final String DEEPSEEK = edited(
            GLM,
            "architectures = [\"DeepseekV32ForCausalLM\"]",
            "model_type = \"deepseek_v32\"",
            "rope_parameters = null",
            "rope_theta = 10000",
            "n_routed_experts = 16",
            "rope_scaling = {\"type\": \"yarn\", \"factor\": 40, \"original_max_position_embeddings\": 64}");

    private TestModels() {}

    /** A folder of {@code src/test/resources/configs}. */
    static Path folder(String name) {
        URL found = Objects.requireNonNull(TestModels.class.getResource("/configs/" + name + "/config.json"));
        try {
            return Objects.requireNonNull(Path.of(found.toURI()).getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static ModelConfig config(String name) {
        return ModelConfig.read(folder(name));
    }

    /** The config text with fields replaced, added ({@code name = json}) or removed ({@code name =}). */
    static String edited(String config, String... edits) {
        String text = config;
        for (String edit : edits) {
            String[] parts = edit.split(" =", 2);
            String removed = text.replaceAll("(?m)^ *\"" + parts[0] + "\":.*\\R", "");
            text = parts[1].isBlank() ? removed : "{\n  \"" + parts[0] + "\":" + parts[1] + "," + removed.substring(1);
        }
        return text;
    }

    /** Reads {@code config} as the config.json of {@code folder}. */
    static ModelConfig read(Path folder, String config) {
        try {
            Files.writeString(folder.resolve("config.json"), config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ModelConfig.read(folder);
    }
}
