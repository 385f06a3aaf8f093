package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Completion;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.SelectionRecorder;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.SafetensorsFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Selections of the demo model. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordingTest {
    private static final Path FOLDER = Path.of("../engine/demo-model");
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int TOP_K = 256;
    private static final int GIVEN = 290;
    private static final int LENGTH = 310;
    private static final long SEED = 4;

    private final Model model = Model.open(FOLDER);
    private final SelectionRecorder recorder = new SelectionRecorder(model);

    /** A list and scores of one indexer in one step. */
    private record Seen(int layer, List<Integer> list, List<Float> scores) {}

    private final int[] given = Arrays.copyOf(Recording.prompt(FOLDER, "4_needle_1200"), GIVEN);
    private final List<Seen> seen = new ArrayList<>();
    private int[] ids = {};

    @BeforeAll
    void recordAll() {
        ids = record(given, 1, LENGTH, seen);
    }

    @AfterAll
    void close() {
        recorder.close();
        model.close();
    }

    private int[] record(int[] text, int from, int length, List<Seen> into) {
        return recorder.record(
                text,
                from,
                length,
                SEED,
                (layer, list, scores) -> into.add(new Seen(
                        layer,
                        Arrays.stream(list).filter(p -> p >= 0).boxed().toList(),
                        IntStream.range(0, scores.length)
                                .mapToObj(p -> scores[p])
                                .toList())));
    }

    /** All steps of all indexers; the lists that the walk made are those that the scores say, by an ordinary sort. */
    @Test
    void listsAreTheBestScores() {
        assertThat(seen).hasSize(3 * (LENGTH - 1));
        for (int i = 0; i < seen.size(); i++) {
            Seen one = seen.get(i);
            assertThat(one.layer).isEqualTo(List.of(0, 1, 3).get(i % 3));
            assertThat(one.scores).hasSize(2 + i / 3);
            List<Integer> best = IntStream.range(0, one.scores.size())
                    .boxed()
                    .sorted(Comparator.comparing(one.scores::get, Collections.reverseOrder()))
                    .limit(TOP_K)
                    .sorted()
                    .toList();
            assertThat(one.list).as("step %d, layer %d", i / 3, one.layer).isEqualTo(best);
        }
    }

    /** A golden's prompt of 6 tokens and what is drawn after it; one recording for each indexer. */
    @Test
    void decodesAGoldensPrompt() {
        List<Recording> recordings = Recording.of(model, recorder, FOLDER, 0, 40);
        assertThat(recordings).hasSize(3);
        for (int i = 0; i < 3; i++) {
            Recording recording = recordings.get(i);
            assertThat(recording.lists()).hasSize(35);
            assertThat(recording.scores()).hasSize(35);
            assertThat(recording.scores().getFirst()).hasSize(6);
            assertThat(recording.warmUp()).isEqualTo(2048 - 5);
        }
        assertThat(recordings.get(0).scores().getLast())
                .isNotEqualTo(recordings.get(1).scores().getLast());
    }

    /** Known tokens that were prefilled and tokens that were decoded one by one lead to the same bits. */
    @Test
    void fromWhereItRecordsChangesNothing() {
        List<Seen> late = new ArrayList<>();
        assertThat(record(given, GIVEN - 10, LENGTH, late)).isEqualTo(ids);
        assertThat(late)
                .hasSize(3 * (LENGTH - GIVEN + 10))
                .isEqualTo(seen.subList(seen.size() - late.size(), seen.size()));
    }

    @Test
    void drawsWhatGenerationDraws() {
        try (Generator generator = new Generator(
                model,
                CacheFormat.of(KvDtype.FP8),
                CacheOptions.of(KvPolicy.RESIDENT),
                LENGTH,
                1,
                Lanes.vector(),
                2,
                512,
                LoadProgress.NONE)) {
            Completion completion =
                    generator.generate(given, LENGTH - GIVEN, Sampling.at(1, SEED), true, id -> true, () -> false);
            assertThat(Arrays.copyOf(ids, GIVEN)).isEqualTo(given);
            assertThat(Arrays.stream(ids).skip(GIVEN).boxed()).isEqualTo(completion.outputIds());
        }
    }

    /** Against scores that an independent implementation computed in f32; here the keys are stored in FP8. */
    @Test
    void scoresAreTheGoldens() {
        int[] prompt = Recording.prompt(FOLDER, "4_needle_1200");
        List<Seen> last = new ArrayList<>();
        record(prompt, prompt.length - 1, prompt.length, last);
        assertThat(last).hasSize(3);
        try (SafetensorsFile golden = SafetensorsFile.open(FOLDER.resolve("golden/golden_4_needle_1200.safetensors"))) {
            MemorySegment scores = Objects.requireNonNull(golden.tensors().get("indexer_scores_last_prompt"))
                    .data();
            for (int anchor = 0; anchor < 3; anchor++) {
                double worst = 0;
                double largest = 0;
                for (int p = 0; p < prompt.length; p++) {
                    float expected = scores.getAtIndex(FLOAT, (long) anchor * prompt.length + p);
                    worst = Math.max(
                            worst, Math.abs(expected - last.get(anchor).scores.get(p)));
                    largest = Math.max(largest, Math.abs(expected));
                }
                assertThat(worst).as("indexer %d", anchor).isCloseTo(0, within(0.05 * largest));
            }
        }
    }
}
