package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The MTP layer equals its reference. Guesses are verified exactly: with any number of them, greedy or drawn, the text is that without. */
class SpeculationTest {
    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);

    private static Completion run(
            Model model, int drafts, int[] prompt, double temperature, SpeculationCounters[] out) {
        try (Generator generator = new Generator(
                model,
                FP32,
                CacheOptions.DEFAULT.withDrafts(drafts),
                prompt.length + 100,
                1,
                Lanes.vector(),
                2,
                512,
                LoadProgress.NONE)) {
            Completion completion =
                    generator.generate(prompt, 100, Sampling.at(temperature, 5), true, id -> true, () -> false);
            out[0] = generator.speculation();
            return completion;
        }
    }

    @ParameterizedTest
    @CsvSource({"0_story_raw, 0", "1_chat_story, 0", "2_chat_fact, 0", "4_needle_1200, 0", "1_chat_story, 0.8"})
    void theTextIsThatWithoutGuesses(String name, double temperature) throws IOException {
        int[] prompt = DemoGolden.read(name).ints("input_ids");
        SpeculationCounters[] counters = new SpeculationCounters[1];
        try (Model model = Model.open(DemoGolden.MODEL)) {
            Completion without = run(model, 0, prompt, temperature, counters);
            assertThat(counters[0].rounds()).isZero();
            // The long prompt takes its time.
            for (int drafts = 1; drafts <= CacheOptions.MOST_DRAFTS; drafts += prompt.length > 1000 ? 3 : 1) {
                assertThat(run(model, drafts, prompt, temperature, counters).outputIds())
                        .as("%d drafts", drafts)
                        .isEqualTo(without.outputIds());
                assertThat(counters[0].accepted()).isPositive();
            }
        }
    }

    /**
     * Pages that leave and come back, a hot region of one selection, in which guesses have little room, and company; the
     * other policies are those of {@link ForcedGuessesTest}.
     */
    @Test
    void theTextsOfACrowdInATinyPoolAreThoseWithoutGuesses() throws IOException {
        int[] needle = DemoGolden.read("4_needle_1200").ints("input_ids");
        List<int[]> prompts = List.of(
                Arrays.copyOf(needle, 700),
                Arrays.copyOfRange(needle, 600, 1200),
                DemoGolden.read("0_story_raw").ints("input_ids"));
        try (Model model = Model.open(DemoGolden.MODEL)) {
            SpeculationCounters[] counters = new SpeculationCounters[1];
            List<List<Integer>> expected = crowd(model, 0, prompts, counters);
            assertThat(crowd(model, CacheOptions.MOST_DRAFTS, prompts, counters))
                    .isEqualTo(expected);
            assertThat(counters[0].accepted()).isPositive();
            assertThat(counters[0].droppedRows()).isPositive();
        }
    }

    private static List<List<Integer>> crowd(Model model, int drafts, List<int[]> prompts, SpeculationCounters[] out) {
        int topK = model.config().indexer().topK();
        CacheOptions options = new CacheOptions(
                KvPolicy.HYBRID,
                OptionalInt.of(16),
                OptionalInt.of(topK),
                OptionalLong.empty(),
                OptionalInt.empty(),
                drafts);
        try (Generator generator =
                new Generator(model, FP32, options, 1500, 3, Lanes.vector(), 2, 256, LoadProgress.NONE)) {
            List<Sequence> sequences = prompts.stream()
                    .map(prompt -> generator.submit(prompt, 90, Sampling.GREEDY, true, id -> true))
                    .toList();
            while (!sequences.stream().allMatch(Sequence::ended)) {
                generator.scheduler().step();
            }
            out[0] = generator.speculation();
            return sequences.stream()
                    .map(s -> {
                        assertThat(s.failure()).isEmpty();
                        return Arrays.stream(s.output()).boxed().toList();
                    })
                    .toList();
        }
    }

    /** The MTP layer over a prompt, by prefill in chunks: each position with the token behind it. */
    @ParameterizedTest
    @CsvSource({
        "glm-tiny/tiny-bf16, glm-tiny, 4, 160", "glm-tiny/tiny-bf16, glm-tiny, 4, 37",
        "dsv32-tiny/tiny-fp8, dsv32-tiny, 3, 160", "dsv32-tiny/tiny-fp8, dsv32-tiny, 3, 7"
    })
    void theMtpLayerEqualsTheReference(String checkpoint, String family, int layer, int chunk) {
        Golden golden = new Golden(family + "/golden_mtp.safetensors", "");
        int[] next = golden.ints("input_ids");
        int[] text = new int[next.length + 1];
        System.arraycopy(new Golden(family + "/golden_sparse.safetensors", "").ints("input_ids"), 0, text, 0, 1);
        System.arraycopy(next, 0, text, 1, next.length);
        Recorder recorder = new Recorder();
        try (Model model = Model.open(Golden.resource(checkpoint));
                CpuWeights weights = CpuWeights.load(model.config(), model.weights(), true, LoadProgress.NONE);
                Workers workers = new Workers(2);
                ModelDevice device = new ModelDevice(
                        model,
                        weights,
                        workers,
                        Lanes.vector(),
                        FP32,
                        new CacheConfig(
                                KvPolicy.RESIDENT,
                                10 + CacheConfig.residentBlocks(model.config(), FP32, text.length, true),
                                CacheConfig.defaultHotRows(model.config(), 1),
                                0,
                                text.length,
                                1,
                                CacheConfig.NONE,
                                1),
                        Math.min(chunk, next.length),
                        true,
                        recorder);
                ModelSession session = device.open(text.length)) {
            device.cache().poison();
            session.append(text, 0, text.length);
            for (int at = 0; at < next.length; at += chunk) {
                int rows = Math.min(chunk, next.length - at);
                recorder.expect(rows);
                session.step(rows);
                recorder.keep("logits", session.logits(), rows);
            }
        }
        close("hidden_out", recorder.floats("drafted"), golden.floats("hidden_out"), 2e-4);
        close("logits_last16", recorder.floats("logits"), golden.floats("logits_last16"), 5e-4);
        int[] selected = recorder.ints("layer" + layer + ".topk").stream()
                .flatMapToInt(Arrays::stream)
                .toArray();
        assertThat(selected).isEqualTo(golden.ints("topk"));
    }

    private static void close(String name, List<float[]> rows, float[] golden, double tolerance) {
        int width = rows.getFirst().length;
        int first = rows.size() - golden.length / width;
        for (int i = 0; i < golden.length; i++) {
            assertThat((double) rows.get(first + i / width)[i % width])
                    .as("%s[%d][%d]", name, first + i / width, i % width)
                    .isBetween(golden[i] - tolerance, golden[i] + tolerance);
        }
    }
}
