package org.hotrow.modelloader;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The tensors of the released GLM-5.x checkpoints, written down from their published list with its literal numbers, and
 * not from a config.
 */
final class ReleaseTensors {
    /** GLM-5.2 and 5.3; layer 78 is the MTP layer. */
    static final Set<Integer> SHARED_SCHEDULE =
            Set.of(0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62, 66, 70, 74, 78);
    /** GLM-5 and 5.1. */
    static final Set<Integer> EVERY_LAYER = IntStream.range(0, 79).boxed().collect(Collectors.toUnmodifiableSet());

    private final Map<String, TensorView> tensors = new HashMap<>();
    private final boolean fp8;

    private ReleaseTensors(boolean fp8) {
        this.fp8 = fp8;
    }

    /** The whole checkpoint, in block FP8 or all in BF16. */
    static FakeCheckpoint all(Set<Integer> indexerLayers, boolean fp8) {
        var release = new ReleaseTensors(fp8);
        release.add("model.embed_tokens.weight", DType.BF16, 154880L, 6144L);
        release.add("lm_head.weight", DType.BF16, 154880L, 6144L);
        release.add("model.norm.weight", DType.BF16, 6144L);
        for (int layer = 0; layer <= 78; layer++) {
            String prefix = "model.layers." + layer + ".";
            release.addAttention(prefix, indexerLayers.contains(layer));
            if (layer < 3) {
                release.addMlp(prefix + "mlp.", 12288);
            } else {
                release.addExperts(prefix + "mlp.");
            }
        }
        release.addMtp("model.layers.78.");
        return new FakeCheckpoint(release.tensors);
    }

    private void addAttention(String prefix, boolean indexer) {
        add(prefix + "input_layernorm.weight", DType.BF16, 6144L);
        add(prefix + "post_attention_layernorm.weight", DType.BF16, 6144L);
        String attention = prefix + "self_attn.";
        addLinear(attention + "q_a_proj", 2048, 6144, 16, 48);
        add(attention + "q_a_layernorm.weight", DType.BF16, 2048L);
        addLinear(attention + "q_b_proj", 16384, 2048, 128, 16);
        addLinear(attention + "kv_a_proj_with_mqa", 576, 6144, 5, 48);
        add(attention + "kv_a_layernorm.weight", DType.BF16, 512L);
        addLinear(attention + "kv_b_proj", 28672, 512, 224, 4);
        addLinear(attention + "o_proj", 6144, 16384, 48, 128);
        if (indexer) {
            addLinear(attention + "indexer.wq_b", 4096, 2048, 32, 16);
            addLinear(attention + "indexer.wk", 128, 6144, 1, 48);
            add(attention + "indexer.k_norm.weight", DType.BF16, 128L);
            add(attention + "indexer.k_norm.bias", DType.BF16, 128L);
            add(attention + "indexer.weights_proj.weight", DType.BF16, 32L, 6144L);
        }
    }

    private void addMlp(String prefix, long width) {
        addLinear(prefix + "gate_proj", width, 6144, width / 128, 48);
        addLinear(prefix + "up_proj", width, 6144, width / 128, 48);
        addLinear(prefix + "down_proj", 6144, width, 48, width / 128);
    }

    private void addExperts(String prefix) {
        add(prefix + "gate.weight", DType.BF16, 256L, 6144L);
        add(prefix + "gate.e_score_correction_bias", DType.F32, 256L);
        for (int expert = 0; expert < 256; expert++) {
            addMlp(prefix + "experts." + expert + ".", 2048);
        }
        addMlp(prefix + "shared_experts.", 2048);
    }

    private void addMtp(String prefix) {
        add(prefix + "enorm.weight", DType.BF16, 6144L);
        add(prefix + "hnorm.weight", DType.BF16, 6144L);
        add(prefix + "shared_head.norm.weight", DType.BF16, 6144L);
        add(prefix + "eh_proj.weight", DType.BF16, 6144L, 12288L);
    }

    private void addLinear(String stem, long rows, long cols, long scaleRows, long scaleCols) {
        add(stem + ".weight", fp8 ? DType.F8_E4M3 : DType.BF16, rows, cols);
        if (fp8) {
            add(stem + ".weight_scale_inv", DType.F32, scaleRows, scaleCols);
        }
    }

    private void add(String name, DType dtype, Long... shape) {
        tensors.put(name, FakeCheckpoint.tensor(name, dtype, shape));
    }
}
