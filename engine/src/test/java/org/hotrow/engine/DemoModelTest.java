package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.SafetensorsFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The trained demo model against its goldens: every greedy token, logits, and the positions that each indexer selects
 * for the last token of the prompt; the longest prompt finds a number about 1,200 tokens back.
 */
class DemoModelTest {
    private static final Path MODEL = DemoGolden.MODEL;
    private static final double LOGIT_TOLERANCE = 5e-4;

    static List<String> names() {
        return DemoGolden.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void saysWhatTheGoldenSays(String name) throws IOException {
        DemoGolden golden = DemoGolden.read(name);
        int[] prompt = golden.ints("input_ids");
        int[] expected = golden.ints("generated_ids");
        Recorder recorder = new Recorder();
        try (Model model = Model.open(MODEL);
                CpuWeights weights = CpuWeights.load(model.weights(), LoadProgress.NONE);
                Workers workers = new Workers(2);
                CpuSession session = new CpuSession(
                        model.config(),
                        model.weights(),
                        weights,
                        workers,
                        CacheFormat.of(KvDtype.FP32),
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
    private static void assertSelections(DemoGolden golden, Recorder recorder, int last) {
        for (int layer : new int[] {0, 1, 3}) {
            int[] selected = Arrays.stream(
                            recorder.ints("layer" + layer + ".topk").get(last))
                    .filter(p -> p >= 0)
                    .toArray();
            assertThat(selected).as("layer %d", layer).isEqualTo(golden.ints("layer_" + layer));
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
}
