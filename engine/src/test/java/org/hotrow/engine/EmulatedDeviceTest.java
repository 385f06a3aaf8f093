package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernels and task graphs of the GPU, run by the emulator, against goldens and against the CPU. */
class EmulatedDeviceTest {
    private static final CacheFormat FP8 = CacheFormat.of(KvDtype.FP8);
    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);
    private static final double LOGIT_TOLERANCE = 5e-4;
    private static final Golden SPARSE = new Golden("glm-tiny/golden_fp8.safetensors", "sparse.");
    /** Null, index keys, a hot region, the last two pages and the next. */
    private static final int SMALLEST = 1 + 1 + 1 + 3;

    @TempDir
    private Path folder;

    private static ModelDevice emulated(Model model, CacheFormat format, CacheConfig cache, int maxRows) {
        ModelDevice device =
                GraphDevices.emulated(model, format, LoadProgress.NONE).device(cache, maxRows, false);
        device.cache().poison();
        return device;
    }

    /** A prompt three times as long as the top-k, and greedy tokens. */
    @Test
    void equalsTheSparseGolden() {
        int[] prompt = SPARSE.ints("input_ids");
        int[] greedy = SPARSE.ints("greedy_tokens");
        float[] expected = SPARSE.floats("greedy_logits");
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                ModelDevice device = emulated(
                        model,
                        FP32,
                        CacheConfig.resident(model.config(), FP32, prompt.length + greedy.length),
                        prompt.length);
                ModelSession session = device.open(prompt.length + greedy.length)) {
            session.step(prompt, 0, prompt.length);
            Sampler sampler = new Sampler(Sampling.GREEDY, prompt, model.candidates());
            for (int i = 0; i < greedy.length; i++) {
                float[] logits = session.logits().data();
                int width = session.logits().width();
                for (int id = 0; id < width; id++) {
                    float golden = expected[i * width + id];
                    assertThat((double) logits[id])
                            .as("logit %d of token %d", id, i)
                            .isBetween(golden - LOGIT_TOLERANCE, golden + LOGIT_TOLERANCE);
                }
                int next = sampler.next(logits, 0);
                assertThat(next).as("token %d", i).isEqualTo(greedy[i]);
                session.step(new int[] {next}, 0, 1);
            }
        }
    }

    /** Rows come from a prefill of the CPU, so that only tokens after it are computed here. */
    @Test
    void readsFromTheHostWhatTheCpuReads() {
        try (ModelAndText text = ModelAndText.random("glm-tiny/tiny-fp8", 424)) {
            int[] prompt = Arrays.copyOf(text.text(), 420);
            Path file = export(text.model(), FP32, prompt);
            CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, SMALLEST + 2, 64, 20, 424, 1, CacheConfig.NONE);
            try (PrefillFile prefill = PrefillFile.open(file, text.model(), FP32);
                    Workers workers = new Workers(1);
                    ModelDevice cpu = text.device(FP32, cache, workers, 4);
                    ModelDevice device = emulated(text.model(), FP32, cache, 4)) {
                List<float[]> expected = decode(cpu, text.text(), prefill.of(prompt));
                List<float[]> logits = decode(device, text.text(), prefill.of(prompt));
                for (int i = 0; i < logits.size(); i++) {
                    for (int id = 0; id < logits.get(i).length; id++) {
                        assertThat((double) logits.get(i)[id])
                                .as("logit %d of token %d", id, i)
                                .isCloseTo(expected.get(i)[id], offset(LOGIT_TOLERANCE));
                    }
                }
                assertThat(device.counters()).isEqualTo(cpu.counters());
                assertThat(device.counters().hostRowsRead()).isGreaterThan(100);
            }
        }
    }

    /** The logits of the token after an imported prefill, then of the text token by token. */
    private static List<float[]> decode(ModelDevice device, int[] text, Import imported) {
        List<float[]> logits = new ArrayList<>();
        try (ModelSession session = device.open(text.length, Optional.of(imported))) {
            session.append(text, 0, 420);
            while (session.pending() > 0) {
                session.step(4);
            }
            logits.add(last(session));
            for (int at = 420; at < text.length; at++) {
                session.step(text, at, 1);
                logits.add(last(session));
            }
        }
        return logits;
    }

    private static float[] last(ModelSession session) {
        return Arrays.copyOf(session.logits().data(), session.logits().width());
    }

    private Path export(Model model, CacheFormat format, int[] prompt) {
        Path file = folder.resolve("prefill.safetensors");
        try (Generator generator = new Generator(
                model, format, CacheOptions.DEFAULT, prompt.length, 1, Lanes.vector(), 2, 512, LoadProgress.NONE)) {
            assertThat(generator.export(prompt, file, () -> false)).isTrue();
        }
        return file;
    }

    /** The number lies a thousand tokens back, on the host: "The secret number of Anna is 4817." */
    @Test
    void theDemoModelFindsANumberOnTheHost() throws IOException {
        DemoGolden golden = DemoGolden.read("4_needle_1200");
        int[] prompt = golden.ints("input_ids");
        int[] said = Arrays.copyOf(golden.ints("generated_ids"), 13);
        try (Model model = Model.open(DemoGolden.MODEL)) {
            Path file = export(model, FP8, prompt);
            CacheConfig cache = new CacheConfig(
                    KvPolicy.HYBRID, 1 + 2 + 4 + 3 + 2, 256, 40, prompt.length + 13, 1, CacheConfig.NONE);
            try (PrefillFile prefill = PrefillFile.open(file, model, FP8);
                    ModelDevice device = emulated(model, FP8, cache, 1);
                    ModelSession session = device.open(prompt.length + 13, Optional.of(prefill.of(prompt)))) {
                session.append(prompt, 0, prompt.length);
                session.step(1);
                Sampler sampler = new Sampler(Sampling.GREEDY, prompt, model.candidates());
                for (int i = 0; i < said.length; i++) {
                    int next = sampler.next(session.logits().data(), 0);
                    assertThat(next).as("token %d", i).isEqualTo(said[i]);
                    session.step(new int[] {next}, 0, 1);
                }
                assertThat(device.counters().hostRowsRead()).isGreaterThan(1000);
            }
        }
    }

    @Test
    void theCommandLineNamesDevices() {
        CommandRun tornado = CommandRun.hotrow(
                "generate", "--device", "tornado", "--model", DemoGolden.MODEL.toString(), "--prompt", "x");
        assertThat(tornado.code()).isEqualTo(4);
        assertThat(tornado.err()).contains("--device tornado").contains("TORNADOVM_HOME");
        assertThat(tornado.out()).isEmpty();
    }
}
