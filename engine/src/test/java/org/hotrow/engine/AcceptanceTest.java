package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;

/** The demo model's MTP layer guesses what its goldens say that it guesses, so as many of its guesses are right as they say. */
class AcceptanceTest {
    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);
    private static final int BEHIND = 8;

    /**
     * What the drafter guesses first in each round, while all guesses that are verified are wrong, so that there is a round
     * for each token; by the position of the token.
     */
    private static Map<Integer, Integer> guesses(ModelAndText model, int[] prompt, int[] generated) {
        int[] text = Arrays.copyOf(prompt, prompt.length + generated.length + BEHIND);
        System.arraycopy(generated, 0, text, prompt.length, generated.length);
        int blocks = CacheConfig.residentBlocks(model.config(), FP32, text.length, true);
        CacheConfig cache = new CacheConfig(
                KvPolicy.RESIDENT, blocks, CacheConfig.defaultHotRows(model.config(), 1), 0, text.length, 1, -1, 1);
        try (GuessedServer server =
                new GuessedServer(model, FP32, cache, prompt.length, (request, place) -> false, WalkProbe.NONE)) {
            server.guesses.say(text);
            Sequence sequence =
                    server.crowd.submit(prompt, generated.length + 2).sequence();
            server.crowd.finish();
            assertThat(Arrays.copyOf(sequence.output(), generated.length)).isEqualTo(generated);
            return Objects.requireNonNull(server.guesses.made.get(prompt[0]));
        }
    }

    @Test
    void theDrafterGuessesWhatTheGoldensSay() throws IOException {
        try (ModelAndText model = ModelAndText.demo(1)) {
            for (String name : DemoGolden.NAMES) {
                DemoGolden golden = DemoGolden.read(name);
                int[] prompt = golden.ints("input_ids");
                int[] generated = golden.ints("generated_ids");
                int[] expected = golden.ints("mtp_draft_ids_for_generated");
                Map<Integer, Integer> guesses = guesses(model, prompt, generated);
                // The first token has no guess: nothing is guessed before the prompt is computed.
                int right = expected[0] == generated[0] ? 1 : 0;
                for (int i = 1; i < generated.length; i++) {
                    assertThat(guesses.get(prompt.length + i))
                            .as("%s: guess of generated token %d", name, i)
                            .isEqualTo(expected[i]);
                    right += expected[i] == generated[i] ? 1 : 0;
                }
                assertThat((double) right / generated.length)
                        .as("%s: acceptance", name)
                        .isCloseTo(golden.number("mtp_accept_rate"), within(0.0005));
            }
        }
    }
}
