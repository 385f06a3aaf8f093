package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Scheduler.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in which batch, who waits, who makes room, and what is left when all is over. */
class SchedulerTest {
    private static final int[] PROMPT = IntStream.range(0, 200).toArray();

    private static int[] prompt(int tokens) {
        return Arrays.copyOf(PROMPT, tokens);
    }

    @Test
    void decodesFirstThenPrefillsByAge() {
        FakeServer server = new FakeServer(KvPolicy.RESIDENT, 100, 8, 100);
        server.submit(10, 40);
        server.submit(150, 40);
        server.submit(60, 40);
        assertThat(server.next()).isEqualTo("10 90");
        assertThat(server.next()).isEqualTo("1 60 39");
        assertThat(server.next()).isEqualTo("1 1 21");
        assertThat(server.next()).isEqualTo("+ 1 1 1");
        server.finish();
    }

    @Test
    void theAllocatorIsAskedForNewPagesAndNewRequestsOnly() {
        FakeServer server = new FakeServer(KvPolicy.RESIDENT, 100, 8, 100);
        server.submit(60, 80);
        server.steps(1);
        assertThat(List.of(server.next(), server.next(), server.next(), server.next()))
                .isEqualTo(List.of("+ 1", "+ 1", "+ 1", "+ 1"));
        assertThat(server.next()).as("a new page").isEqualTo("1");
        assertThat(server.next()).isEqualTo("+ 1");
        Sequence second = server.submit(4, 2);
        assertThat(server.next()).as("somebody came").isEqualTo("1 4");
        assertThat(server.next()).isEqualTo("+ 1 1");
        assertThat(second.ended()).isTrue();
        assertThat(server.next()).as("somebody went").isEqualTo("+ 1");
        server.finish();
    }

    @Test
    void admitsInOrderAndNoMoreThanMaxSeqs() {
        FakeServer server = new FakeServer(KvPolicy.RESIDENT, 100, 3, 1000);
        for (int i = 0; i < 8; i++) {
            server.submit(10 + i, 3);
        }
        assertThat(server.next()).isEqualTo("10 11 12");
        assertThat(server.scheduler.waiting()).isEqualTo(5);
        server.steps(2);
        assertThat(server.next()).isEqualTo("13 14 15");
        server.finish();
        for (int i = 1; i < 8; i++) {
            assertThat(server.sequences.get(i).admitted())
                    .isGreaterThan(server.sequences.get(i - 1).admitted());
        }
    }

    @Test
    void runsNoMoreThanMaxSeqsWhenTheAllocatorHasMoreSeats() {
        FakeServer server = new FakeServer(KvPolicy.RESIDENT, 100, 4, 100);
        Scheduler narrow = new Scheduler(server.allocator, server.device, 2, 100, () -> 0);
        for (int i = 0; i < 3; i++) {
            narrow.submit(new Sequence(prompt(10 + i), 15, id -> false, (logits, at) -> 0, id -> true));
        }
        narrow.step();
        assertThat(server.device.batches).containsExactly("10 11");
        while (narrow.step() != Progress.IDLE) {
            assertThat(narrow.running()).isLessThan(3);
        }
    }

    @Test
    void aRequestThatDoesNotFitHoldsBackThoseAfterIt() {
        FakeServer server = new FakeServer(KvPolicy.RESIDENT, 12, 8, 1000);
        server.submit(300, 20);
        Sequence large = server.submit(400, 20);
        Sequence small = server.submit(10, 5);
        server.finish();
        assertThat(small.admitted()).isGreaterThan(large.admitted());
    }

