package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Guesses without room become padding, and nothing else does. */
class GuessDropTest {
    private static final int TOKENS = 9;
    private static final int K = 7;

    private int[] request = {};
    private int[] guess = {};
    private long[] unions = {};

    private static RowResolver.Shape shape(int tokens) {
        return new RowResolver.Shape(tokens, K, 70, 1, 1, 1, 8);
    }

    /** Requests, guesses and unions are what is left of them afterwards; tokens select what their neighbours do, nearly. */
    private void drop(int from, int to, int... done) {
        int tokens = request.length;
        IntArray requests = IntArray.fromArray(request);
        IntArray guesses = IntArray.fromArray(guess);
        IntArray span = IntArray.fromElements(from, to);
        IntArray positions = IntArray.fromArray(selections(tokens));
        RowResolver.Loads loads = RowResolver.Loads.of(shape(tokens));
        IntArray fresh = new IntArray(tokens);
        fresh.init(77);
        unions = new SplittableRandom(tokens)
                .longs(tokens * (long) GuessDrop.COUNTERS, 0, 20)
                .toArray();
        LongArray counters = LongArray.fromArray(unions);
        // Of tokens that are no first ones it isn't to be read.
        loads.found().init(0);
        for (int t = 0; t < done.length; t++) {
            loads.found().set(t * HotResolve.FOUND + HotResolve.DONE, done[t]);
        }
        int[] found = loads.found().toHeapArray();
        Device.run(
                (graph, grids) -> GuessDrop.append(
                        graph,
                        grids,
                        "unit",
                        shape(tokens),
                        positions,
                        requests,
                        span,
                        loads,
                        guesses,
                        fresh,
                        counters),
                positions,
                requests,
                span,
                loads.found(),
                guesses,
                fresh,
                counters);

        GuessDrop.reference(from, to, K, positions.toHeapArray(), found, request, guess, unions);
        assertThat(requests.toHeapArray()).containsExactly(request);
        assertThat(guesses.toHeapArray()).containsExactly(guess);
        assertThat(counters.toHeapArray()).containsExactly(unions);
    }

    /** Token t selects 3, 6, .. behind t, and fewer than that now and then. */
    private static int[] selections(int tokens) {
        int[] positions = new int[tokens * K];
        for (int t = 0; t < tokens; t++) {
            for (int i = 0; i < K; i++) {
                positions[t * K + i] = i < K - 2 * (t % 3) ? t % 4 + 3 * i : -1;
            }
        }
        return positions;
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

    /** Token 0 selects 0, 3, .. 18, token 1 1, .. 13, token 2 2, 5, 8, token 3 all of the first again. */
    @Test
    void countsWhatRowsOfARoundSelectTogether() {
        request = new int[] {2, 2, 2, 0, -1, 1, -1};
        guess = new int[] {0, 1, 1, 0, 2, 0, 0};
        drop(0, 7, 3, 0, 0, 1, 0, 1);
        long[] before =
                new SplittableRandom(7).longs(7L * GuessDrop.COUNTERS, 0, 20).toArray();
        assertThat(unions[GuessDrop.UNIONS]).isEqualTo(before[GuessDrop.UNIONS] + 1);
        assertThat(unions[GuessDrop.POSITIONS]).isEqualTo(before[GuessDrop.POSITIONS] + 7 + 5 + 3);
        assertThat(Arrays.copyOfRange(unions, GuessDrop.COUNTERS, unions.length))
                .containsExactly(Arrays.copyOfRange(before, GuessDrop.COUNTERS, before.length));
    }
}
