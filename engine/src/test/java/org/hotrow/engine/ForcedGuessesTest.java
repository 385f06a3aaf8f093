package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.KvRequest;
import org.hotrow.engine.Crowd.Member;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Guesses that are accepted and rejected wherever a test wants it: all logits that tokens are drawn from equal, in the
 * bits, those of the same request alone, resident and without guesses. The allocator's invariants hold after every step,
 * and its pools end empty.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForcedGuessesTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int DRAFTS = CacheOptions.MOST_DRAFTS;
    private static final int LONGEST = 700;
    private static final int SEATS = 3;
    private static final int BATCHED = 256;

    private ModelAndText model;

    // What all conversations say, and then say to what goes on from that.
    private final List<Member> turns = new ArrayList<>();
    private final List<Member> nextTurns = new ArrayList<>();

    @BeforeAll
    void open() {
        model = ModelAndText.random("glm-tiny/tiny-bf16", 1200);
        for (int i = 0; i < 5; i++) {
            turns.addAll(alone(List.of(prompt(i, 40 + 67 * i)), 30 + 20 * (i % 3)));
        }
        for (Member turn : turns) {
            int[] text = GuessedServer.text(turn);
            int[] longer = Arrays.copyOf(text, text.length + 20);
            System.arraycopy(model.text(), 800, longer, text.length, 20);
            nextTurns.addAll(alone(List.of(longer), 25));
        }
    }

    @AfterAll
    void close() {
        model.close();
    }

    /** A prompt whose first token no other has. */
    private int[] prompt(int number, int tokens) {
        int[] prompt = Arrays.copyOfRange(model.text(), 100 * number, 100 * number + tokens);
        prompt[0] = number;
        return prompt;
    }

    private CacheConfig cache(KvPolicy policy, int blocks, int hotRows) {
        int hostPages = policy.usesHost() ? 60 : 0;
        return new CacheConfig(policy, blocks, hotRows, hostPages, LONGEST, SEATS, CacheConfig.NONE, DRAFTS);
    }

    private List<Member> alone(List<int[]> prompts, int newTokens) {
        return GuessedServer.alone(model, FORMAT, LONGEST, prompts, newTokens);
    }

    private GuessedServer server(CacheConfig cache, ForcedGuesses.Rule rule, WalkProbe probe) {
        return new GuessedServer(model, FORMAT, cache, BATCHED, rule, probe);
    }

    private static int blocks(KvPolicy policy) {
        return policy == KvPolicy.HYBRID ? 11 : 14;
    }

    /**
     * sglang#31722 (corruption with MTP): the guess at one place of each round is wrong, all others are right; place 4 is
     * no guess's. Rounds end at, before and behind the ends of pages then.
     */
    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3", "4"})
    void aGuessThatIsWrongChangesNothing(int wrong) {
        List<Member> alone = alone(List.of(prompt(1, 60), prompt(2, 150), prompt(3, 333)), 70);
        for (KvPolicy policy : KvPolicy.values()) {
            try (GuessedServer server =
                    server(cache(policy, blocks(policy), 64), (request, place) -> place != wrong, WalkProbe.NONE)) {
                server.serve(alone);
                SpeculationCounters counters = server.counters();
                assertThat(counters.rounds()).isPositive();
                for (int place = 0; place < DRAFTS; place++) {
                    long drafted = counters.draftedByPosition().get(place);
                    long accepted = counters.acceptedByPosition().get(place);
                    if (place >= wrong) {
                        assertThat(accepted).isZero();
                    } else if (policy == KvPolicy.HYBRID) {
                        assertThat(accepted).isBetween(drafted - counters.droppedRows(), drafted);
                    } else {
                        assertThat(accepted).isEqualTo(drafted).isPositive();
                    }
                }
            }
        }
    }

    /**
     * Selections without anything in common, all of pages that are gone: of 5 rows the hot region has room for as many as
     * it is selections large, and the guesses behind are dropped, though they are right.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void rowsWithoutRoomAreDroppedAndComeAgain(int selections) {
        int topK = model.config().indexer().topK();
        DisjointSelections forced = new DisjointSelections(model.config().layers(), 1 + DRAFTS);
        int[] prompt = prompt(7, 600);
        // One that is alone in a resident pool, without guesses.
        CacheConfig resident = CacheConfig.resident(model.config(), FORMAT, LONGEST);
        int blocks = 1 + indexBlocks() + selections + 3;
        try (GuessedServer without = server(resident, (request, place) -> true, forced)) {
            forced.of(without.guesses.positions);
            Member alone = without.crowd.submit(prompt, 60);
            without.crowd.finish();
            CacheConfig cache = new CacheConfig(
                    KvPolicy.HYBRID, blocks, selections * topK, 60, LONGEST, 1, CacheConfig.NONE, DRAFTS);
            try (GuessedServer server = server(cache, (request, place) -> true, forced)) {
                forced.of(server.guesses.positions);
                server.serve(List.of(alone));
                SpeculationCounters counters = server.counters();
                long withoutRoom = 0;
                for (int place = 0; place < DRAFTS; place++) {
                    boolean room = 1 + place < selections;
                    long drafted = counters.draftedByPosition().get(place);
                    assertThat(drafted).isPositive();
                    assertThat(counters.acceptedByPosition().get(place)).isEqualTo(room ? drafted : 0);
                    withoutRoom += room ? 0 : drafted;
                }
                assertThat(counters.droppedRows()).isEqualTo(withoutRoom);
                assertThat(counters.largestUnion()).isEqualTo((1L + DRAFTS) * topK);
            }
        }
    }

    private int indexBlocks() {
        return CacheConfig.geometry(model.config(), FORMAT, 20, true).indexBlocks(LONGEST);
    }

    /** Of each request other guesses are right, or there are fewer, or none at all; prompts come in between. */
    @ParameterizedTest
    @EnumSource
    void requestsWithAndWithoutGuessesShareBatches(KvPolicy policy) {
        List<Member> alone = alone(List.of(prompt(1, 60), prompt(2, 150), prompt(3, 190)), 60);
        ForcedGuesses.Rule rule = new ForcedGuesses.Rule() {
            @Override
            public boolean right(KvRequest request, int place) {
                return place < request.known() % 5;
            }

            @Override
            public int count(KvRequest request, int made) {
                return request.token(0) == 1 ? 0 : Math.min(made, request.known() % (DRAFTS + 1));
            }
        };
        try (GuessedServer server = server(cache(policy, blocks(policy), 128), rule, WalkProbe.NONE)) {
            server.serve(alone);
            assertThat(server.guesses.mixed)
                    .as("batches of rows with and without guesses")
                    .isPositive();
            assertThat(server.counters().accepted()).isPositive();
        }
    }

    /** Random servers: requests come, go on as the next turn of a conversation, make room, and are cancelled. */
    @ParameterizedTest
    @EnumSource
    void requestsComeAndGo(KvPolicy policy) {
        int preemptions = 0;
        int cached = 0;
        int cancelled = 0;
        for (int seed = 0; seed < 2; seed++) {
            Random random = new Random(seed);
            try (GuessedServer server = server(
                    cache(policy, blocks(policy), 64), (request, place) -> random.nextInt(4) > 0, WalkProbe.NONE)) {
                List<Member> first = turns.stream().map(server::submit).toList();
                Member[] second = new Member[first.size()];
                while (server.crowd.step() || Arrays.asList(second).contains(null)) {
                    for (int i = 0; i < second.length; i++) {
                        if (second[i] == null && first.get(i).sequence().ended()) {
                            second[i] = server.submit(nextTurns.get(i));
                        } else if (second[i] == null && random.nextInt(300) == 0) {
                            server.crowd.scheduler().cancel(first.get(i).sequence());
                        }
                    }
                }
                server.crowd.assertEmpty();
                for (int i = 0; i < second.length; i++) {
                    boolean whole = first.get(i).sequence().finishReason() != FinishReason.CANCELLED;
                    cancelled += whole ? 0 : 1;
                    first.get(i).assertBeginOf(turns.get(i));
                    second[i].assertEqualTo(nextTurns.get(i));
                    preemptions += first.get(i).sequence().preemptions()
                            + second[i].sequence().preemptions();
                    cached += second[i].sequence().cached();
                }
                assertThat(server.counters().accepted()).isPositive();
            }
        }
        assertThat(cancelled).isPositive();
        assertThat(preemptions > 0).isEqualTo(!policy.reservesAll());
        assertThat(cached > 0).isEqualTo(policy.usesHost());
    }
}