    @Test
    void whatThePrefixCacheHasIsNotTakenFromTheBudget() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 100, 8, 100);
        server.submit(prompt(200), 1);
        server.finish();
        int before = server.device.batches.size();
        Sequence again = server.submit(prompt(200), 1);
        server.submit(50, 1);
        assertThat(server.next()).isEqualTo("8 50");
        assertThat(again.cached()).isEqualTo(192);
        server.finish();
        assertThat(server.device.batches).hasSize(before + 1);
    }

    @Test
    void requestsWithTheSamePromptInOneStepComputeItEach() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 100, 8, 1000);
        List<Sequence> twins = List.of(server.submit(prompt(129), 3), server.submit(prompt(129), 3));
        assertThat(server.next())
                .as("pages that are not written yet are no hit")
                .isEqualTo("129 129");
        server.finish();
        assertThat(twins).extracting(Sequence::cached).containsOnly(0);
    }

    @Test
    void refusesWhatCouldNeverRunAndGoesOn() {
        FakeServer server = new FakeServer(KvPolicy.RESIDENT, 5, 8, 1000);
        List<String> ends = new ArrayList<>();
        Sequence large = server.submit(prompt(200), 1000, (logits, at) -> 0, listener(ends, "large"));
        Sequence small = server.submit(prompt(20), 10);
        server.finish();
        assertThat(large.finishReason()).isEqualTo(FinishReason.ERROR);
        assertThat(large.failure().orElseThrow()).hasMessageContaining("needs a pool of");
        assertThat(ends).containsExactly("large");
        assertThat(small.finishReason()).isEqualTo(FinishReason.LENGTH);
    }

    private static TokenListener listener(List<String> ends, String name) {
        return new TokenListener() {
            @Override
            public boolean accept(int id) {
                return true;
            }

            @Override
            public void ended() {
                ends.add(name);
            }
        };
    }

    /** vllm-ascend#16315: two requests of more than half the pool each don't take turns at throwing each other out. */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void twoRequestsOfMoreThanHalfThePoolBothEnd(KvPolicy policy) {
        int pages = 10;
        FakeServer server = new FakeServer(policy, 1 + pages + 2, 2, 64);
        server.submit(64, 64 * 6);
        server.submit(64, 64 * 6);
        server.finish();
        int preemptions =
                server.sequences.stream().mapToInt(Sequence::preemptions).sum();
        assertThat(preemptions).isLessThan(3);
        assertThat(server.sequences.getFirst().preemptions())
                .as("of the oldest")
                .isZero();
    }

    /** Requests of a whole pool each, copies that take their time: everybody ends, in the order of their coming. */
    @ParameterizedTest
    @CsvSource({"HYBRID, 0", "HYBRID, 3", "OFFLOAD, 0", "OFFLOAD, 3", "RECOMPUTE, 0", "RESIDENT, 0"})
    void everybodyEndsWhateverTheyNeed(KvPolicy policy, int copyBatches) {
        FakeServer server = new FakeServer(policy, 10, 4, 50);
        server.device.copyBatches = copyBatches;
        for (int i = 0; i < 12; i++) {
            server.submit(20 + 30 * (i % 5), 300);
        }
        server.finish();
        long[] ends = server.sequences.stream().mapToLong(Sequence::endedAt).toArray();
        if (policy != KvPolicy.HYBRID) {
            assertThat(ends).as("pools for one at a time").isSorted();
        }
    }

    /** At every moment, any request may go: nothing of it is left, and the others say what they say. */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void cancellationAtAnyMomentReturnsEveryBlock(KvPolicy policy) {
        for (int moment = 0; moment < 60; moment++) {
            for (int victim = 0; victim < 5; victim++) {
                FakeServer server = new FakeServer(policy, 14, 4, 40);
                server.device.copyBatches = moment % 3;
                for (int i = 0; i < 5; i++) {
                    server.submit(30 + 40 * i, 100);
                }
                for (int i = 0; i < moment; i++) {
                    server.step();
                }
                Sequence cancelled = server.sequences.get(victim);
                boolean ended = cancelled.ended();
                server.scheduler.cancel(cancelled);
                server.step();
                assertThat(cancelled.ended()).isTrue();
                assertThat(cancelled.finishReason()).isEqualTo(ended ? FinishReason.LENGTH : FinishReason.CANCELLED);
                server.scheduler.cancel(cancelled);
                server.finish();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void aFailedBatchLosesNothing(KvPolicy policy) {
        for (int failAt = 0; failAt < 40; failAt++) {
            FakeServer server = new FakeServer(policy, 30, 4, 40);
            server.device.failAt = failAt;
            for (int i = 0; i < 5; i++) {
                server.submit(30 + 40 * i, 20);
            }
            assertThatThrownBy(server::finish).isInstanceOf(EngineException.class);
            server.finish();
            assertThat(server.sequences).extracting(Sequence::generated).containsOnly(20);
        }
    }

    @Test
    void whatADrawOrAListenerThrowsEndsItsRequestAlone() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        Sequence draws = server.submit(
                prompt(10),
                9,
                (logits, at) -> {
                    throw new EngineException("not finite");
                },
                id -> true);
        Sequence hears = server.submit(prompt(10), 9, (logits, at) -> (int) logits[at], id -> {
            throw new EngineException("nobody reads");
        });
        Sequence other = server.submit(10, 9);
        server.finish();
        assertThat(draws.failure().orElseThrow()).hasMessage("not finite");
        assertThat(draws.generated()).isZero();
        assertThat(hears.failure().orElseThrow()).hasMessage("nobody reads");
        assertThat(hears.generated()).isOne();
        assertThat(other.finishReason()).isEqualTo(FinishReason.LENGTH);
    }

    @Test
    void aListenerOrAStopIdEndsTheText() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        Sequence heard = server.submit(prompt(10), 9, (logits, at) -> (int) logits[at], id -> id < 12);
        Sequence stopped = new Sequence(prompt(10), 19, id -> id == 13, (logits, at) -> (int) logits[at], id -> true);
        server.scheduler.submit(stopped);
        server.finish();
        assertThat(heard.output()).containsExactly(9, 10, 11, 12);
        assertThat(stopped.output()).containsExactly(9, 10, 11, 12, 13);
        assertThat(stopped.finishReason()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void aRequestForNoTokensIsPrefilledOnly() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        Sequence none = server.submit(150, 0);
        server.finish();
        assertThat(none.generated()).isZero();
        assertThat(none.prefilled()).isEqualTo(150);
        assertThat(none.finishReason()).isEqualTo(FinishReason.LENGTH);
        assertThat(none.firstToken()).isEqualTo(Sequence.NEVER);
    }

    @Test
    void timesAreInOrder() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 1, 100);
        server.submit(10, 3);
        Sequence second = server.submit(150, 3);
        server.finish();
        assertThat(List.of(
                        second.submitted(),
                        second.admitted(),
                        second.prefillEnd(),
                        second.firstToken(),
                        second.lastToken(),
                        second.endedAt()))
                .isSorted();
        assertThat(second.firstToken()).isEqualTo(second.prefillEnd()).isGreaterThan(second.admitted());
        assertThat(second.lastToken()).isGreaterThan(second.firstToken());
        assertThat(second.endedAt()).isGreaterThan(second.lastToken());
        assertThat(second.admitted()).isGreaterThan(server.sequences.getFirst().endedAt());
        assertThat(server.step()).isEqualTo(Progress.IDLE);
    }

    @Test
    void refusesAnEmptyPromptOrOneWithoutRoom() {
        for (int[] prompt : new int[][] {{}, {1, 2, 3}}) {
            assertThatThrownBy(() -> new Sequence(prompt, 2, id -> false, (logits, at) -> 0, id -> true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("prompt of " + prompt.length + " tokens");
        }
    }
}
