package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Completion.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocatorTest {
    /** Index blocks of 4 pages, hot regions of one block, up to 64 copies per step. */
    static Allocator hybrid(int blocks, int hostPages) {
        return new Allocator(new World(KvPolicy.HYBRID, blocks, 4, 64, hostPages, 4, 64, 2).config());
    }

    static KvRequest open(Allocator allocator, int length, int first) {
        int[] tokens = new int[length];
        tokens[0] = first;
        return allocator.open(tokens, length + 100);
    }

    private static Step commit(Allocator allocator, KvRequest request, int tokens, int drafts) {
        return allocator.commit((StepPlan) allocator.plan(List.of(new Ask(request, tokens, drafts))));
    }

    static Step step(Allocator allocator, KvRequest request, int tokens) {
        Step step = commit(allocator, request, tokens, 0);
        allocator.finish(step);
        return step;
    }

    private static void news(Allocator allocator, Step step, Kind kind) {
        step.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), kind)));
        assertThat(allocator.drain()).isEqualTo(step.writeBacks().size());
        allocator.check();
    }

    private static List<PageState> pages(KvRequest request) {
        Residency residency = request.residency().orElseThrow();
        List<PageState> states = new ArrayList<>();
        for (int page = 0; page < residency.pages(); page++) {
            states.add(residency.page(page));
        }
        return states;
    }

    @Test
    void onlyCompletedCopiesArePublished() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 3 * 64 + 1, 1);
        Step step = step(allocator, request, 1000);
        assertThat(step.writeBacks()).hasSize(3);
        assertThat(pages(request))
                .containsExactly(PageState.COPYING, PageState.COPYING, PageState.COPYING, PageState.DIRTY);
        news(allocator, step, Kind.ENQUEUED);
        assertThat(allocator.state().cache.published()).isZero();
        int[] hostPages = new int[4];
        request.residency().orElseThrow().copyHostPages(hostPages, 0);
        assertThat(hostPages).containsOnly(0);
        news(allocator, step, Kind.COMPLETED);
        assertThat(allocator.state().cache.published()).isEqualTo(3);
        assertThat(pages(request)).containsExactly(PageState.CLEAN, PageState.CLEAN, PageState.CLEAN, PageState.DIRTY);
        assertThat(allocator.counters().bytesWrittenBack()).isEqualTo(3 * (2 * 64 * 8 + 256));
    }

    /** The second page completes first: it is in the host table, and nobody finds it before the first is there. */
    @Test
    void publishedPagesHaveNoGap() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 3 * 64 + 1, 1);
        Step step = step(allocator, request, 1000);
        for (int page : new int[] {1, 2}) {
            allocator.post(new Completion(step.writeBacks().get(page).copy(), Kind.COMPLETED));
        }
        assertThat(allocator.drain()).isEqualTo(2);
        assertThat(allocator.state().cache.published()).isZero();
        assertThat(pages(request).get(1)).isEqualTo(PageState.CLEAN);
        allocator.post(new Completion(step.writeBacks().getFirst().copy(), Kind.COMPLETED));
        allocator.drain();
        assertThat(allocator.state().cache.published()).isEqualTo(3);
    }

    @Test
    void failedCopiesAreMadeAgain() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 3 * 64 + 2, 1);
        news(allocator, step(allocator, request, 3 * 64 + 1), Kind.FAILED);
        assertThat(pages(request)).containsOnly(PageState.DIRTY);
        Step again = step(allocator, request, 1);
        assertThat(again.writeBacks()).hasSize(3);
        news(allocator, again, Kind.COMPLETED);
        assertThat(allocator.state().cache.published()).isEqualTo(3);
    }

    @Test
    void preemptedRequestsPublishNothingPending() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 3 * 64 + 1, 1);
        news(allocator, step(allocator, request, 2 * 64), Kind.COMPLETED);
        Step step = step(allocator, request, 1000);
        allocator.preempt(request);
        allocator.check();
        news(allocator, step, Kind.COMPLETED);
        assertThat(allocator.state().cache.published()).isEqualTo(2);
        assertThat(allocator.state().host.free()).isEqualTo(20);
        assertThat(step(allocator, request, 1).parts().getFirst().first()).isEqualTo(2 * 64);
    }

    @Test
    void closedRequestsPublishWhatIsOnItsWay() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 3 * 64 + 1, 1);
        Step step = step(allocator, request, 1000);
        allocator.close(request);
        allocator.check();
        assertThat(allocator.pool().pinned(BlockGroup.ROWS))
                .as("held until enqueued")
                .isEqualTo(3);
        news(allocator, step, Kind.ENQUEUED);
        assertThat(allocator.pool().free()).isEqualTo(19);
        news(allocator, step, Kind.COMPLETED);
        KvRequest next = open(allocator, 3 * 64 + 1, 1);
        Step hit = step(allocator, next, 1);
        assertThat(hit.parts().getFirst().first()).isEqualTo(3 * 64);
        assertThat(hit.rowRestores()).as("the device still has them").isEmpty();
    }

    /** Rows that a later step may write again stay where they are. */
    @Test
    void draftsAreWithheld() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 63, 1);
        Step step = commit(allocator, request, 63, 5);
        assertThat(step.parts().getFirst().drafts()).isEqualTo(5);
        assertThat(step.writeBacks()).isEmpty();
        request.append(4);
        allocator.finish(step, IntArrayList.newListWith(64));
        request.append(5);
        Step next = step(allocator, request, 1);
        assertThat(next.parts().getFirst().first()).isEqualTo(64);
        assertThat(next.writeBacks()).hasSize(1);
        assertThat(request.residency().orElseThrow().pages()).isEqualTo(2);
    }

    /** Their pages are claimed with the step, since they may be sealed before the request is asked for again. */
    @Test
    void acceptedDraftsOfWholePagesAreCopiedWithoutAnotherAsk() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = allocator.open(new int[6 * 64], 12 * 64);
        Step step = commit(allocator, request, 6 * 64, 4 * 64);
        assertThat(step.writeBacks()).hasSize(6);
        request.append(new int[4 * 64]);
        allocator.finish(step, IntArrayList.newListWith(10 * 64));
        allocator.check();
        Step other = step(allocator, open(allocator, 10, 2), 10);
        allocator.check();
        assertThat(other.writeBacks()).hasSize(4);
    }

    /** Full index blocks are shared; the one that the hit ends in is copied page by page to one of the joiner's own. */
    @ParameterizedTest
    @CsvSource({"3, 0, 3, 0", "4, 1, 0, 0", "6, 1, 2, 0", "8, 2, 0, 0", "9, 2, 1, 0"})
    void joinsSharePartsOfIndexBlocksByCopy(int hit, int shared, int copied, int restored) {
        Allocator allocator = hybrid(40, 40);
        KvRequest first = open(allocator, hit * 64 + 20, 1);
        news(allocator, step(allocator, first, 1000), Kind.COMPLETED);
        KvRequest second = open(allocator, hit * 64 + 20, 1);
        Step step = commit(allocator, second, 1, 0);
        allocator.check();
        assertThat(step.parts().getFirst().first()).isEqualTo(hit * 64);
        assertThat(step.indexCopies()).hasSize(copied);
        assertThat(step.indexRestores()).hasSize(restored);
        int[] one = new int[4];
        int[] other = new int[4];
        first.residency().orElseThrow().copyIndexBlocks(one, 0);
        second.residency().orElseThrow().copyIndexBlocks(other, 0);
        for (int slot = 0; slot <= hit / 4; slot++) {
            assertThat(one[slot] == other[slot]).isEqualTo(slot < shared);
        }
        for (Step.IndexCopy copy : step.indexCopies()) {
            assertThat(copy.from().value()).isEqualTo(one[shared]);
            assertThat(copy.to().value()).isEqualTo(other[shared]);
        }
        allocator.finish(step, IntArrayList.newListWith(1));
        allocator.check();
    }

    /**
     * With drafts the last page of what is found stays out, since its last row depends on what is behind it: unless the
     * page behind it is found too, even if that one can't be taken.
     */
    @ParameterizedTest
    @CsvSource({"193, 2, 3", "200, 2, 3", "192, 2, 2", "191, 1, 2", "129, 1, 2", "128, 1, 1", "127, 0, 1", "64, 0, 0"})
    void hitsWithDraftsLeaveOutTheirLastPage(int length, int drafting, int without) {
        World world = new World(KvPolicy.HYBRID, 40, 4, 64, 40, 4, 64, 0);
        AllocatorConfig plain = world.config();
        AllocatorConfig drafts = new AllocatorConfig(
                plain.geometry(), plain.policy(), 64, plain.topK(), plain.hostPages(), 4, 64, 0, true);
        for (AllocatorConfig config : List.of(plain, drafts)) {
            Allocator allocator = new Allocator(config);
            news(allocator, step(allocator, open(allocator, 3 * 64 + 20, 1), 1000), Kind.COMPLETED);
            Step step = step(allocator, open(allocator, length, 1), 1000);
            assertThat(step.parts().getFirst().first()).isEqualTo(64 * (config.drafting() ? drafting : without));
            allocator.check();
        }
    }

    /** All blocks were taken by another request meanwhile: rows stay on the host but for the last page, keys return. */
    @Test
    void hitsOnTheHostAloneRestoreKeysAndTheLastPage() {
        Allocator allocator = hybrid(13, 60);
        KvRequest first = open(allocator, 7 * 64 + 1, 1);
        news(allocator, step(allocator, first, 1000), Kind.COMPLETED);
        allocator.close(first);
        KvRequest flood = open(allocator, 9 * 64, 2);
        news(allocator, step(allocator, flood, 1000), Kind.ENQUEUED);
        allocator.preempt(flood);
        KvRequest again = open(allocator, 7 * 64 + 1, 1);
        Step step = commit(allocator, again, 1, 0);
        assertThat(step.rowRestores()).hasSize(1);
        assertThat(step.indexRestores()).hasSize(7);
        assertThat(step.parts().getFirst().resetHot()).isTrue();
        assertThat(again.residency().orElseThrow().state()).isNotEqualTo(ResidencyState.FULL);
        assertThat(pages(again).subList(0, 6)).containsOnly(PageState.LOST);
        assertThat(pages(again).get(6)).isEqualTo(PageState.CLEAN);
        allocator.finish(step, IntArrayList.newListWith(1));
        allocator.check();
    }

    @Test
    void offloadReturnsAllRowsBeforeItDecodes() {
        Allocator allocator = new Allocator(new World(KvPolicy.OFFLOAD, 15, 4, 64, 60, 4, 64, 0).config());
        KvRequest first = open(allocator, 7 * 64 + 1, 1);
        news(allocator, step(allocator, first, 1000), Kind.COMPLETED);
        allocator.preempt(first);
        KvRequest flood = open(allocator, 9 * 64, 2);
        news(allocator, step(allocator, flood, 1000), Kind.ENQUEUED);
        assertThat(allocator.plan(List.of(new Ask(first, 1, 0))))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ADMISSION));
        allocator.preempt(flood);
        Step step = step(allocator, first, 1);
        assertThat(step.rowRestores()).hasSizeGreaterThan(3);
        assertThat(first.residency().orElseThrow().state()).isEqualTo(ResidencyState.FULL);
        assertThat(pages(first)).doesNotContain(PageState.LOST, PageState.UNPINNED);
    }

    @ParameterizedTest
    @CsvSource({"RECOMPUTE", "RESIDENT"})
    void policiesWithoutAHostCopyNothing(KvPolicy policy) {
        Allocator allocator = new Allocator(new World(policy, 13, 4, 64, 0, 4, 64, 0).config());
        KvRequest request = open(allocator, 7 * 64, 1);
        assertThat(step(allocator, request, 1000).writeBacks()).isEmpty();
        allocator.preempt(request);
        assertThat(step(allocator, request, 5).parts().getFirst().first()).isZero();
    }

    /** The head of the prefix is reused last. */
    @Test
    void tailPagesAreLostFirst() {
        Allocator allocator = hybrid(16, 60);
        KvRequest first = open(allocator, 8 * 64 + 1, 1);
        news(allocator, step(allocator, first, 1000), Kind.COMPLETED);
        KvRequest second = open(allocator, 5 * 64, 2);
        Step taking = step(allocator, second, 1000);
        assertThat(first.residency().orElseThrow().state()).isEqualTo(ResidencyState.MIXED);
        List<PageState> states = pages(first);
        int firstLost = states.indexOf(PageState.LOST);
        assertThat(firstLost).isPositive();
        assertThat(states.subList(0, firstLost)).containsOnly(PageState.UNPINNED);
        assertThat(states.subList(firstLost, 7)).containsOnly(PageState.LOST);
        assertThat(states.subList(7, 9)).doesNotContain(PageState.LOST, PageState.UNPINNED);
        assertThat(allocator.counters().spilledPages()).isEqualTo(7 - firstLost);
        Step.Part changed = taking.others().getFirst();
        assertThat(changed.request()).isEqualTo(first);
        assertThat(changed.resetHot()).isTrue();
        assertThat(changed.edits()).hasSizeGreaterThanOrEqualTo(7 - firstLost);
        first.append(9);
        Step next = step(allocator, first, 1);
        assertThat(next.parts().getFirst().resetHot()).isFalse();
        assertThat(next.parts().getFirst().edits()).isEmpty();
        assertThat(next.others()).isEmpty();
    }

    @Test
    void prefillOverLostPagesGetsStagingBlocksIfTheyAreFree() {
        Allocator allocator = hybrid(24, 60);
        KvRequest request = open(allocator, 24 * 64, 1);
        news(allocator, step(allocator, request, 16 * 64), Kind.COMPLETED);
        Step step = commit(allocator, request, 4 * 64, 0);
        assertThat(step.parts().getFirst().staging()).hasSize(2);
        assertThat(allocator.pool().pinned(BlockGroup.STAGING)).isEqualTo(2);
        allocator.check();
        allocator.finish(step, IntArrayList.newListWith(4 * 64));
        assertThat(allocator.pool().pinned(BlockGroup.STAGING)).isZero();
        allocator.check();
    }

    @Test
    void refusesWhatCameBetweenAndWhatIsOutOfTurn() {
        Allocator allocator = hybrid(20, 20);
        KvRequest request = open(allocator, 100, 1);
        KvRequest other = open(allocator, 100, 2);
        StepPlan plan = (StepPlan) allocator.plan(List.of(new Ask(request, 10, 0)));
        step(allocator, other, 10);
        assertThatIllegalStateException()
                .isThrownBy(() -> allocator.commit(plan))
                .withMessageContaining("plan again");
        Step step = commit(allocator, request, 10, 2);
        assertThat(step.parts().getFirst().drafts())
                .as("not all tokens are computed")
                .isZero();
        for (Runnable outOfTurn : List.<Runnable>of(
                () -> allocator.plan(List.of(new Ask(other, 1, 0))),
                () -> allocator.close(other),
                () -> allocator.preempt(other))) {
            assertThatIllegalStateException().isThrownBy(outOfTurn::run).withMessageContaining("step is open");
        }
        for (int kept : new int[] {-2, 0, 9, 11}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> allocator.finish(step, IntArrayList.newListWith(kept)))
                    .withMessageContaining("kept " + kept);
        }
        allocator.finish(step, IntArrayList.newListWith(10));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.finish(step, IntArrayList.newListWith(10)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allocator.plan(List.of(new Ask(other, 1, 0), new Ask(other, 1, 0))));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.plan(List.of(new Ask(other, 1, 101))));
        allocator.close(other);
        allocator.close(other);
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.plan(List.of(new Ask(other, 1, 0))));
        assertThatIllegalStateException().isThrownBy(() -> other.append(1));
    }

    @Test
    void refusesSizesThatCanNotWork() {
        KvGeometry geometry = new World(KvPolicy.HYBRID, 20, 4, 64, 0, 1, 1, 0).geometry();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllocatorConfig(geometry, KvPolicy.HYBRID, 2047, 2048, 10, 1, 1, 0))
                .withMessageContaining("2047 rows")
                .withMessageContaining("2048");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllocatorConfig(geometry, KvPolicy.RESIDENT, 64, 4, 10, 1, 1, 0))
                .withMessageContaining("RESIDENT");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllocatorConfig(geometry, KvPolicy.HYBRID, 64, 4, 10, 0, 1, 0))
                .withMessageContaining("seats");
        for (int[] sizes : new int[][] {{-1, 1, 1, 0}, {10, 1, 0, 0}, {10, 1, 1, -1}, {10, 1, 1, 21}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new AllocatorConfig(
                            geometry, KvPolicy.HYBRID, 64, 4, sizes[0], sizes[1], sizes[2], sizes[3]))
                    .withMessageContaining("expected");
        }
        Allocator allocator = new Allocator(new AllocatorConfig(geometry, KvPolicy.HYBRID, 64, 4, 500, 1, 1, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allocator.open(new int[70 * 64], 70 * 64))
                .withMessageContaining("needs a pool of " + (1 + 18 + 1 + 3) + " blocks, this one has 20");
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.open(new int[0], 10));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.open(new int[11], 10));
    }

    /** News from several threads all arrives, each once. */
    @Test
    void anyThreadMayPost() throws InterruptedException {
        Allocator allocator = hybrid(80, 80);
        KvRequest request = open(allocator, 60 * 64, 1);
        List<Step.WriteBack> copies = step(allocator, request, 10_000).writeBacks();
        assertThat(copies).hasSize(60);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int part = i;
            threads.add(Thread.ofPlatform()
                    .start(() -> copies.stream()
                            .filter(copy -> copy.copy() % 2 == part % 2)
                            .forEach(copy -> allocator.post(new Completion(copy.copy(), Kind.COMPLETED)))));
        }
        int applied = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            applied += allocator.drain();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(applied + allocator.drain()).isEqualTo(60);
        assertThat(allocator.state().cache.published()).isEqualTo(60);
        allocator.check();
    }
}
