package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The released GLM-5.x checkpoints: published counts and sizes, and every tensor has its place. */
class ReleaseWeightsTest {
    private static final FakeCheckpoint GLM_53 = ReleaseTensors.all(ReleaseTensors.SHARED_SCHEDULE, true);

    private static ModelWeights map(String config, FakeCheckpoint checkpoint) {
        return ModelWeights.map(TestModels.config(config), checkpoint);
    }

    private static long totalBytes(ModelWeights weights) {
        return weights.bytes()
                + weights.mtp().stream().mapToLong(MtpWeights::bytes).sum();
    }

    @Test
    void listsThePublishedTensorsOfGlm53() {
        assertThat(GLM_53.tensors()).hasSize(118_629);
        assertThat(FakeCheckpoint.bytes(GLM_53.tensors().values())).isEqualTo(755_617_140_416L);
        LongStream parameters = GLM_53.tensors().values().stream()
                .filter(tensor -> !tensor.name().endsWith("_scale_inv"))
                .filter(tensor -> !tensor.name().endsWith("e_score_correction_bias"))
                .mapToLong(FakeCheckpoint::elements);
        assertThat(parameters.sum()).isEqualTo(753_329_921_024L);
    }

    @Test
    void mapsGlm53AndCountsItsBytes() {
        ModelWeights weights = map("glm-5.3", GLM_53);
        assertThat(totalBytes(weights)).isEqualTo(755_617_140_416L);
        assertThat(weights.mtp()).hasSize(1);
        assertThat(weights.mtp().getFirst().bytes()).isEqualTo(10_032_632_960L);
        assertThat(weights.embedding().bytes()).isEqualTo(1_903_165_440L);
        assertThat(weights.head().bytes()).isEqualTo(1_903_165_440L);
        assertThat(weights.layers()).hasSize(78);
        LayerWeights dense = weights.layers().getFirst();
        assertThat(dense.bytes()).isEqualTo(401_208_448L);
        assertThat(dense.mlp().bytes()).isEqualTo(226_547_712L);
        assertThat(weights.layers().get(6).bytes()).isEqualTo(9_881_601_152L);
        assertThat(weights.layers().get(7).bytes()).isEqualTo(9_872_030_144L);
        assertThat(((MoeMlp) weights.layers().get(7).mlp()).experts())
                .hasSize(256)
                .allSatisfy(expert -> assertThat(expert.bytes()).isEqualTo(37_757_952L));
    }

    @Test
    void mapsTheOtherReleases() {
        assertThat(totalBytes(map("glm-5.1", ReleaseTensors.all(ReleaseTensors.EVERY_LAYER, false))))
                .isEqualTo(1_507_728_316_928L);
        assertThat(totalBytes(map("glm-5.1", ReleaseTensors.all(ReleaseTensors.EVERY_LAYER, true))))
                .isEqualTo(756_162_687_872L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.layers.0.mlp.down_proj.weight_scale_inv",
                "model.layers.77.mlp.experts.255.up_proj.weight",
                "model.layers.78.mlp.gate.e_score_correction_bias"
            })
    void refusesALostOrChangedTensorByName(String name) {
        assertRefused(GLM_53.lacking(name), ": " + name + ": is missing");
        assertRefused(GLM_53.retyped(name, DType.I8), ": " + name + ": is I8");
        assertRefused(
                GLM_53.with(FakeCheckpoint.tensor(name, GLM_53.get(name).dtype(), 1L)),
                ": " + name + ": has shape [1]");
    }

    private static void assertRefused(FakeCheckpoint checkpoint, String problem) {
        assertThatThrownBy(() -> map("glm-5.3", checkpoint))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void refusesATensorTooMany() {
        assertRefused(
                GLM_53.with(FakeCheckpoint.tensor("model.layers.78.embed_tokens.bias", DType.BF16, 6144L)),
                "holds 1 tensors that config.json does not describe");
    }

    @Test
    void refusesTheIndexersOfGlm51UnderTheScheduleOfGlm53() {
        assertRefused(
                ReleaseTensors.all(ReleaseTensors.EVERY_LAYER, true),
                "model.layers.3.self_attn.indexer.k_norm.bias: contradicts config.json, whose indexer_types (or the"
                        + " fields in their place) say that layer 3 shares the selection of layer 2");
    }

    @Test
    void refusesTheScheduleOfGlm51WithoutItsIndexers() {
        assertThatThrownBy(() -> map("glm-5.1", GLM_53))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("model.layers.3.self_attn.indexer.wq_b.weight: is missing");
    }
}
