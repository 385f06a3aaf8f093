package org.hotrow.bench;

import java.nio.file.Path;
import java.util.Objects;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Completion;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.TokenListener;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;

/** The demo model, loaded, on all threads and with production's FP8 cache; its folder is property {@code hotrow.model}. */
final class DemoModel implements AutoCloseable {
    static final int CHUNK = 512;
    private static final KvDtype KV_DTYPE = KvDtype.FP8;

    private final Model model;
    private final Generator generator;

    DemoModel() {
        String folder = Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model");
        model = Model.open(Path.of(folder));
        int threads = Runtime.getRuntime().availableProcessors();
        Lanes lanes = LanesChoice.of(LanesChoice.Mode.auto).lanes();
        // Without a prefix cache, so that the same prompt is computed each time.
        generator = new Generator(
                model,
                CacheFormat.of(KV_DTYPE),
                CacheOptions.of(KvPolicy.RESIDENT),
                model.config().contextLength(),
                1,
                lanes,
                threads,
                CHUNK,
                LoadProgress.NONE);
    }

    ModelFloor floor() {
        return new ModelFloor(model.config(), model.weights(), KV_DTYPE);
    }

    /** A prompt of {@code length} ids, different as long as the vocabulary lasts. */
    int[] prompt(int length) {
        int[] prompt = new int[length];
        for (int i = 0; i < length; i++) {
            prompt[i] = i * 7 % model.config().vocabSize();
        }
        return prompt;
    }

    /** Generates {@code count} ids, whatever they are. */
    Completion generate(int[] prompt, int count, TokenListener listener) {
        return generator.generate(prompt, count, Sampling.GREEDY, true, listener, () -> false);
    }

    @Override
    public void close() {
        generator.close();
        model.close();
    }
}
