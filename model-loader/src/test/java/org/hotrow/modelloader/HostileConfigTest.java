package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One valid config, one edit each: the refusal names the field, what it is and what was expected. */
class HostileConfigTest {
    @TempDir
    private Path folder;

    private void assertRefused(String config, String where, String problem) {
        ModelFormatException e =
                catchThrowableOfType(ModelFormatException.class, () -> TestModels.read(folder, config));
        assertThat(e).as("accepted").isNotNull();
        assertThat(e.where()).isEqualTo(where);
        assertThat(e).hasMessage(folder.resolve("config.json") + ": " + where + ": " + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            num_attention_heads = 0                 | num_attention_heads     | is 0, expected a whole number from 1 to 4096
            num_attention_heads = -2                | num_attention_heads     | is -2, expected a whole number from 1 to 4096
            num_attention_heads = 4097              | num_attention_heads     | is 4097, expected a whole number from 1 to 4096
            num_attention_heads = 2.0               | num_attention_heads     | is 2.0, expected a whole number from 1 to 4096
            num_attention_heads = 2e0               | num_attention_heads     | is 2e0, expected a whole number from 1 to 4096
            num_attention_heads = "2"               | num_attention_heads     | is "2", expected a whole number from 1 to 4096
            num_attention_heads = true              | num_attention_heads     | is true, expected a whole number from 1 to 4096
            num_attention_heads = [2]               | num_attention_heads     | is [2], expected a whole number from 1 to 4096
            num_attention_heads = {"a": 2}          | num_attention_heads     | is an object of 1 fields, expected a whole number from 1 to 4096
            num_attention_heads = 4294967298        | num_attention_heads     | is 4294967298, expected a whole number from 1 to 4096
            num_attention_heads = 18446744073709551618 | num_attention_heads  | is 18446744073709551618, expected a whole number from 1 to 4096
            hidden_size = 100000000000000000000000000000 | hidden_size        | is 100000000000000000000000000000, expected a whole number from 1 to 65536
            hidden_size =                           | hidden_size             | is missing, expected a whole number from 1 to 65536
            hidden_size = 0                         | hidden_size             | is 0, expected a whole number from 1 to 65536
            vocab_size = 0                          | vocab_size              | is 0, expected a whole number from 1 to 4194304
            vocab_size = 2147483647                 | vocab_size              | is 2147483647, expected a whole number from 1 to 4194304
            num_hidden_layers = 0                   | num_hidden_layers       | is 0, expected a whole number from 1 to 1024
            num_hidden_layers = 1000000000          | num_hidden_layers       | is 1000000000, expected a whole number from 1 to 1024
            num_nextn_predict_layers = -1           | num_nextn_predict_layers | is -1, expected a whole number from 0 to 16
            num_nextn_predict_layers = 17           | num_nextn_predict_layers | is 17, expected a whole number from 0 to 16
            max_position_embeddings = 0             | max_position_embeddings | is 0, expected a whole number from 1 to 16777216
            q_lora_rank = null                      | q_lora_rank             | is null, expected a whole number from 1 to 65536
            kv_lora_rank = null                     | kv_lora_rank            | is null, expected a whole number from 1 to 65536
            qk_nope_head_dim = 0                    | qk_nope_head_dim        | is 0, expected a whole number from 1 to 4096
            qk_rope_head_dim = 0                    | qk_rope_head_dim        | is 0, expected a whole number from 2 to 4096
            qk_rope_head_dim = 63                   | qk_rope_head_dim        | is 63, expected an even number: RoPE rotates pairs
            qk_rope_head_dim = 130                  | index_head_dim          | is 128, expected at least qk_rope_head_dim, 130
            qk_head_dim = 256                       | qk_head_dim             | is 256, expected 96 = qk_nope_head_dim + qk_rope_head_dim
            v_head_dim = 0                          | v_head_dim              | is 0, expected a whole number from 1 to 4096
            index_n_heads = 0                       | index_n_heads           | is 0, expected a whole number from 1 to 4096
            index_head_dim = 32                     | index_head_dim          | is 32, expected at least qk_rope_head_dim, 64
            index_topk = 0                          | index_topk              | is 0, expected a whole number from 1 to 2147483647
            index_topk = 4097                       | index_topk              | is 4097, expected at most max_position_embeddings, 4096
            intermediate_size = 0                   | intermediate_size       | is 0, expected a whole number from 1 to 262144
            moe_intermediate_size = 65537           | moe_intermediate_size   | is 65537, expected a whole number from 1 to 65536
            n_routed_experts = 0                    | n_routed_experts        | is 0, expected a whole number from 1 to 4096
            num_experts_per_tok = 9                 | num_experts_per_tok     | is 9, expected at most n_routed_experts, 8
            num_experts_per_tok = 0                 | num_experts_per_tok     | is 0, expected a whole number from 1 to 4096
            n_shared_experts = -1                   | n_shared_experts        | is -1, expected a whole number from 0 to 64
            n_group = 3                             | n_group                 | is 3, expected a divisor of n_routed_experts, 8
            n_group = 8                             | n_group                 | is 8, expected groups of two experts or more: a group is scored by its two best
            topk_group = 2                          | topk_group              | is 2, expected at most n_group, 1
            norm_topk_prob = 1                      | norm_topk_prob          | is 1, expected true or false
            routed_scaling_factor = 0               | routed_scaling_factor   | is 0, expected a positive number up to 1000000.0
            rms_norm_eps = 0                        | rms_norm_eps            | is 0, expected a positive number up to 0.1
            rms_norm_eps = 1                        | rms_norm_eps            | is 1, expected a positive number up to 0.1
            rms_norm_eps = -1e-5                    | rms_norm_eps            | is -1e-5, expected a positive number up to 0.1
            rms_norm_eps = "1e-5"                   | rms_norm_eps            | is "1e-5", expected a positive number up to 0.1
            tie_word_embeddings = "false"           | tie_word_embeddings     | is "false", expected true or false
            eos_token_id = 384                      | eos_token_id            | is 384, expected a whole number from 0 to 383
            eos_token_id = [1, 384]                 | eos_token_id[1]         | is 384, expected a whole number from 0 to 383
            eos_token_id = [-1]                     | eos_token_id[0]         | is -1, expected a whole number from 0 to 383
            eos_token_id = "2"                      | eos_token_id            | is "2", expected a list
            pad_token_id = 384                      | pad_token_id            | is 384, expected a whole number from 0 to 383
            rope_parameters =                       | rope_theta              | is missing, expected a positive number, here or in rope_parameters
            rope_parameters = 5                     | rope_parameters         | is 5, expected an object
            rope_parameters = {"rope_theta": "x"}   | rope_parameters.rope_theta | is "x", expected a positive number up to 1.0E12
            rope_parameters = {"rope_theta": "NaN"} | rope_parameters.rope_theta | is "NaN", expected a positive number up to 1.0E12
            rope_parameters = {"rope_theta": 1e999} | rope_parameters.rope_theta | is 1e999, expected a positive number up to 1.0E12
            rope_parameters = {"rope_theta": -1}    | rope_parameters.rope_theta | is -1, expected a positive number up to 1.0E12
            rope_parameters = {"rope_theta": 1}     | rope_parameters.rope_theta | is 1, expected at least 2.0
            rope_parameters = {"rope_theta": 9, "rope_type": "yarn"} | rope_parameters.rope_type | is "yarn", expected "default"
            rope_parameters = {"rope_theta": 9, "type": "linear"} | rope_parameters.type | is "linear", expected "default"
            rope_parameters = {"rope_theta": 9, "factor": 4} | rope_parameters.factor | is 4, expected no such field with rope_type "default"
            rope_parameters = {"rope_theta": 9, "partial_rotary_factor": 0.5} | rope_parameters.partial_rotary_factor | is 0.5, expected 1
            rope_parameters = {"full_attention": {"rope_theta": 9}} | rope_parameters.full_attention | is an object of 1 fields, expected no such field with rope_type "default"
            partial_rotary_factor = 0.5             | partial_rotary_factor   | is 0.5, expected 1
            rope_theta = 10000                      | rope_theta              | is 10000, expected what rope_parameters.rope_theta says: 8000000
            rope_scaling = {"rope_theta": 10000}    | rope_scaling.rope_theta | is 10000, expected what rope_parameters.rope_theta says: 8000000
            indexer_types = ["full"]                | indexer_types           | is a list of 1, expected a list of 6 (num_hidden_layers)
            indexer_types = "full"                  | indexer_types           | is "full", expected a list
            indexer_types = ["full", "half"]        | indexer_types[1]        | is "half", expected "full" or "shared"
            indexer_types = ["full", "FULL"]        | indexer_types[1]        | is "FULL", expected "full" or "shared"
            indexer_types = ["full", 1]             | indexer_types[1]        | is 1, expected "full" or "shared"
            indexer_types = ["shared", "full", "full", "full", "full", "full"] | indexer_types | is a list of 6, expected a schedule whose first layer has its own indexer: no earlier one to share
            index_topk_pattern = "FSSF"             | index_topk_pattern      | is "FSSF", expected 6 letters F or S (num_hidden_layers)
            index_topk_pattern = "FSXFSF"           | index_topk_pattern      | is "FSXFSF", expected 6 letters F or S (num_hidden_layers)
            index_topk_pattern = "SFFFFF"           | index_topk_pattern      | is "SFFFFF", expected a schedule whose first layer has its own indexer: no earlier one to share
            index_topk_freq = 0                     | index_topk_freq         | is 0, expected a whole number from 1 to 1048576
            index_topk_freq = 2.5                   | index_topk_freq         | is 2.5, expected a whole number from 1 to 1048576
            index_skip_topk_offset = -1             | index_skip_topk_offset  | is -1, expected a whole number from 0 to 1048576
            indexer_rope_interleave = 1             | indexer_rope_interleave | is 1, expected true or false
            mlp_layer_types = ["dense", "sparse"]   | mlp_layer_types         | is a list of 2, expected a list of 6 (num_hidden_layers)
            mlp_layer_types = ["moe"]               | mlp_layer_types[0]      | is "moe", expected "dense" or "sparse"
            first_k_dense_replace = -1              | first_k_dense_replace   | is -1, expected a whole number from 0 to 2147483647
            moe_layer_freq = 0                      | moe_layer_freq          | is 0, expected a whole number from 1 to 2147483647
            hidden_act = "gelu"                     | hidden_act              | is "gelu", expected "silu"
            hidden_act = 5                          | hidden_act              | is 5, expected "silu"
            scoring_func = "softmax"                | scoring_func            | is "softmax", expected "sigmoid"
            topk_method = "greedy"                  | topk_method             | is "greedy", expected "noaux_tc"
            moe_router_dtype = "bfloat16"           | moe_router_dtype        | is "bfloat16", expected "float32"
            attention_bias = true                   | attention_bias          | is true, expected no such setting: Hotrow does not run it
            mlp_bias = true                         | mlp_bias                | is true, expected no such setting: Hotrow does not run it
            sliding_window = 4096                   | sliding_window          | is 4096, expected no such setting: Hotrow does not run it
            use_sliding_window = true               | use_sliding_window      | is true, expected no such setting: Hotrow does not run it
            attn_logit_softcapping = 30.0           | attn_logit_softcapping  | is 30.0, expected no such setting: Hotrow does not run it
            final_logit_softcapping = 30.0          | final_logit_softcapping | is 30.0, expected no such setting: Hotrow does not run it
            swiglu_limit = 10.0                     | swiglu_limit            | is 10.0, expected no such setting: Hotrow does not run it
            compression_config = {}                 | compression_config      | is an object of 0 fields, expected no such setting: Hotrow does not run it
            layer_types = ["indexed_attention", "sliding_attention"] | layer_types[1] | is "sliding_attention", expected "indexed_attention" or "deepseek_sparse_attention"
            dtype = "float8"                        | dtype                   | is "float8", expected "bfloat16" or "float16" or "float32"
            architectures = ["DeepseekV32ForCausalLM"] | architectures[0]     | is "DeepseekV32ForCausalLM", expected "GlmMoeDsaForCausalLM"
            architectures = "GlmMoeDsaForCausalLM"  | architectures           | is "GlmMoeDsaForCausalLM", expected a list
            quantization_config = "fp8"             | quantization_config     | is "fp8", expected an object
            """)
    void refusesOneBadField(String edit, String where, String problem) {
        assertRefused(TestModels.edited(TestModels.GLM, edit), where, problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            n_group = 16                           | n_group                 | is 16, expected groups of two experts or more: a group is scored by its two best
            num_experts_per_tok = 9                | topk_group              | is missing, expected groups that hold num_experts_per_tok, 9
            topk_group = 9                         | topk_group              | is 9, expected at most n_group, 8
            architectures = ["GlmMoeDsaForCausalLM"] | architectures[0]      | is "GlmMoeDsaForCausalLM", expected "DeepseekV32ForCausalLM"
            rope_scaling = {"type": "yarn", "original_max_position_embeddings": 64} | rope_scaling.factor | is missing, expected a positive number up to 1000000.0
            rope_scaling = {"type": "yarn", "factor": 0.5, "original_max_position_embeddings": 64} | rope_scaling.factor | is 0.5, expected at least 1
            rope_scaling = {"type": "yarn", "factor": 4} | rope_scaling.original_max_position_embeddings | is missing, expected a whole number from 1 to 16777216
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64.0} | rope_scaling.original_max_position_embeddings | is 64.0, expected a whole number from 1 to 16777216
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "beta_fast": 1, "beta_slow": 2} | rope_scaling.beta_fast | is 1, expected at least beta_slow, 2.0
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "beta_slow": 0} | rope_scaling.beta_slow | is 0, expected a positive number up to 1000000.0
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "mscale": -1} | rope_scaling.mscale | is -1, expected a number from 0 to 1000.0
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "mscale_all_dim": "1"} | rope_scaling.mscale_all_dim | is "1", expected a number from 0 to 1000.0
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "attention_factor": 0} | rope_scaling.attention_factor | is 0, expected a positive number up to 1000.0
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "truncate": 0} | rope_scaling.truncate | is 0, expected true or false
            rope_scaling = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 64, "short_factor": [1]} | rope_scaling.short_factor | is [1], expected no such field with rope_type "yarn"
            rope_scaling = {"type": "yarn", "rope_type": "default"} | rope_scaling.type | is "yarn", expected what rope_scaling.rope_type says: "default"
            rope_scaling = {"type": "longrope"}    | rope_scaling.type       | is "longrope", expected "default" or "yarn"
            rope_scaling = {"factor": 40}          | rope_scaling.factor     | is 40, expected no such field with rope_type "default"
            rope_parameters = {"rope_type": "default"} | rope_scaling        | is an object of 3 fields, expected what rope_parameters says: an object of 1 fields
            rope_parameters = {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64} | rope_scaling | is an object of 3 fields, expected what rope_parameters says: an object of 3 fields
            """)
    void refusesOneBadFieldOfDeepSeek(String edit, String where, String problem) {
        assertRefused(TestModels.edited(TestModels.DEEPSEEK, edit), where, problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            quant_method = "gptq"                  | quant_method            | is "gptq", expected "fp8": of quantised checkpoints, Hotrow reads those in block FP8 only
            quant_method = "compressed-tensors"    | quant_method            | is "compressed-tensors", expected "fp8": of quantised checkpoints, Hotrow reads those in block FP8 only
            quant_method = "nvfp4"                 | quant_method            | is "nvfp4", expected "fp8": of quantised checkpoints, Hotrow reads those in block FP8 only
            quant_method =                         | quant_method            | is missing, expected "fp8": of quantised checkpoints, Hotrow reads those in block FP8 only
            fmt = "e5m2"                           | fmt                     | is "e5m2", expected "e4m3"
            activation_scheme = "static"           | activation_scheme       | is "static", expected "dynamic"
            scale_fmt = "float"                    | scale_fmt               | is "float", expected "ue8m0"
            weight_block_size =                    | weight_block_size       | is missing, expected [128, 128]
            weight_block_size = null               | weight_block_size       | is null, expected [128, 128]
            weight_block_size = [64, 128]          | weight_block_size       | is [64, 128], expected [128, 128]
            weight_block_size = [128]              | weight_block_size       | is [128], expected [128, 128]
            weight_block_size = [128, 128, 1]      | weight_block_size       | is [128, 128, 1], expected [128, 128]
            weight_block_size = [128, "128"]       | weight_block_size       | is a list of 2, expected [128, 128]
            weight_block_size = 128                | weight_block_size       | is 128, expected a list
            """)
    void refusesOtherQuantisations(String edit, String where, String problem) {
        String fp8 = TestModels.edited("""
                {
                  "quant_method": "fp8",
                  "weight_block_size": [128, 128],
                  "end": null
                }
                """, edit);
        String config = TestModels.edited(TestModels.GLM, "quantization_config = " + fp8.replace("\n", ""));
        assertRefused(config, "quantization_config." + where, problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"glm5_next\"", "\"glm4_moe_lite\"", "\"deepseek_v3\"", "\"deepseek_v4\"", "\"llama\"", "5"})
    void refusesOtherModelsAndSaysWhatRuns(String modelType) {
        assertRefused(
                TestModels.edited(TestModels.GLM, "model_type = " + modelType),
                "model_type",
                "is " + modelType + ", expected \"glm_moe_dsa\" (GLM-5, 5.1, 5.2, 5.3) or \"deepseek_v32\""
                        + " (DeepSeek-V3.2): Hotrow runs no other model");
    }

    @Test
    void refusesTwoSpellingsThatContradictEachOther() {
        assertRefused(
                TestModels.edited(TestModels.GLM, "dtype = \"bfloat16\"", "torch_dtype = \"float16\""),
                "torch_dtype",
                "is \"float16\", expected what dtype says: \"bfloat16\"");
    }

    @Test
    void refusesARuleWhoseFirstLayerShares() {
        assertRefused(
                TestModels.edited(TestModels.GLM, "index_topk_freq = 4", "index_skip_topk_offset = 0"),
                "index_skip_topk_offset",
                "is 0, expected a schedule whose first layer has its own indexer: no earlier one to share");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"hidden_size\": NaN}", "{\"hidden_size\": -Infinity}", "null"})
    void refusesWhatIsNoJsonObject(String text) {
        assertThatThrownBy(() -> TestModels.read(folder, text))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageStartingWith(folder.resolve("config.json") + ": is ");
    }

    @Test
    void refusesANumberOfManyDigits() {
        assertThatThrownBy(() -> TestModels.read(folder, TestModels.edited(TestModels.GLM, "a = 1" + "0".repeat(999))))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("exceeds a limit");
    }

    @Test
    void refusesAFieldGivenTwice() {
        assertThatThrownBy(() -> TestModels.read(folder, TestModels.GLM.replace("}\n", ", \"hidden_size\": 64}\n")))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("hidden_size");
    }

    @Test
    void refusesAFileThatIsTooLongOrNotThere() throws IOException {
        String spaces = " ".repeat((1 << 20) - TestModels.GLM.length());
        assertThat(TestModels.read(folder, TestModels.GLM + spaces).layers()).isEqualTo(6);
        assertThatThrownBy(() -> TestModels.read(folder, TestModels.GLM + spaces + " "))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageEndingWith("config.json: is too long for a config, expected at most 1 MiB");
        Files.delete(folder.resolve("config.json"));
        assertThatThrownBy(() -> ModelConfig.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageEndingWith("config.json: does not exist, expected a file of the model's folder");
    }

    @Test
    void refusesAConfigThatIsNoFileAndAModelThatIsNoFolder() throws IOException {
        Path config = Files.createDirectory(folder.resolve("config.json"));
        assertThatThrownBy(() -> ModelConfig.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessage(config + ": is not a file");
        Path file = Files.writeString(folder.resolve("model"), "{}");
        for (Path model : new Path[] {file, folder.resolve("none")}) {
            assertThatThrownBy(() -> ModelConfig.read(model))
                    .isInstanceOf(ModelFormatException.class)
                    .hasMessage(model + ": is missing or not a folder; expected the folder of a model");
        }
    }
}
