package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.SafetensorsFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The trained demo model against its goldens: every greedy token, logits, and the positions that each indexer selects
 * for the last token of the prompt; the longest prompt finds a number about 1,200 tokens back.
 */
class DemoModelTest {
    private static final Path MODEL = Path.of("demo-model");
    private static final double LOGIT_TOLERANCE = 5e-4;

    @ParameterizedTest
    @ValueSource(strings = {"0_story_raw", "1_chat_story", "2_chat_fact", "3_prose", "4_needle_1200"})
    void saysWhatTheGoldenSays(String name) throws IOException {
        String golden = Files.readString(MODEL.resolve("golden/golden_" + name + ".json"));
        int[] prompt = ints(golden, "input_ids");
        int[] expected = ints(golden, "generated_ids");
        Recorder recorder = new Recorder();
        try (Model model = Model.open(MODEL);
                CpuWeights weights = CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE);
                Workers workers = new Workers(2);
                CpuSession session = new CpuSession(
                        model.config(),
                        model.weights(),
                        weights,
                        workers,
                        Lanes.vector(),
                        KvDtype.FP32,
                        prompt.length + expected.length,
                        prompt.length,
                        false,
                        recorder);
                SafetensorsFile tensors =
                        SafetensorsFile.open(MODEL.resolve("golden/golden_" + name + ".safetensors"))) {
            session.slabs().poison();
            recorder.expect(prompt.length);
            session.step(prompt, 0, prompt.length);
            assertSelections(golden, recorder, prompt.length - 1);
            assertRow(session, floats(tensors, "logits_last_prompt"), 0);
            float[] logits = floats(tensors, "logits_generated");
            Sampler sampler =
                    new Sampler(Sampling.GREEDY, prompt, model.config().vocabSize());
            for (int i = 0; i < expected.length; i++) {
                assertRow(session, logits, i);
                int next =
                        sampler.next(session.logits().data(), session.logits().at(0));
                assertThat(next).as("token %d", i).isEqualTo(expected[i]);
                recorder.expect(1);
                session.step(new int[] {next}, 0, 1);
            }
        }
    }

    /** All closest decisions of the goldens are further apart than rounding, so the sets have to be equal. */
    private static void assertSelections(String golden, Recorder recorder, int last) {
        for (int layer : new int[] {0, 1, 3}) {
            int[] selected = Arrays.stream(
                            recorder.ints("layer" + layer + ".topk").get(last))
                    .filter(p -> p >= 0)
                    .toArray();
            assertThat(selected).as("layer %d", layer).isEqualTo(ints(golden, "layer_" + layer));
        }
    }

    private static void assertRow(CpuSession session, float[] golden, int row) {
        CpuActivation logits = session.logits();
        for (int id = 0; id < logits.width(); id++) {
            float expected = golden[row * logits.width() + id];
            assertThat((double) logits.data()[logits.at(0) + id])
                    .as("logit %d of row %d", id, row)
                    .isBetween(expected - LOGIT_TOLERANCE, expected + LOGIT_TOLERANCE);
        }
    }

    private static float[] floats(SafetensorsFile tensors, String name) {
        return Objects.requireNonNull(tensors.tensors().get(name), name)
                .data()
                .toArray(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));
    }

    private static int[] ints(String json, String name) {
        Matcher list = Pattern.compile("\"" + name + "\":\\s*\\[([^\\]]*)\\]").matcher(json);
        assertThat(list.find()).as(name).isTrue();
        return List.of(list.group(1).split(",")).stream()
                .mapToInt(number -> Integer.parseInt(number.strip()))
                .toArray();
    }
}
