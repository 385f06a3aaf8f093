package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Completion.Kind;
import org.junit.jupiter.api.Test;

/** What a plan counts, to the block. Index blocks hold 4 pages, hot regions are one block. */
class PlanTest {
    private static Allocator allocator(KvPolicy policy, int blocks, int hostPages, int copies, int staging) {
        return new Allocator(new World(policy, blocks, 4, 64, hostPages, 8, copies, staging).config());
    }

    private static KvRequest open(Allocator allocator, int length, int first) {
        int[] tokens = new int[length];
        tokens[0] = first;
        return allocator.open(tokens, length + 100);
    }

    private static StepPlan plan(Allocator allocator, KvRequest request, int tokens) {
        return (StepPlan) allocator.plan(List.of(new Ask(request, tokens, 0)));
    }

    private static Step step(Allocator allocator, KvRequest request, int tokens) {
        Step step = allocator.commit(plan(allocator, request, tokens));
        allocator.finish(step);
        allocator.check();
        return step;
    }

    private static void complete(Allocator allocator, Step step) {
        step.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), Kind.COMPLETED)));
        allocator.drain();
        allocator.check();
    }

    @Test
    void refusalsSayHowManyBlocksAreMissing() {
        Allocator allocator = allocator(KvPolicy.RECOMPUTE, 8, 0, 4, 0);
        KvRequest first = open(allocator, 64, 1);
        KvRequest second = open(allocator, 64, 2);
        step(allocator, first, 64);
        step(allocator, second, 64);
        first.append(new int[100]);
        second.append(new int[100]);
        assertThat(allocator.plan(List.of(new Ask(first, 100, 0), new Ask(second, 100, 0))))
                .as("3 blocks free; 2 pages for each")
                .isEqualTo(new Refusal(Refusal.Reason.BLOCKS, second, 1, 0));
    }

    @Test
    void copiesInFlightAreInTheRefusal() {
        Allocator allocator = allocator(KvPolicy.OFFLOAD, 11, 20, 4, 0);
        KvRequest first = open(allocator, 4 * 64, 1);
        assertThat(step(allocator, first, 4 * 64).writeBacks()).hasSize(4);
        assertThat(allocator.plan(List.of(new Ask(open(allocator, 5 * 64, 2), 1, 0))))
                .isInstanceOfSatisfying(Refusal.class, refusal -> {
                    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ADMISSION);
                    assertThat(refusal.missing()).isEqualTo(5 + 7 - 10);
                    assertThat(refusal.copiesInFlight()).isEqualTo(4);
                });
    }

    /** Rows that came back from the host are found on the device by the next request. */
    @Test
    void restoredRowsAreFoundAgain() {
        Allocator allocator = allocator(KvPolicy.OFFLOAD, 24, 40, 40, 0);
        KvRequest first = open(allocator, 5 * 64 + 1, 1);
        complete(allocator, step(allocator, first, 5 * 64 + 1));
        allocator.close(first);
        KvRequest flood = open(allocator, 16 * 64, 2);
        complete(allocator, step(allocator, flood, 16 * 64));
        allocator.preempt(flood);
        Step restored = step(allocator, open(allocator, 5 * 64 + 1, 1), 1);
        assertThat(restored.rowRestores()).hasSizeGreaterThan(2);
        Step shared = step(allocator, open(allocator, 5 * 64 + 1, 1), 1);
        assertThat(shared.rowRestores()).isEmpty();
        assertThat(shared.indexRestores()).isEmpty();
        assertThat(shared.indexCopies()).hasSize(1);
    }

    @Test
    void copiesKeepToTheBudgetOldDebtsFirst() {
        Allocator allocator = allocator(KvPolicy.OFFLOAD, 40, 40, 3, 0);
        KvRequest first = open(allocator, 5 * 64, 1);
        Step step = step(allocator, first, 5 * 64);
        assertThat(step.writeBacks()).hasSize(3);
        KvRequest second = open(allocator, 64, 2);
        Step next = step(allocator, second, 64);
        assertThat(next.writeBacks()).hasSize(3);
        next.writeBacks().stream().limit(2).forEach(copy -> allocator.post(new Completion(copy.copy(), Kind.FAILED)));
        assertThat(allocator.drain()).isEqualTo(2);
        Step again = step(allocator, open(allocator, 10, 3), 10);
        assertThat(again.writeBacks())
                .extracting(Step.WriteBack::rows)
                .containsExactlyElementsOf(next.writeBacks().stream()
                        .limit(2)
                        .map(Step.WriteBack::rows)
                        .toList());
        assertThat(step(allocator, open(allocator, 10, 4), 10).writeBacks()).isEmpty();
    }

    /** A request that the host has no room for copies nothing that another one still needs. */
    @Test
    void hostPagesThatAreOwedAreNotSpare() {
        Allocator allocator = allocator(KvPolicy.HYBRID, 60, 14, 40, 0);
        KvRequest counts = open(allocator, 10 * 64, 1);
        assertThat(step(allocator, counts, 4 * 64).writeBacks()).hasSize(4);
        KvRequest other = open(allocator, 8 * 64, 2);
        Step step = step(allocator, other, 8 * 64);
        assertThat(step.writeBacks()).as("14 pages, 10 of them for the first").hasSize(4);
        assertThat(step(allocator, counts, 6 * 64).writeBacks()).hasSize(6);
        assertThat(allocator.state().host.free()).isZero();
    }

    /** The pages of a prefix hit are not owed any more. */
    @Test
    void hitsAreNotOwed() {
        Allocator allocator = allocator(KvPolicy.HYBRID, 60, 14, 40, 0);
        KvRequest first = open(allocator, 6 * 64 + 1, 1);
        complete(allocator, step(allocator, first, 6 * 64 + 1));
        allocator.close(first);
        KvRequest joins = open(allocator, 6 * 64 + 1, 1);
        KvRequest other = open(allocator, 8 * 64, 2);
        Step step =
                allocator.commit((StepPlan) allocator.plan(List.of(new Ask(joins, 1, 0), new Ask(other, 8 * 64, 0))));
        allocator.check();
        assertThat(joins.residency().orElseThrow().claim).isEqualTo(new Claim(true, 2 + 4, 7, 1));
        assertThat(step.writeBacks()).hasSize(14 - 7);
    }

    @Test
    void stagingIsForChunksAndForAsManyAsFit() {
        Allocator allocator = allocator(KvPolicy.HYBRID, 25, 60, 64, 2);
        KvRequest request = open(allocator, 24 * 64, 1);
        complete(allocator, step(allocator, request, 16 * 64));
        assertThat(request.residency().orElseThrow().state()).isEqualTo(ResidencyState.FULL);
        complete(allocator, step(allocator, request, 5 * 64));
        assertThat(request.residency().orElseThrow().state()).isEqualTo(ResidencyState.MIXED);
        assertThat(plan(allocator, request, 1).parts.getFirst().staging()).isZero();
        int free = allocator.freeBlocks();
        for (int tokens = 2; tokens <= 3 * 64; tokens += 31) {
            int taken = Block.pages(tokens);
            assertThat(plan(allocator, request, tokens).parts.getFirst().staging())
                    .isEqualTo(free - taken >= 2 ? 2 : 0);
        }
    }

    /** Blocks of a closed request stay readable while its copies, which have read them, are on their way. */
    @Test
    void blocksThatWillBePublishedKeepTheirBytes() {
        Allocator allocator = allocator(KvPolicy.OFFLOAD, 40, 40, 40, 0);
        KvRequest request = open(allocator, 6 * 64 + 1, 1);
        Step step = stepWithSourcesRead(allocator, request);
        allocator.close(request);
        allocator.check();
        assertThat(allocator.pool().queue().readable()).isEqualTo(6 + 2);
        complete(allocator, step);
        Step joined = step(allocator, open(allocator, 6 * 64 + 1, 1), 1);
        assertThat(joined.rowRestores()).isEmpty();
        assertThat(joined.indexRestores()).isEmpty();
        assertThat(allocator.counters()).isEqualTo(new Counters(0, 6 * 2 * 64 * 8 + 6 * 256, 10, 6));
    }

    /** A step of the whole request, whose copies have read their blocks and are not through. */
    private static Step stepWithSourcesRead(Allocator allocator, KvRequest request) {
        Step step = step(allocator, request, request.known());
        step.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), Kind.ENQUEUED)));
        allocator.drain();
        return step;
    }

    /** Blocks of a request that makes room are blank, since nobody will hear of them. */
    @Test
    void blocksThatNobodyWillFindAreBlank() {
        Allocator allocator = allocator(KvPolicy.OFFLOAD, 40, 40, 40, 0);
        KvRequest request = open(allocator, 6 * 64 + 1, 1);
        stepWithSourcesRead(allocator, request);
        allocator.preempt(request);
        assertThat(allocator.pool().queue().readable()).isZero();
        assertThat(allocator.freeBlocks()).isEqualTo(39);
    }

    @Test
    void aPrefixThatLeftTheDeviceIsOnTheHostOnly() {
        Allocator allocator = allocator(KvPolicy.HYBRID, 19, 60, 60, 0);
        KvRequest request = open(allocator, 8 * 64, 1);
        complete(allocator, step(allocator, request, 8 * 64));
        Residency residency = request.residency().orElseThrow();
        assertThat(residency.state()).isEqualTo(ResidencyState.FULL);
        step(allocator, open(allocator, 9 * 64, 2), 9 * 64);
        assertThat(residency.state()).isEqualTo(ResidencyState.MIXED);
        assertThat(residency.page(0)).isEqualTo(PageState.UNPINNED);
        step(allocator, open(allocator, 1, 3), 1);
        assertThat(residency.state()).isEqualTo(ResidencyState.HOST_ONLY_PREFIX);
        for (int page = 0; page < residency.pages(); page++) {
            assertThat(residency.page(page)).isEqualTo(page < 7 ? PageState.LOST : PageState.CLEAN);
        }
    }

    @Test
    void plansGoStaleWithEveryChange() {
        Allocator allocator = allocator(KvPolicy.HYBRID, 40, 40, 40, 0);
        KvRequest request = open(allocator, 200, 1);
        KvRequest other = open(allocator, 200, 2);
        Step copies = step(allocator, other, 150);
        StepPlan plan = plan(allocator, request, 1);
        assertThat(allocator.drain()).isZero();
        allocator.post(new Completion(12345, Kind.COMPLETED));
        assertThat(allocator.drain()).as("of no copy").isZero();
        allocator.finish(allocator.commit(plan), IntArrayList.newListWith(1));
        for (Runnable change : List.<Runnable>of(
                () -> complete(allocator, copies), () -> allocator.preempt(other), () -> allocator.close(other))) {
            StepPlan stale = plan(allocator, request, 1);
            change.run();
            assertThatIllegalStateException().isThrownBy(() -> allocator.commit(stale));
        }
        StepPlan first = plan(allocator, request, 1);
        allocator.commit(first);
        assertThatIllegalStateException()
                .isThrownBy(() -> allocator.commit(first))
                .withMessageContaining("a step is open");
    }

    @Test
    void acceptedDraftsAreKnownBefore() {
        Allocator allocator = allocator(KvPolicy.HYBRID, 40, 40, 40, 0);
        KvRequest request = open(allocator, 10, 1);
        Step step = allocator.commit((StepPlan) allocator.plan(List.of(new Ask(request, 10, 3))));
        request.append(5);
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.finish(step, IntArrayList.newListWith(12)));
        allocator.finish(step, IntArrayList.newListWith(11));
        assertThat(request.length()).isEqualTo(11);
        assertThat(allocator.plan(List.of(new Ask(open(allocator, 10, 2), 10, 100))))
                .isInstanceOf(StepPlan.class);
    }
}
