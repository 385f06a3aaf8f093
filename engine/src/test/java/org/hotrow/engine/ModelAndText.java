package org.hotrow.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.modelloader.ModelConfig;

/** A model and a text for it that is longer than its top-k. */
final class ModelAndText implements AutoCloseable {
    static final Golden SPARSE = new Golden("glm-tiny/golden_sparse.safetensors", "");
    private static final int DECODED = 8;

    private final Model model;
    private final CpuWeights weights;
    private final int[] text;

    private ModelAndText(Path folder, int[] text) {
        model = Model.open(folder);
        boolean drafter = !model.weights().mtp().isEmpty();
        weights = CpuWeights.load(model.config(), model.weights(), drafter, LoadProgress.NONE);
        this.text = text;
    }

    private ModelAndText(Model model, CpuWeights weights, int[] text) {
        this.model = model;
        this.weights = weights;
        this.text = text;
    }

    /** 160 tokens, the last 96 of which select 64 of the positions. */
    static ModelAndText tiny() {
        return new ModelAndText(Golden.resource("glm-tiny/tiny-bf16"), SPARSE.ints("input_ids"));
    }

    /** A checkpoint of the goldens with random tokens. */
    static ModelAndText random(String checkpoint, int tokens) {
        ModelAndText loaded = new ModelAndText(Golden.resource(checkpoint), new int[0]);
        int vocab = loaded.config().vocabSize();
        return new ModelAndText(
                loaded.model,
                loaded.weights,
                new Random(tokens).ints(tokens, 0, vocab).toArray());
    }

    /** The demo model and the first tokens of a text in which a number has to be found again. */
    static ModelAndText demo(int tokens) throws IOException {
        int[] text = DemoGolden.read("4_needle_1200").ints("input_ids");
        return new ModelAndText(DemoGolden.MODEL, Arrays.copyOf(text, tokens));
    }

    /** 280 tokens, the last 24 of which select 256 of the positions. */
    static ModelAndText demo() throws IOException {
        return demo(280);
    }

    Model model() {
        return model;
    }

    ModelConfig config() {
        return model.config();
    }

    int[] text() {
        return text;
    }

    /** A device with a poisoned cache, in which the text is resident. */
    ModelDevice device(CacheFormat format, Workers workers, int chunk, WalkProbe probe) {
        return device(format, CacheConfig.resident(config(), format, text.length), workers, chunk, probe);
    }

    /** A device with a poisoned cache, logits of every token. */
    ModelDevice device(CacheFormat format, CacheConfig cache, Workers workers, int chunk, WalkProbe probe) {
        return device(format, cache, workers, chunk, true, probe);
    }

    /** A device with a poisoned cache, logits where a token is drawn. */
    ModelDevice device(CacheFormat format, CacheConfig cache, Workers workers, int chunk) {
        return device(format, cache, workers, chunk, false, WalkProbe.NONE);
    }

    /** A device with a poisoned cache. */
    ModelDevice device(
            CacheFormat format, CacheConfig cache, Workers workers, int chunk, boolean everyLogit, WalkProbe probe) {
        ModelDevice device =
                new ModelDevice(model, weights, workers, Lanes.vector(), format, cache, chunk, everyLogit, probe);
        device.cache().poison();
        return device;
    }

    /** Logits and selections of all tokens: the text in chunks, but its end token by token. */
    Recorder run(CacheFormat format, int chunk, int threads) {
        Recorder recorder = new Recorder();
        int prompt = text.length - DECODED;
        int largest = Math.min(chunk, prompt);
        try (Workers workers = new Workers(threads);
                ModelDevice device = device(format, workers, largest, recorder);
                ModelSession session = device.open(text.length)) {
            int at = 0;
            while (at < text.length) {
                int count = at < prompt ? Math.min(largest, prompt - at) : 1;
                recorder.expect(count);
                session.step(text, at, count);
                recorder.keep("logits", session.logits(), count);
                at += count;
            }
        }
        return recorder;
    }

    @Override
    public void close() {
        weights.close();
        model.close();
    }
}
