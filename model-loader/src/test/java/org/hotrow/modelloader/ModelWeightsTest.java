package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.modelloader.FakeCheckpoint.tensor;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The golden checkpoints' tensors, in their places; and what else is a complete checkpoint. */
class ModelWeightsTest {
    /** Tensors of dsv32-tiny-fp8 that are not needed. */
    static final Set<String> COPIES =
            Set.of("model.layers.3.embed_tokens.weight", "model.layers.3.shared_head.head.weight");

    private static ModelWeights map(String config, FakeCheckpoint checkpoint) {
        return ModelWeights.map(TestModels.config(config), checkpoint);
    }

    private static void assertRefused(ModelConfig config, FakeCheckpoint checkpoint, String... parts) {
        assertThatThrownBy(() -> ModelWeights.map(config, checkpoint))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContainingAll(parts);
    }

    @ParameterizedTest
    @CsvSource({
        "glm-tiny-bf16,  160, 4988256",
        "glm-tiny-fp8,   278, 2637948",
        "dsv32-tiny-fp8, 411, 3589424",
        "demo,           405, 12107512"
    })
    void mapsTheGoldensAndCountsTheirBytes(String name, int count, long bytes) {
        FakeCheckpoint golden = FakeCheckpoint.golden(name);
        assertThat(golden.tensors()).hasSize(count);
        assertThat(FakeCheckpoint.bytes(golden.tensors().values())).isEqualTo(bytes);
        ModelWeights weights = map(name, golden);
        List<TensorView> copies =
                COPIES.stream().flatMap(copy -> golden.find(copy).stream()).toList();
        assertThat(weights.bytes() + weights.mtp().getFirst().bytes()).isEqualTo(bytes - FakeCheckpoint.bytes(copies));
    }

    @ParameterizedTest
    @CsvSource({"glm-tiny-bf16", "glm-tiny-fp8", "dsv32-tiny-fp8", "demo"})
    void givesEachLayerTheIndexerAndMlpOfItsType(String name) {
        ModelConfig config = TestModels.config(name);
        List<LayerWeights> layers = map(name, FakeCheckpoint.golden(name)).layers();
        assertThat(layers)
                .extracting(layer -> layer.indexer() == null ? IndexerType.SHARED : IndexerType.FULL)
                .isEqualTo(config.indexer().types());
        assertThat(layers)
                .extracting(layer -> layer.mlp() instanceof MoeMlp ? MlpType.SPARSE : MlpType.DENSE)
                .isEqualTo(config.mlp().types());
    }

    @Test
    void putsEveryTensorInItsPlace() {
        ModelWeights weights = map("glm-tiny-fp8", FakeCheckpoint.golden("glm-tiny-fp8"));
        LayerWeights layer = weights.layers().get(3);
        AttentionWeights attention = layer.attention();
        IndexerWeights indexer = Objects.requireNonNull(layer.indexer());
        MoeMlp moe = (MoeMlp) layer.mlp();
        DenseMlp shared = Objects.requireNonNull(moe.shared());
        DenseMlp dense = (DenseMlp) weights.layers().getFirst().mlp();
        MtpWeights mtp = weights.mtp().getFirst();
        assertThat(List.of(
                        weights.embedding(),
                        weights.head(),
                        attention.qA(),
                        attention.qB(),
                        attention.kvA(),
                        attention.kvB(),
                        attention.output(),
                        indexer.qB(),
                        indexer.k(),
                        indexer.headWeights(),
                        dense.gate(),
                        dense.up(),
                        dense.down(),
                        moe.router(),
                        moe.experts().get(7).gate(),
                        shared.down(),
                        mtp.ehProj(),
                        mtp.layer().attention().qA()))
                .extracting(matrix -> matrix.values().name() + " " + matrix.rows() + " " + matrix.cols())
                .containsExactly(
                        "model.embed_tokens.weight 384 128",
                        "lm_head.weight 384 128",
                        "model.layers.3.self_attn.q_a_proj.weight 128 128",
                        "model.layers.3.self_attn.q_b_proj.weight 192 128",
                        "model.layers.3.self_attn.kv_a_proj_with_mqa.weight 576 128",
                        "model.layers.3.self_attn.kv_b_proj.weight 192 512",
                        "model.layers.3.self_attn.o_proj.weight 128 128",
                        "model.layers.3.self_attn.indexer.wq_b.weight 1024 128",
                        "model.layers.3.self_attn.indexer.wk.weight 128 128",
                        "model.layers.3.self_attn.indexer.weights_proj.weight 8 128",
                        "model.layers.0.mlp.gate_proj.weight 128 128",
                        "model.layers.0.mlp.up_proj.weight 128 128",
                        "model.layers.0.mlp.down_proj.weight 128 128",
                        "model.layers.3.mlp.gate.weight 8 128",
                        "model.layers.3.mlp.experts.7.gate_proj.weight 64 128",
                        "model.layers.3.mlp.shared_experts.down_proj.weight 128 64",
                        "model.layers.4.eh_proj.weight 128 256",
                        "model.layers.4.self_attn.q_a_proj.weight 128 128");
        assertThat(List.of(
                        weights.norm(),
                        layer.inputNorm(),
                        layer.postAttentionNorm(),
                        attention.qANorm(),
                        attention.kvANorm(),
                        indexer.kNormWeight(),
                        indexer.kNormBias(),
                        moe.bias(),
                        mtp.eNorm(),
                        mtp.hNorm(),
                        mtp.headNorm()))
                .extracting(vector -> vector.values().name() + " " + vector.length())
                .containsExactly(
                        "model.norm.weight 128",
                        "model.layers.3.input_layernorm.weight 128",
                        "model.layers.3.post_attention_layernorm.weight 128",
                        "model.layers.3.self_attn.q_a_layernorm.weight 128",
                        "model.layers.3.self_attn.kv_a_layernorm.weight 512",
                        "model.layers.3.self_attn.indexer.k_norm.weight 128",
                        "model.layers.3.self_attn.indexer.k_norm.bias 128",
                        "model.layers.3.mlp.gate.e_score_correction_bias 8",
                        "model.layers.4.enorm.weight 128",
                        "model.layers.4.hnorm.weight 128",
                        "model.layers.4.shared_head.norm.weight 128");
        assertThat(attention.kvA().quantised()).isTrue();
        assertThat(attention.kvA().scaleRows()).isEqualTo(5);
        assertThat(attention.kvA().scaleCols()).isEqualTo(1);
        assertThat(moe.router().quantised()).isFalse();
    }

