package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Guesses without room become padding, and nothing else does. */
class GuessDropTest {
    private static final int TOKENS = 9;

    private static RowResolver.Shape shape(int tokens) {
        return new RowResolver.Shape(tokens, 4, 70, 1, 1, 1, 8);
    }

    private int[] request = {};
    private int[] guess = {};

    /** Requests and guesses are what is left of them afterwards. */
    private void drop(int from, int to, int... done) {
        IntArray requests = IntArray.fromArray(request);
        IntArray guesses = IntArray.fromArray(guess);
        IntArray span = IntArray.fromElements(from, to);
        RowResolver.Loads loads = RowResolver.Loads.of(shape(request.length));
        // Of tokens that are no first ones it isn't to be read.
        loads.found().init(0);
        for (int t = 0; t < done.length; t++) {
            loads.found().set(t * HotResolve.FOUND + HotResolve.DONE, done[t]);
        }
        int[] found = loads.found().toHeapArray();
        Device.run(
                (graph, grids) ->
                        GuessDrop.append(graph, grids, "drop", shape(request.length), requests, span, loads, guesses),
                requests,
                span,
                loads.found(),
                guesses);

        GuessDrop.reference(from, to, found, request, guess);
        assertThat(requests.toHeapArray()).containsExactly(request);
        assertThat(guesses.toHeapArray()).containsExactly(guess);
    }

    @Test
    void dropsTheGuessesOfARequestFromTheFirstThatIsNotDone() {
        request = new int[] {2, 2, 2, 2, 0, 0, 1, 1, -1};
        guess = new int[] {0, 1, 1, 1, 0, 1, 0, 1, 0};
        drop(0, TOKENS, 2, 0, 0, 0, 2, 0, 1);
        assertThat(request).containsExactly(2, 2, -1, -1, 0, 0, 1, -1, -1);
        assertThat(guess).containsExactly(0, 1, 2, 2, 0, 1, 0, 2, 0);
    }

    /** Rows of a prompt that are not done wait for another call. */
    @Test
    void knownTokensAreNeverDropped() {
        request = new int[] {1, 1, 1, 0, 0, -1, -1, -1, -1};
        guess = new int[TOKENS];
        drop(0, TOKENS, 1, 0, 0, 0);
        assertThat(request).containsExactly(1, 1, 1, 0, 0, -1, -1, -1, -1);
        assertThat(guess).containsOnly(0);
    }

    /** In the units after the first, what was dropped stays dropped, and may be followed by more. */
    @Test
    void moreAreDroppedInALaterUnit() {
        request = new int[] {2, 2, 2, -1, 0, -1, 1, 1, -1};
        guess = new int[] {0, 1, 1, 2, 0, 2, 0, 1, 0};
        drop(0, TOKENS, 1, 0, 0, 0, 1, 0, 2);
        assertThat(request).containsExactly(2, -1, -1, -1, 0, -1, 1, 1, -1);
        assertThat(guess).containsExactly(0, 2, 2, 2, 0, 2, 0, 1, 0);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "5, 2", "64, 3", "65, 4", "200, 5"})
    void agreesWithTheReferenceOnRunsOfAnyLength(int tokens, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        request = new int[tokens];
        guess = new int[tokens];
        int[] done = new int[tokens];
        int seat = 0;
        for (int t = 0; t < tokens; seat++) {
            int run = Math.min(tokens - t, 1 + random.nextInt(6));
            done[t] = 1 + random.nextInt(run);
            for (int j = 0; j < run; j++, t++) {
                request[t] = seat;
                guess[t] = j > 0 ? 1 : 0;
            }
        }
        int last = tokens - tokens / 10;
        drop(0, last, done);
    }
}
