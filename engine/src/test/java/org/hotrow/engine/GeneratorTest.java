package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers see of a generation, on the tiny FP8 checkpoint. */
class GeneratorTest {
    private static final Golden DENSE = new Golden("glm-tiny/golden_fp8.safetensors", "dense.");

    private static Generator generator(Model model, int maxRows) {
        return new Generator(
                model,
                CacheFormat.of(KvDtype.FP32),
                CacheOptions.DEFAULT,
                model.config().contextLength(),
                1,
                Lanes.vector(),
                2,
                maxRows,
                LoadProgress.NONE);
    }

    @Test
    void theLikeliestTokensOfATextAreTheGreedyOnes() {
        int[] prompt = DENSE.ints("input_ids");
        int[] greedy = DENSE.ints("greedy_tokens");
        int[] text = Arrays.copyOf(prompt, prompt.length + greedy.length);
        System.arraycopy(greedy, 0, text, prompt.length, greedy.length);
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"))) {
            for (int maxRows : new int[] {1, 50, 512}) {
                try (Generator generator = generator(model, maxRows)) {
                    int[] likeliest = generator.likeliest(text);
                    assertThat(likeliest).hasSameSizeAs(text);
                    assertThat(Arrays.copyOfRange(likeliest, prompt.length - 1, text.length - 1))
                            .isEqualTo(greedy);
                    assertThatThrownBy(() -> generator.likeliest(new int[0])).isInstanceOf(RequestException.class);
                }
            }
        }
    }

    @Test
    void aCancelledPrefillCountsTheTokensThatWereDone() {
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                Generator generator = generator(model, 16)) {
            AtomicInteger asked = new AtomicInteger();
            Completion completion = generator.generate(
                    DENSE.ints("input_ids"), 5, Sampling.GREEDY, true, id -> true, () -> asked.incrementAndGet() > 2);
            assertThat(completion.finishReason()).isEqualTo(FinishReason.CANCELLED);
            assertThat(completion.outputIds()).isEmpty();
            assertThat(completion.promptIds()).hasSize(56);
            assertThat(completion.prefilled()).isEqualTo(32);
            assertThat(completion.prefillRate() * completion.prefillNanos() * 1e-9)
                    .isBetween(31.9, 32.1);
            assertThat(completion.summary(100))
                    .startsWith("prompt 32 of 56 tok ")
                    .contains("ctx 32/100 · cancelled");
        }
    }

    /** A machine whose memory is taken until somebody says otherwise. */
    private static final class TakenMemory implements Devices {
        private final Devices cpu;
        private final AtomicInteger refusals;

        TakenMemory(Devices cpu, AtomicInteger refusals) {
            this.cpu = cpu;
            this.refusals = refusals;
        }

        @Override
        public ModelDevice device(CacheConfig cache, int maxRows, boolean everyLogit) {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("none left");
            }
            return cpu.device(cache, maxRows, everyLogit);
        }

        @Override
        public void close() {
            cpu.close();
        }
    }

    @Test
    void aCacheThatHasNoMemoryLeavesTheOneBefore() {
        AtomicInteger refusals = new AtomicInteger();
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                Generator generator = Generator.ofGraphs(
                        (of, format, progress) ->
                                new TakenMemory(new CpuDevices(of, format, Lanes.vector(), 2, progress), refusals),
                        model,
                        CacheFormat.of(KvDtype.FP32),
                        CacheOptions.DEFAULT,
                        model.config().contextLength(),
                        1,
                        16,
                        LoadProgress.NONE)) {
            refusals.set(1);
            assertThatThrownBy(() -> generator.use(CacheOptions.of(KvPolicy.RESIDENT)))
                    .isInstanceOf(EngineException.class)
                    .hasMessage("no memory for this cache: none left");
            assertThat(generator.cacheReport().policy()).isEqualTo(KvPolicy.HYBRID);
            Completion completion =
                    generator.generate(DENSE.ints("input_ids"), 2, Sampling.GREEDY, true, id -> true, () -> false);
            assertThat(completion.outputIds()).hasSize(2);
        }
    }

    /** Devices that say before they are asked for one that there can be none. */
    private record Foreseeing(Devices cpu, AtomicInteger made) implements Devices {
        @Override
        public ModelDevice device(CacheConfig cache, int maxRows, boolean everyLogit) {
            made.getAndIncrement();
            return cpu.device(cache, maxRows, everyLogit);
        }

        @Override
        public void require(CacheConfig cache, int maxRows, boolean everyLogit) {
            throw new EngineException("too large");
        }

        @Override
        public void close() {
            cpu.close();
        }
    }

    @Test
    void aCacheThatCannotBeCostsNoOther() {
        AtomicInteger made = new AtomicInteger();
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                Generator generator = Generator.ofGraphs(
                        (of, format, progress) ->
                                new Foreseeing(new CpuDevices(of, format, Lanes.vector(), 2, progress), made),
                        model,
                        CacheFormat.of(KvDtype.FP32),
                        CacheOptions.DEFAULT,
                        model.config().contextLength(),
                        1,
                        16,
                        LoadProgress.NONE)) {
            assertThatThrownBy(() -> generator.use(CacheOptions.of(KvPolicy.RESIDENT)))
                    .isInstanceOf(EngineException.class)
                    .hasMessage("too large");
            assertThat(made).hasValue(1);
            assertThat(generator.cacheReport().policy()).isEqualTo(KvPolicy.HYBRID);
        }
    }

    @Test
    void onlyIdsThatSomeTokenHasAreCandidates(@TempDir Path folder) throws IOException {
        Path copy = GenerateCommandTest.copy(Golden.resource("glm-tiny/tiny-fp8"), folder.resolve("model"));
        Path tokenizer = copy.resolve("tokenizer.json");
        String json = Files.readString(tokenizer);
        String without = json.replaceFirst("\\{[^{}]*\"id\":\\s*360[^{}]*\\},", "");
        assertThat(without).isNotEqualTo(json);
        Files.writeString(tokenizer, without);
        try (Model model = Model.open(copy)) {
            assertThat(model.candidates().stream().toArray())
                    .isEqualTo(IntStream.range(0, 384).filter(id -> id != 360).toArray());
        }
        Files.delete(tokenizer);
        try (Model model = Model.open(copy)) {
            assertThat(model.candidates().cardinality()).isEqualTo(384);
        }
    }
}