    @Test
    void decidesByTensorWhetherAMatrixIsQuantised() {
        FakeCheckpoint fp8 = FakeCheckpoint.golden("glm-tiny-fp8");
        String expert = "model.layers.3.mlp.experts.7.down_proj.weight";
        for (DType dtype : List.of(DType.BF16, DType.F16, DType.F32)) {
            MoeMlp moe = (MoeMlp) map("glm-tiny-fp8", fp8.retyped(expert, dtype).lacking(expert + "_scale_inv"))
                    .layers()
                    .get(3)
                    .mlp();
            assertThat(moe.experts().get(7).down().quantised()).isFalse();
            assertThat(moe.experts().get(6).down().quantised()).isTrue();
        }
        String router = "model.layers.3.mlp.gate.weight";
        TensorView scales = tensor(router + "_scale_inv", DType.F32, 1L, 1L);
        MoeMlp moe =
                (MoeMlp) map("glm-tiny-fp8", fp8.retyped(router, DType.F8_E4M3).with(scales))
                        .layers()
                        .get(3)
                        .mlp();
        assertThat(moe.router().scales()).isSameAs(scales);
        // What the config announces does not matter.
        map("glm-tiny-bf16", fp8);
        map("glm-tiny-fp8", FakeCheckpoint.golden("glm-tiny-bf16"));
    }

    @Test
    void acceptsNormsInAnyFloatTypeAndStoredFrequencies() {
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-bf16");
        for (DType dtype : List.of(DType.BF16, DType.F16, DType.F32)) {
            map("glm-tiny-bf16", golden.retyped("model.norm.weight", dtype));
        }
        map("glm-tiny-bf16", golden.with(tensor("model.layers.0.self_attn.rotary_emb.inv_freq", DType.F32, 32L)));
    }

    @Test
    void acceptsACheckpointWithoutItsMtpLayerButNotWithPartOfIt() {
        ModelConfig config = TestModels.config("glm-tiny-fp8");
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-fp8");
        FakeCheckpoint main = golden.without("model.layers.4.");
        ModelWeights weights = ModelWeights.map(config, main);
        assertThat(weights.mtp()).isEmpty();
        assertThat(weights.bytes())
                .isEqualTo(ModelWeights.map(config, golden).bytes())
                .isEqualTo(FakeCheckpoint.bytes(main.tensors().values()));
        TensorView frequencies = tensor("model.layers.4.self_attn.rotary_emb.inv_freq", DType.F32, 32L);
        assertThat(ModelWeights.map(config, main.with(frequencies)).mtp()).isEmpty();
        TensorView norm = golden.get("model.layers.4.shared_head.norm.weight");
        assertRefused(config, main.with(norm), "model.layers.4.input_layernorm.weight: is missing");
    }

