package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of the demo model in a pool that holds little of them: whatever makes room, with and without guesses, they are equal. */
class ReplacementTextTest {
    private static final int TOKENS = 60;

    @ParameterizedTest
    @CsvSource({"512, 0", "256, 4"})
    void whateverMakesRoomTheTextIsTheResidentOne(int hotRows, int drafts) throws IOException {
        int[] prompt = Arrays.copyOf(DemoGolden.read("4_needle_1200").ints("input_ids"), 1000);
        try (Model model = Model.open(DemoGolden.MODEL)) {
            List<Integer> expected = text(model, prompt, CacheOptions.of(KvPolicy.RESIDENT), new HashMap<>());
            Map<Replacement, Long> read = new HashMap<>();
            for (Replacement replacement : Replacement.values()) {
                CacheOptions options = new CacheOptions(
                        KvPolicy.HYBRID,
                        OptionalInt.of(17),
                        OptionalInt.of(hotRows),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        drafts,
                        replacement);
                assertThat(text(model, prompt, options, read)).isEqualTo(expected);
            }
            assertThat(read.get(Replacement.SCORE))
                    .as("rows read from the host")
                    .isPositive()
                    .isNotEqualTo(read.get(Replacement.LRU));
        }
    }

    private static List<Integer> text(Model model, int[] prompt, CacheOptions options, Map<Replacement, Long> read) {
        try (Generator generator = new Generator(
                model,
                CacheFormat.of(KvDtype.FP8),
                options,
                prompt.length + TOKENS,
                1,
                Lanes.vector(),
                2,
                256,
                LoadProgress.NONE)) {
            List<Integer> ids = new ArrayList<>();
            generator.generate(prompt, TOKENS, Sampling.GREEDY, true, ids::add, () -> false);
            read.put(options.replacement(), generator.counters().hostRowsRead());
            return ids;
        }
    }
}
