package org.hotrow.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A checkpoint of four layers with the widths of GLM-5.3 and random weights: an index anchor and three layers that take over
 * its selection, all with experts, but fewer of them and a smaller vocabulary. The values come again and again; no
 * operation's speed depends on them.
 *
 * @param experts of a layer, of which a token takes {@value #CHOSEN}
 */
record SliceModel(
        int hidden, int heads, int queryRank, int nope, int value, int inner, int experts, int vocabulary, int topK) {
    /** 32 of 256 experts and 16,384 of 154,880 tokens: 5 GB. */
    static final SliceModel GLM = new SliceModel(6144, 64, 2048, 192, 256, 2048, 32, 16_384, 2048);

    static final SliceModel TINY = new SliceModel(256, 2, 128, 64, 64, 128, 8, 512, 64);

    private static final int LAYERS = 4;
    private static final int CHOSEN = 8;
    private static final int LATENT = 512;
    private static final int ROPE = 64;
    private static final int INDEX_HEADS = 32;
    private static final int INDEX_WIDTH = 128;
    private static final int ROW_BYTES = 656;
    private static final int KEY_BYTES = 132;
    private static final int BLOCK = 128;
    private static final int PATTERN = 1 << 20;

    /** A tensor whose values are random; norms are 1, biases 0. */
    private record Tensor(String name, String dtype, double size, List<Long> shape) {
        static Tensor of(String name, String dtype, double size, long... shape) {
            return new Tensor(name, dtype, size, LongStream.of(shape).boxed().toList());
        }

        long bytes() {
            long bytes = dtype.equals("F32") ? 4 : dtype.equals("BF16") ? 2 : 1;
            for (long dimension : shape) {
                bytes *= dimension;
            }
            return bytes;
        }

        String header(long from) {
            return "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
                    .formatted(name, dtype, shape, from, from + bytes());
        }
    }

    /** Bytes that a decode step of one token at this context must read. */
    long stepBytes(int context) {
        long bytes = 0;
        for (Tensor tensor : tensors()) {
            boolean expert = tensor.name.contains(".experts.");
            boolean embedding = tensor.name.contains("embed_tokens");
            bytes += embedding ? 0 : expert ? tensor.bytes() * CHOSEN / experts : tensor.bytes();
        }
        return bytes + (long) LAYERS * Math.min(context, topK) * ROW_BYTES + (long) context * KEY_BYTES;
    }

    /** Writes the folder, which exists. */
    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("config.json"), config());
        List<Tensor> tensors = tensors();
        List<String> headers = new ArrayList<>();
        long bytes = 0;
        for (Tensor tensor : tensors) {
            headers.add(tensor.header(bytes));
            bytes += tensor.bytes();
        }
        StringBuilder header = new StringBuilder("{" + String.join(",", headers) + "}");
        while (header.length() % Long.BYTES != 0) {
            header.append(' ');
        }
        byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        length.putLong(text.length).flip();
        try (FileChannel file = FileChannel.open(
                folder.resolve("model.safetensors"),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            file.write(length);
            file.write(ByteBuffer.wrap(text));
            SplittableRandom random = new SplittableRandom(1);
            for (Tensor tensor : tensors) {
                write(file, tensor, random);
            }
        }
    }

    private static void write(FileChannel file, Tensor tensor, SplittableRandom random) throws IOException {
        int length = (int) Math.min(PATTERN, tensor.bytes());
        ByteBuffer pattern = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        while (pattern.hasRemaining()) {
            switch (tensor.dtype) {
                // No NaN, nothing above 2.
                case "F8_E4M3" -> pattern.put((byte) (random.nextInt() & 0xBF));
                case "BF16" -> pattern.putShort((short) (Float.floatToRawIntBits(value(tensor, random)) >> 16));
                default -> pattern.putFloat(value(tensor, random));
            }
        }
        long left = tensor.bytes();
        while (left > 0) {
            pattern.clear().limit((int) Math.min(length, left));
            left -= file.write(pattern);
        }
    }

    private static float value(Tensor tensor, SplittableRandom random) {
        if (tensor.name.endsWith("norm.weight") || tensor.name.endsWith("weight_scale_inv")) {
            return (float) tensor.size;
        }
        return (float) (tensor.size * random.nextGaussian());
    }

    private List<Tensor> tensors() {
        List<Tensor> all = new ArrayList<>();
        all.add(Tensor.of("model.embed_tokens.weight", "BF16", 1, vocabulary, hidden));
        all.add(Tensor.of("lm_head.weight", "BF16", 1 / Math.sqrt(hidden), vocabulary, hidden));
        all.add(norm("model.norm", hidden));
        for (int layer = 0; layer < LAYERS; layer++) {
            String prefix = "model.layers." + layer + ".";
            all.add(norm(prefix + "input_layernorm", hidden));
            all.add(norm(prefix + "post_attention_layernorm", hidden));
            attention(all, prefix + "self_attn.");
            if (layer == 0) {
                indexer(all, prefix + "self_attn.indexer.");
            }
            all.add(Tensor.of(prefix + "mlp.gate.weight", "BF16", 1 / Math.sqrt(hidden), experts, hidden));
            all.add(Tensor.of(prefix + "mlp.gate.e_score_correction_bias", "F32", 0, experts));
            expert(all, prefix + "mlp.shared_experts.");
            for (int expert = 0; expert < experts; expert++) {
                expert(all, prefix + "mlp.experts." + expert + ".");
            }
        }
        return all;
    }

    private void attention(List<Tensor> all, String prefix) {
        matrix(all, prefix + "q_a_proj", queryRank, hidden);
        all.add(norm(prefix + "q_a_layernorm", queryRank));
        matrix(all, prefix + "q_b_proj", heads * (nope + ROPE), queryRank);
        matrix(all, prefix + "kv_a_proj_with_mqa", LATENT + ROPE, hidden);
        all.add(norm(prefix + "kv_a_layernorm", LATENT));
        matrix(all, prefix + "kv_b_proj", heads * (nope + value), LATENT);
        matrix(all, prefix + "o_proj", hidden, heads * value);
    }

    private void indexer(List<Tensor> all, String prefix) {
        matrix(all, prefix + "wq_b", INDEX_HEADS * INDEX_WIDTH, queryRank);
        matrix(all, prefix + "wk", INDEX_WIDTH, hidden);
        all.add(norm(prefix + "k_norm", INDEX_WIDTH));
        all.add(Tensor.of(prefix + "k_norm.bias", "BF16", 0, INDEX_WIDTH));
        all.add(Tensor.of(prefix + "weights_proj.weight", "BF16", 1 / Math.sqrt(hidden), INDEX_HEADS, hidden));
    }

    private void expert(List<Tensor> all, String prefix) {
        matrix(all, prefix + "gate_proj", inner, hidden);
        matrix(all, prefix + "up_proj", inner, hidden);
        matrix(all, prefix + "down_proj", hidden, inner);
    }

    private static Tensor norm(String name, int width) {
        return Tensor.of(name + ".weight", "BF16", 1, width);
    }

    /** Codes of about 0.8, scaled so that outputs are about as large as inputs. */
    private static void matrix(List<Tensor> all, String name, int outputs, int inputs) {
        all.add(Tensor.of(name + ".weight", "F8_E4M3", 1, outputs, inputs));
        all.add(Tensor.of(
                name + ".weight_scale_inv",
                "F32",
                1.2 / Math.sqrt(inputs),
                Math.ceilDiv(outputs, BLOCK),
                Math.ceilDiv(inputs, BLOCK)));
    }

    private String config() {
        return """
                {"architectures": ["GlmMoeDsaForCausalLM"], "model_type": "glm_moe_dsa", "dtype": "bfloat16",
                 "vocab_size": %d, "hidden_size": %d, "intermediate_size": %d, "moe_intermediate_size": %d,
                 "num_hidden_layers": %d, "num_attention_heads": %d, "num_key_value_heads": %d, "q_lora_rank": %d,
                 "kv_lora_rank": %d, "qk_nope_head_dim": %d, "qk_rope_head_dim": %d, "qk_head_dim": %d, "v_head_dim": %d,
                 "index_n_heads": %d, "index_head_dim": %d, "index_topk": %d,
                 "indexer_types": ["full", "shared", "shared", "shared"], "indexer_rope_interleave": true,
                 "rope_interleave": true, "rope_parameters": {"rope_theta": 8000000, "rope_type": "default"},
                 "n_routed_experts": %d, "num_experts_per_tok": %d, "n_shared_experts": 1, "n_group": 1, "topk_group": 1,
                 "norm_topk_prob": true, "routed_scaling_factor": 2.5, "scoring_func": "sigmoid",
                 "topk_method": "noaux_tc", "moe_layer_freq": 1, "first_k_dense_replace": 0,
                 "mlp_layer_types": ["sparse", "sparse", "sparse", "sparse"], "hidden_act": "silu",
                 "rms_norm_eps": 1e-05, "max_position_embeddings": 1048576, "attention_bias": false,
                 "tie_word_embeddings": false, "num_nextn_predict_layers": 0, "eos_token_id": [0],
                 "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic",
                  "weight_block_size": [128, 128]}}
                """.formatted(
                        vocabulary,
                        hidden,
                        2 * inner,
                        inner,
                        LAYERS,
                        heads,
                        heads,
                        queryRank,
                        LATENT,
                        nope,
                        ROPE,
                        nope + ROPE,
                        value,
                        INDEX_HEADS,
                        INDEX_WIDTH,
                        topK,
                        experts,
                        CHOSEN);
    }
}