    @Test
    void mapsOrRefusesSeveralMtpLayers() {
        FakeCheckpoint golden = FakeCheckpoint.golden("glm-tiny-fp8");
        assertRefused(withMtpLayers(2), golden, "model.layers.5.input_layernorm.weight: is missing");
        assertRefused(withMtpLayers(0), golden, "num_nextn_predict_layers 0", "\"model.layers.4.eh_proj.weight\"");
        TensorView[] second = golden.tensors().values().stream()
                .filter(tensor -> tensor.name().startsWith("model.layers.4."))
                .map(tensor -> tensor(
                        tensor.name().replace("layers.4.", "layers.5."),
                        tensor.dtype(),
                        tensor.shape().toArray(Long[]::new)))
                .toArray(TensorView[]::new);
        List<MtpWeights> mtp =
                ModelWeights.map(withMtpLayers(2), golden.with(second)).mtp();
        assertThat(mtp)
                .extracting(layer -> layer.eNorm().values().name())
                .containsExactly("model.layers.4.enorm.weight", "model.layers.5.enorm.weight");
    }

    private static ModelConfig withMtpLayers(int mtpLayers) {
        ModelConfig c = TestModels.config("glm-tiny-fp8");
        return new ModelConfig(
                c.family(),
                c.vocabSize(),
                c.hiddenSize(),
                c.layers(),
                mtpLayers,
                c.contextLength(),
                c.rmsEps(),
                c.tiedEmbeddings(),
                c.attention(),
                c.indexer(),
                c.mlp(),
                c.rope(),
                c.quantization(),
                c.eosIds(),
                c.padId());
    }

    @Test
    void acceptsTheMtpLayersCopiesOfEmbeddingAndHead() {
        FakeCheckpoint golden = FakeCheckpoint.golden("dsv32-tiny-fp8");
        ModelWeights weights = map("dsv32-tiny-fp8", golden);
        for (String copy : COPIES) {
            assertThat(golden.names()).contains(copy);
            assertThat(map("dsv32-tiny-fp8", golden.lacking(copy))).isEqualTo(weights);
        }
    }

    @Test
    void tiesTheHeadToTheEmbedding(@TempDir Path folder) {
        String base = TestModels.edited(
                TestModels.GLM, "num_hidden_layers = 1", "first_k_dense_replace = 1", "tie_word_embeddings = true");
        ModelConfig config = TestModels.read(folder, base);
        FakeCheckpoint headless = oneDenseLayer();
        long listed = FakeCheckpoint.bytes(headless.tensors().values());
        ModelWeights tied = ModelWeights.map(config, headless);
        assertThat(tied.head()).isSameAs(tied.embedding());
        assertThat(tied.bytes()).isEqualTo(listed);

        TensorView head = tensor("lm_head.weight", DType.BF16, 384L, 128L);
        ModelWeights both = ModelWeights.map(config, headless.with(head));
        assertThat(both.head().values()).isSameAs(head);
        assertThat(both.bytes()).isEqualTo(listed + 384 * 128 * 2);

        ModelConfig untied = TestModels.read(folder, TestModels.edited(base, "tie_word_embeddings = false"));
        assertRefused(untied, headless, "lm_head.weight: is missing");
    }

    /** All tensors of the edited small config, whose widths all differ. */
    private static FakeCheckpoint oneDenseLayer() {
        String layer = "model.layers.0.";
        String attention = layer + "self_attn.";
        return FakeCheckpoint.of(
                tensor("model.embed_tokens.weight", DType.BF16, 384L, 128L),
                tensor("model.norm.weight", DType.BF16, 128L),
                tensor(layer + "input_layernorm.weight", DType.BF16, 128L),
                tensor(layer + "post_attention_layernorm.weight", DType.BF16, 128L),
                tensor(attention + "q_a_proj.weight", DType.BF16, 96L, 128L),
                tensor(attention + "q_a_layernorm.weight", DType.BF16, 96L),
                tensor(attention + "q_b_proj.weight", DType.BF16, 192L, 96L),
                tensor(attention + "kv_a_proj_with_mqa.weight", DType.BF16, 576L, 128L),
                tensor(attention + "kv_a_layernorm.weight", DType.BF16, 512L),
                tensor(attention + "kv_b_proj.weight", DType.BF16, 160L, 512L),
                tensor(attention + "o_proj.weight", DType.BF16, 128L, 96L),
                tensor(attention + "indexer.wq_b.weight", DType.BF16, 1024L, 96L),
                tensor(attention + "indexer.wk.weight", DType.BF16, 128L, 128L),
                tensor(attention + "indexer.k_norm.weight", DType.BF16, 128L),
                tensor(attention + "indexer.k_norm.bias", DType.BF16, 128L),
                tensor(attention + "indexer.weights_proj.weight", DType.BF16, 8L, 128L),
                tensor(layer + "mlp.gate_proj.weight", DType.BF16, 256L, 128L),
                tensor(layer + "mlp.up_proj.weight", DType.BF16, 256L, 128L),
                tensor(layer + "mlp.down_proj.weight", DType.BF16, 128L, 256L));
    }
}
