package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.IndexerType;
import org.hotrow.modelloader.ModelConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole forward pass against an independent implementation: hidden states, logits, selections, expert choices and
 * greedy tokens, by prefill in chunks of every awkward size and by decode, on one thread and two, with the Vector API and
 * in plain Java. All these runs have to give the same logits in the bits. The cache is poisoned with NaN, so a read of what nobody wrote shows.
 */
class GoldenTest {
    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);
    private static final double HIDDEN_TOLERANCE = 2e-4;
    private static final double LOGIT_TOLERANCE = 5e-4;
    private static final Lanes VECTOR = Lanes.vector();
    private static final Map<String, Loaded> MODELS = new ConcurrentHashMap<>();

    private record Loaded(Model model, CpuWeights weights) {}

    /**
     * A prompt with its reference.
     *
     * @param names among what is compared, so that a misspelt name can't pass
     */
    record Case(String name, String model, Golden golden, Set<String> names) {
        static Case of(String model, String file, String prefix, String... names) {
            String family = model.substring(0, model.indexOf('/'));
            Set<String> all = new HashSet<>(List.of(names));
            all.addAll(List.of("logits", "greedy_tokens"));
            return new Case(
                    model + " " + prefix + file, model, new Golden(family + "/" + file, prefix), Set.copyOf(all));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() {
        return List.of(
                Case.of("glm-tiny/tiny-bf16", "golden_dense.safetensors", "", "layer3.attn_out", "layer3.topk"),
                Case.of(
                        "glm-tiny/tiny-bf16",
                        "golden_sparse.safetensors",
                        "",
                        "layer0.topk",
                        "layer3.expert_idx",
                        "layer2.expert_w",
                        "layer3.hidden_out",
                        "final_norm",
                        "layer3.cache_kv_c_last16",
                        "layer0.cache_k_pe_last16",
                        "layer0.cache_index_k"),
                Case.of("glm-tiny/tiny-fp8", "golden_fp8.safetensors", "dense.", "layer0.topk", "layer3.topk"),
                Case.of("glm-tiny/tiny-fp8", "golden_fp8.safetensors", "sparse.", "layer0.topk", "layer3.topk"),
                Case.of("dsv32-tiny/tiny-fp8", "golden_dense.safetensors", "", "layer0.attn_out", "layer2.topk"),
                Case.of(
                        "dsv32-tiny/tiny-fp8",
                        "golden_sparse.safetensors",
                        "",
                        "layer0.topk",
                        "layer1.topk",
                        "layer1.expert_idx",
                        "layer2.expert_w",
                        "layer2.hidden_out",
                        "final_norm",
                        "layer2.cache_kv_c_last16",
                        "layer0.cache_k_pe_last16",
                        "layer2.cache_index_k"));
    }

    @AfterAll
    static void close() {
        MODELS.values().forEach(loaded -> {
            loaded.weights.close();
            loaded.model.close();
        });
        MODELS.clear();
    }

    private static Loaded load(Case c) {
        return MODELS.computeIfAbsent(c.model, name -> {
            Model model = Model.open(Golden.resource(name));
            return new Loaded(model, CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE));
        });
    }

    /** Prompt in chunks, then greedy decode of as many tokens as the golden has. */
    private static Recorder run(Case c, int chunk, int threads, Lanes lanes) {
        Loaded loaded = load(c);
        int[] prompt = c.golden.ints("input_ids");
        int tokens = c.golden.ints("greedy_tokens").length;
        Recorder recorder = new Recorder();
        try (Workers workers = new Workers(threads);
                ModelDevice device = new ModelDevice(
                        loaded.model,
                        loaded.weights,
                        workers,
                        lanes,
                        FP32,
                        CacheConfig.resident(loaded.model.config(), FP32, prompt.length + tokens),
                        Math.min(chunk, prompt.length),
                        true,
                        recorder);
                ModelSession session = device.open(prompt.length + tokens)) {
            device.cache().poison();
            for (int at = 0; at < prompt.length; at += chunk) {
                step(session, recorder, prompt, at, Math.min(chunk, prompt.length - at));
            }
            Sampler sampler = new Sampler(Sampling.GREEDY, prompt, loaded.model.candidates());
            for (int i = 0; i < tokens; i++) {
                float[] logits = recorder.floats("logits").getLast();
                int next = sampler.next(logits, 0);
                recorder.keep("greedy_tokens", next);
                step(session, recorder, new int[] {next}, 0, 1);
            }
            recordCache(session, loaded.model.config(), recorder, prompt.length);
        }
        return recorder;
    }

    private static void step(ModelSession session, Recorder recorder, int[] ids, int from, int count) {
        recorder.expect(count);
        session.step(ids, from, count);
        recorder.keep("logits", session.logits(), count);
        recorder.keep("final_norm", session.finalNorm(), count);
    }

    /** What the cache holds of the prompt, read back from the slabs. */
    private static void recordCache(ModelSession session, ModelConfig config, Recorder recorder, int tokens) {
        int latent = config.attention().latentRank();
        float[] row = new float[latent + config.attention().ropeDim()];
        float[] key = new float[config.indexer().headDim()];
        for (int layer = 0; layer < config.layers(); layer++) {
            for (int position = 0; position < tokens; position++) {
                session.readRow(layer, position, row);
                recorder.keep("layer" + layer + ".cache_kv_c_last16", Arrays.copyOf(row, latent));
                recorder.keep("layer" + layer + ".cache_k_pe_last16", Arrays.copyOfRange(row, latent, row.length));
                if (config.indexer().types().get(layer) == IndexerType.FULL) {
                    session.readIndexKey(layer, position, key);
                    recorder.keep("layer" + layer + ".cache_index_k", key.clone());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void equalsTheReference(Case c) {
        Recorder run = run(c, Integer.MAX_VALUE, 1, VECTOR);
        int tokens = c.golden.ints("input_ids").length;
        Set<String> compared = new HashSet<>();
        for (String name : run.intNames()) {
            if (c.golden.has(name)) {
                int[] golden = c.golden.ints(name);
                int[] all = run.ints(name).stream().flatMapToInt(Arrays::stream).toArray();
                assertThat(all).as(name).startsWith(golden);
                compared.add(name);
            }
        }
        for (String name : run.floatNames()) {
            if (c.golden.has(name)) {
                double tolerance = name.equals("logits") ? LOGIT_TOLERANCE : HIDDEN_TOLERANCE;
                assertClose(name, run.floats(name).subList(0, tokens), c.golden.floats(name), tolerance);
                compared.add(name);
            }
        }
        List<float[]> logits = run.floats("logits");
        List<float[]> decoded = logits.subList(tokens - 1, logits.size() - 1);
        assertClose("greedy_logits", decoded, c.golden.floats("greedy_logits"), LOGIT_TOLERANCE);
        assertThat(compared).containsAll(c.names);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void hasTheSameBitsInChunksOnThreadsByDecodeAndInPlainJava(Case c) {
        int[] whole = run(c, Integer.MAX_VALUE, 1, VECTOR).bits("logits");
        for (int chunk : new int[] {1, 7, 63, 64, 65, Integer.MAX_VALUE}) {
            for (int threads : new int[] {1, 2}) {
                assertThat(run(c, chunk, threads, VECTOR).bits("logits"))
                        .as("chunk %d, threads %d", chunk, threads)
                        .isEqualTo(whole);
            }
        }
        assertThat(run(c, 63, 2, Lanes.plain()).bits("logits")).as("plain Java").isEqualTo(whole);
    }

    /** A golden may hold the last rows only. */
    private static void assertClose(String name, List<float[]> rows, float[] golden, double tolerance) {
        int width = rows.getFirst().length;
        int first = rows.size() - golden.length / width;
        for (int i = 0; i < golden.length; i++) {
            float value = rows.get(first + i / width)[i % width];
            assertThat((double) value)
                    .as("%s[%d][%d]", name, first + i / width, i % width)
                    .isBetween(golden[i] - tolerance, golden[i] + tolerance);
        }
    }
}
