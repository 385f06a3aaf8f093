package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hotrow.modelloader.IndexerType.FULL;
import static org.hotrow.modelloader.IndexerType.SHARED;
import static org.hotrow.modelloader.MlpType.DENSE;
import static org.hotrow.modelloader.MlpType.SPARSE;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelConfigTest {
    private static <E> List<E> repeat(int count, E value) {
        return Collections.nCopies(count, value);
    }

    private static <E> List<E> concat(List<E> first, List<E> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static ModelConfig glmTiny(Optional<Fp8> quantization) {
        return new ModelConfig(
                Family.GLM_MOE_DSA,
                384,
                128,
                4,
                1,
                4096,
                1e-5,
                false,
                new AttentionConfig(2, 128, 512, 32, 64, 64, true),
                new IndexerConfig(8, 128, 64, true, List.of(FULL, SHARED, SHARED, FULL), true),
                new MlpConfig(128, 64, 8, 2, 1, 1, 1, true, 2.5, List.of(DENSE, DENSE, SPARSE, SPARSE)),
                new RopeConfig(8e6, null),
                quantization,
                List.of(348, 355, 357),
                OptionalInt.of(348));
    }

    @Test
    void readsTheTinyGlmModels() {
        assertThat(TestModels.config("glm-tiny-bf16")).isEqualTo(glmTiny(Optional.empty()));
        assertThat(TestModels.config("glm-tiny-fp8")).isEqualTo(glmTiny(Optional.of(new Fp8(false))));
    }

    @Test
    void readsTheTinyDeepSeekModel() {
        assertThat(TestModels.config("dsv32-tiny-fp8"))
                .isEqualTo(new ModelConfig(
                        Family.DEEPSEEK_V32,
                        384,
                        128,
                        3,
                        1,
                        2560,
                        1e-6,
                        false,
                        new AttentionConfig(3, 128, 512, 32, 64, 64, true),
                        new IndexerConfig(8, 128, 64, false, repeat(3, FULL), false),
                        new MlpConfig(128, 64, 16, 3, 1, 4, 2, true, 2.5, List.of(DENSE, SPARSE, SPARSE)),
                        new RopeConfig(1e4, new Yarn(40, 64, 32, 1, 1.0, 1.0, null, true)),
                        Optional.of(new Fp8(true)),
                        List.of(348),
                        OptionalInt.empty()));
    }

    @Test
    void readsTheDemoModel() {
        assertThat(TestModels.config("demo"))
                .isEqualTo(new ModelConfig(
                        Family.GLM_MOE_DSA,
                        3072,
                        256,
                        5,
                        1,
                        4096,
                        1e-5,
                        false,
                        new AttentionConfig(4, 128, 512, 64, 64, 64, true),
                        new IndexerConfig(4, 128, 256, true, List.of(FULL, FULL, SHARED, FULL, SHARED), false),
                        new MlpConfig(512, 128, 8, 2, 1, 1, 1, true, 1.5, concat(List.of(DENSE), repeat(4, SPARSE))),
                        new RopeConfig(1e4, null),
                        Optional.of(new Fp8(false)),
                        List.of(3040, 3047, 3049),
                        OptionalInt.of(3040)));
    }

    @Test
    void readsGlm53() {
        List<Integer> full = List.of(0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62, 66, 70, 74);
        List<IndexerType> types = IntStream.range(0, 78)
                .mapToObj(layer -> full.contains(layer) ? FULL : SHARED)
                .toList();
        assertThat(TestModels.config("glm-5.3"))
                .isEqualTo(new ModelConfig(
                        Family.GLM_MOE_DSA,
                        154_880,
                        6144,
                        78,
                        1,
                        1_048_576,
                        1e-5,
                        false,
                        new AttentionConfig(64, 2048, 512, 192, 64, 256, true),
                        new IndexerConfig(32, 128, 2048, true, types, true),
                        new MlpConfig(
                                12_288, 2048, 256, 8, 1, 1, 1, true, 2.5, concat(repeat(3, DENSE), repeat(75, SPARSE))),
                        new RopeConfig(8e6, null),
                        Optional.of(new Fp8(false)),
                        List.of(154_820, 154_827, 154_829),
                        OptionalInt.of(154_820)));
    }

    @Test
    void readsGlm51() {
        assertThat(TestModels.config("glm-5.1"))
                .isEqualTo(new ModelConfig(
                        Family.GLM_MOE_DSA,
                        154_880,
                        6144,
                        78,
                        1,
                        202_752,
                        1e-5,
                        false,
                        new AttentionConfig(64, 2048, 512, 192, 64, 256, true),
                        new IndexerConfig(32, 128, 2048, true, repeat(78, FULL), false),
                        new MlpConfig(
                                12_288, 2048, 256, 8, 1, 1, 1, true, 2.5, concat(repeat(3, DENSE), repeat(75, SPARSE))),
                        new RopeConfig(1e6, null),
                        Optional.empty(),
                        List.of(154_820, 154_827, 154_829),
                        OptionalInt.of(154_820)));
    }

    @Test
    void readsDeepSeekV32() {
        assertThat(TestModels.config("deepseek-v3.2"))
                .isEqualTo(new ModelConfig(
                        Family.DEEPSEEK_V32,
                        129_280,
                        7168,
                        61,
                        1,
                        163_840,
                        1e-6,
                        false,
                        new AttentionConfig(128, 1536, 512, 128, 64, 128, true),
                        new IndexerConfig(64, 128, 2048, false, repeat(61, FULL), false),
                        new MlpConfig(
                                18_432, 2048, 256, 8, 1, 8, 4, true, 2.5, concat(repeat(3, DENSE), repeat(58, SPARSE))),
                        new RopeConfig(1e4, new Yarn(40, 4096, 32, 1, 1.0, 1.0, null, true)),
                        Optional.of(new Fp8(true)),
                        List.of(1),
                        OptionalInt.empty()));
    }

    @Test
    void fillsInTheDefaultsOfEachFamily(@TempDir Path folder) {
        ModelConfig glm = TestModels.read(folder, TestModels.GLM);
        assertThat(glm.rmsEps()).isEqualTo(1e-5);
        assertThat(glm.mtpLayers()).isZero();
        assertThat(glm.indexer()).isEqualTo(new IndexerConfig(8, 128, 64, true, repeat(6, FULL), false));
        assertThat(glm.mlp())
                .isEqualTo(
                        new MlpConfig(256, 64, 8, 2, 1, 1, 1, true, 2.5, concat(repeat(3, DENSE), repeat(3, SPARSE))));
        assertThat(glm.eosIds()).isEmpty();
        assertThat(glm.padId()).isEmpty();

        ModelConfig deepSeek = TestModels.read(folder, TestModels.DEEPSEEK);
        assertThat(deepSeek.rmsEps()).isEqualTo(1e-6);
        assertThat(deepSeek.indexer().ropeInterleaved()).isFalse();
        assertThat(deepSeek.mlp().groups()).isEqualTo(8);
        assertThat(deepSeek.mlp().groupsKept()).isEqualTo(4);
        assertThat(deepSeek.rope().yarn()).isEqualTo(new Yarn(40, 64, 32, 1, null, null, null, true));
    }

    @Test
    void takesGivenValuesInsteadOfDefaults(@TempDir Path folder) {
        ModelConfig config = TestModels.read(
                folder,
                TestModels.edited(
                        TestModels.GLM,
                        "rms_norm_eps = 3e-6",
                        "indexer_rope_interleave = false",
                        "rope_interleave = false",
                        "norm_topk_prob = false",
                        "routed_scaling_factor = 1",
                        "n_shared_experts = 0",
                        "tie_word_embeddings = true",
                        "num_nextn_predict_layers = 2",
                        "eos_token_id = [7, 3, 7]",
                        "pad_token_id = 0",
                        "n_group = 4",
                        "topk_group = 2"));
        assertThat(config.rmsEps()).isEqualTo(3e-6);
        assertThat(config.indexer().ropeInterleaved()).isFalse();
        assertThat(config.attention().ropeInterleaved()).isFalse();
        assertThat(config.mlp().normaliseWeights()).isFalse();
        assertThat(config.mlp().scaling()).isEqualTo(1);
        assertThat(config.mlp().sharedExperts()).isZero();
        assertThat(config.tiedEmbeddings()).isTrue();
        assertThat(config.mtpLayers()).isEqualTo(2);
        assertThat(config.eosIds()).containsExactly(3, 7);
        assertThat(config.padId()).hasValue(0);
        assertThat(config.mlp().groups()).isEqualTo(4);
        assertThat(config.mlp().groupsKept()).isEqualTo(2);
    }

    @Test
    void ignoresFieldsThatMeanNothing(@TempDir Path folder) {
        ModelConfig plain = TestModels.read(folder, TestModels.GLM);
        String edited = TestModels.edited(
                TestModels.GLM,
                "head_dim = 17",
                "num_key_value_heads = 1",
                "qk_head_dim = 96",
                "dtype = \"bfloat16\"",
                "torch_dtype = \"bfloat16\"",
                "attention_bias = false",
                "sliding_window = null",
                "use_sliding_window = false",
                "layer_types = [\"indexed_attention\", \"deepseek_sparse_attention\"]",
                "quantization_config = null",
                "unheard_of = {\"a\": [1, null, \"x\", 1e999]}");
        assertThat(TestModels.read(folder, edited)).isEqualTo(plain);
    }

    @Test
    void scalesTheSoftmaxByTheQueryWidth() {
        assertThat(TestModels.config("glm-5.3").softmaxScale()).isEqualTo(1.0 / 16);
        assertThat(TestModels.config("glm-tiny-fp8").softmaxScale()).isCloseTo(0.102062072615966, within(1e-15));
    }

    @Test
    void scalesTheSoftmaxByYarn() {
        // The value of golden_rope.safetensors, in F32.
        assertThat((float) TestModels.config("dsv32-tiny-fp8").softmaxScale()).isEqualTo(0.19124945f);
        double magnitude = 0.1 * Math.log(40) + 1;
        assertThat(TestModels.config("deepseek-v3.2").softmaxScale())
                .isCloseTo(Math.pow(192, -0.5) * magnitude * magnitude, within(1e-15));
    }
}
