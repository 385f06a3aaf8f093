package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.modelloader.FakeCheckpoint.tensor;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden checkpoints with one change each: refused by name, whatever the tensor. */
class ChangedWeightsTest {
    private static void assertRefused(String config, FakeCheckpoint checkpoint, String... parts) {
        assertThatThrownBy(() -> ModelWeights.map(TestModels.config(config), checkpoint))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContainingAll(parts);
    }

    private static void assertRefused(ModelConfig config, FakeCheckpoint checkpoint, String part) {
        assertThatThrownBy(() -> ModelWeights.map(config, checkpoint))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining(part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"glm-tiny-bf16", "glm-tiny-fp8", "dsv32-tiny-fp8"})
    void refusesAnyLostTensor(String name) {
        ModelConfig config = TestModels.config(name);
        FakeCheckpoint golden = FakeCheckpoint.golden(name);
        for (String lost : golden.names()) {
            if (!ModelWeightsTest.COPIES.contains(lost)) {
                assertRefused(config, golden.lacking(lost), "json: " + lost + ": is missing, expected with shape [");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"glm-tiny-bf16", "glm-tiny-fp8", "dsv32-tiny-fp8"})
    void refusesAnyTensorOfAnotherShape(String name) {
        ModelConfig config = TestModels.config(name);
        FakeCheckpoint golden = FakeCheckpoint.golden(name);
        for (TensorView tensor : golden.tensors().values()) {
            for (int axis = 0; axis < tensor.shape().size(); axis++) {
                Long[] shape = tensor.shape().toArray(Long[]::new);
                shape[axis]++;
                assertRefused(
                        config,
                        golden.with(tensor(tensor.name(), tensor.dtype(), shape)),
                        "shard.safetensors: " + tensor.name() + ": has shape " + List.of(shape) + ", expected "
                                + tensor.shape() + " = [");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"glm-tiny-bf16", "glm-tiny-fp8", "dsv32-tiny-fp8"})
    void refusesAnyTensorOfAnotherType(String name) {
        ModelConfig config = TestModels.config(name);
        FakeCheckpoint golden = FakeCheckpoint.golden(name);
        for (String changed : golden.names()) {
            assertRefused(
                    config,
                    golden.retyped(changed, DType.F8_E5M2),
                    "shard.safetensors: " + changed + ": is F8_E5M2, expected ");
        }
    }

    @Test
    void saysWhichFieldsAShapeComesFrom() {
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-bf16");
        String kvA = "model.layers.0.self_attn.kv_a_proj_with_mqa.weight";
        assertRefused(
                "glm-tiny-bf16",
                golden.with(tensor(kvA, DType.BF16, 512L, 128L)),
                kvA + ": has shape [512, 128], expected [576, 128] ="
                        + " [kv_lora_rank + qk_rope_head_dim, hidden_size] of config.json");
        assertRefused(
                "glm-tiny-bf16",
                golden.with(tensor("model.embed_tokens.weight", DType.BF16, 383L, 128L)),
                "model.embed_tokens.weight: has shape [383, 128], expected [384, 128] = [vocab_size, hidden_size]");
        assertRefused(
                "glm-tiny-bf16", golden.with(tensor("model.norm.weight", DType.BF16)), "has shape [], expected [128]");
    }

    @Test
    void refusesScalesWithoutFp8AndFp8WithoutScales() {
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-fp8");
        String expert = "model.layers.3.mlp.experts.7.down_proj.weight";
        for (DType dtype : List.of(DType.BF16, DType.F16, DType.F32)) {
            assertRefused(
                    "glm-tiny-fp8",
                    golden.retyped(expert, dtype),
                    expert + ": is " + dtype + " but has scales, " + expert + "_scale_inv");
        }
        String router = "model.layers.3.mlp.gate.weight";
        assertRefused(
                "glm-tiny-fp8",
                golden.retyped(router, DType.F8_E4M3),
                router + "_scale_inv: is missing, expected with shape [1, 1] ="
                        + " [ceil(n_routed_experts / 128), ceil(hidden_size / 128)]");
    }

    @Test
    void refusesVectorsInTypesThatLoseTheirMeaning() {
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-bf16");
        String bias = "model.layers.2.mlp.gate.e_score_correction_bias";
        for (DType dtype : List.of(DType.BF16, DType.F16)) {
            assertRefused("glm-tiny-bf16", golden.retyped(bias, dtype), bias + ": is " + dtype + ", expected F32");
        }
        assertRefused(
                "glm-tiny-bf16",
                golden.retyped("model.norm.weight", DType.F8_E4M3),
                "model.norm.weight: is F8_E4M3, expected BF16 or F16 or F32");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.layers.3.mlp.experts.8.up_proj.weight",
                "model.layers.5.input_layernorm.weight",
                "model.layers.0.self_attn.q_a_proj.bias",
                "model.norm.weight_scale_inv",
                "lm_head.bias",
                ""
            })
    void refusesATensorThatTheConfigDoesNotDescribe(String name) {
        assertRefused(
                "glm-tiny-fp8",
                FakeCheckpoint.golden("glm-tiny-fp8").with(tensor(name, DType.BF16, 1L)),
                "model.safetensors.index.json: holds 1 tensors that config.json does not describe",
                ": \"" + name + "\"");
    }

    @Test
    void namesTheFirstOfManyUnknownTensors() {
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-fp8");
        assertRefused(
                "glm-tiny-fp8",
                golden.with(
                        tensor("d", DType.BF16),
                        tensor("a", DType.BF16),
                        tensor("c", DType.BF16),
                        tensor("b\n", DType.BF16)),
                "holds 4 tensors that config.json does not describe, with num_hidden_layers 4,"
                        + " num_nextn_predict_layers 1 and n_routed_experts 8: \"a\", \"b\\u000a\", \"c\", ...");
    }

    @Test
    void refusesAnIndexerUnderASharedLayer() {
        String indexer = "model.layers.2.self_attn.indexer.wk.weight";
        assertRefused(
                "glm-tiny-fp8",
                FakeCheckpoint.golden("glm-tiny-fp8").with(tensor(indexer, DType.BF16, 128L, 128L)),
                indexer + ": contradicts config.json, whose indexer_types",
                "say that layer 2 shares the selection of layer 0 and has no indexer");
    }
}
