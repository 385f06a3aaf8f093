package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Refusal.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports: where they land, what they take, and what is left of one that ends at any stage. */
class ImportTest {
    private static final int PAGES = 9;
    private static final int LENGTH = PAGES * 64 + 20;

    private static int[] prompt(int length, int first) {
        int[] tokens = new int[length];
        tokens[0] = first;
        return tokens;
    }

    private static World world(KvPolicy policy, int blocks, int hostPages, int copies) {
        return new World(policy, blocks, 4, 64, policy.usesHost() ? hostPages : 0, 3, copies, 0);
    }

    private static World hybrid(int blocks) {
        return world(KvPolicy.HYBRID, blocks, 60, 64);
    }

    private static KvRequest open(Simulation simulation, int[] prompt, int more, int imported) {
        simulation.open(prompt, more, imported);
        return simulation.requests.getLast();
    }

    private static Step commit(Simulation simulation, KvRequest request) {
        return simulation.allocator.commit((StepPlan) simulation.allocator.plan(List.of(new Ask(request, 64, 0))));
    }

    /** The step that seats a request, as it is planned, without doing it. */
    private static StepPlan.Part plan(Simulation simulation, KvRequest request) {
        return ((StepPlan) simulation.allocator.plan(List.of(new Ask(request, 1, 0)))).parts.getFirst();
    }

    private static void compute(Simulation simulation, KvRequest request) {
        while (request.length() < request.known()) {
            assertThat(simulation.step(List.of(new Ask(request, 64, 0)))).isTrue();
            simulation.settle();
            simulation.verify();
        }
    }

    /** Leaves the first pages of a prompt in the prefix cache, if the policy has one. */
    private static void leave(Simulation simulation, int pages) {
        if (pages > 0) {
            KvRequest request = open(simulation, prompt(pages * 64 + 1, 1), 0, 0);
            compute(simulation, request);
            simulation.close(request);
        }
    }

    static Stream<Arguments> matrix() {
        return Stream.of(KvPolicy.values())
                .flatMap(policy -> Stream.of(12, 15, 40).map(blocks -> world(policy, blocks, 60, 64)))
                .filter(world -> world.policy().losesPages() || world.blocks() > 14)
                .flatMap(world -> Stream.of(0, 3, PAGES)
                        .flatMap(hit -> Stream.of(0, LENGTH)
                                .flatMap(imported -> Stream.of("none", "close", "preempt", "broken")
                                        .map(end -> Arguments.of(world, hit, imported, end)))));
    }

    /** vllm#51323: an import beside no, a partial and a full local hit, or none, given up at every stage or at none. */
    @ParameterizedTest
    @MethodSource("matrix")
    void everyImportEndsClean(World world, int hitPages, int imported, String end) {
        Simulation simulation = new Simulation(world, 1);
        leave(simulation, hitPages);
        Allocator allocator = simulation.allocator;
        int published = allocator.state().cache.published();
        KvRequest request = open(simulation, prompt(LENGTH, 1), 5, imported);
        int hit = world.policy().usesHost() ? hitPages : 0;
        for (int time = 0; time < 2; time++) {
            StepPlan.Part plan = plan(simulation, request);
            assertThat(plan.first()).isEqualTo(Math.max(hit * 64, Math.min(imported, LENGTH - 1)));
            Landing landing = plan.join().orElseThrow().landing();
            assertThat(landing.onHost()).isEqualTo(world.blocks() == 12 && hit < PAGES && imported > 0);
            if (end.equals("broken")) {
                Step step = commit(simulation, request);
                assertThat(step.imports()).hasSize(imported == 0 ? 0 : PAGES + 1 - hit);
                simulation.copies.addAll(step.writeBacks());
                simulation.device.spoil(step);
                allocator.finish(step, IntArrayList.newListWith(-1));
                simulation.verify();
                List.copyOf(simulation.copies).forEach(copy -> {
                    simulation.copies.remove(copy);
                    allocator.post(new Completion(copy.copy(), Completion.Kind.FAILED));
                });
                allocator.drain();
                // Nothing was written, so nothing is left of it.
                assertThat(allocator.state().cache.published()).isEqualTo(published);
                assertThat(allocator.freeBlocks()).isEqualTo(world.blocks() - 1);
                assertThat(allocator.state().host.free()).isEqualTo(world.hostPages());
            } else if (!end.equals("none")) {
                assertThat(simulation.step(List.of(new Ask(request, 1, 0)))).isTrue();
                allocator.preempt(request);
                simulation.settle();
                simulation.verify();
                // What the host holds is complete and found again; on the device alone it is gone.
                hit = landing.onHost() ? PAGES : hit;
            }
        }
        if (end.equals("close")) {
            assertThat(simulation.step(List.of(new Ask(request, 1, 0)))).isTrue();
            simulation.close(request);
            simulation.verify();
        }
        simulation.finishAll();
    }

    /** vllm#57049: an import of the whole prompt leaves its last token to compute, whatever the length. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 127, 128, 129, 200, 640, 641})
    void onlyTheLastTokenIsComputed(int length) {
        for (KvPolicy policy : KvPolicy.values()) {
            Simulation simulation = new Simulation(world(policy, 40, 60, 64), 1);
            KvRequest request = open(simulation, prompt(length, 1), 100, length);
            Step step = commit(simulation, request);
            Step.Part part = step.parts().getFirst();
            assertThat(part.first()).isEqualTo(length - 1);
            assertThat(part.tokens()).isEqualTo(1);
            assertThat(step.imports().stream().mapToInt(Step.PageImport::tokens).sum())
                    .isEqualTo(length - 1);
            assertThat(step.imports()).allMatch(page -> page.rows().isPresent());
            assertThat(step.writeBacks()).hasSize(policy.usesHost() ? length / 64 : 0);
            assertThat(part.residency().pages()).isEqualTo(Block.pages(length));
        }
    }

    /**
     * vllm#55398: it lands on the device if all of it fits, else on the host, else it waits; to the block, and beside a
     * request that keeps its page and its index block.
     */
    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8, 12, 13, 14})
    void landsOnTheDeviceThenOnTheHostThenNowhere(int free) {
        Simulation simulation = new Simulation(hybrid(1 + 2 + free), 1);
        KvRequest other = open(simulation, prompt(10, 7), 0, 0);
        compute(simulation, other);
        KvRequest request = open(simulation, prompt(LENGTH, 1), 0, LENGTH);
        PlanResult result = simulation.allocator.plan(List.of(new Ask(request, 1, 0)));
        assertThat(other.residency().orElseThrow().state()).isEqualTo(ResidencyState.FULL);
        // Three index blocks and a hot region of one; later three pages.
        if (free < 3 + 1 + 3) {
            assertThat(result).isInstanceOfSatisfying(Refusal.class, refusal -> {
                assertThat(refusal.reason()).isEqualTo(Reason.ADMISSION);
                assertThat(refusal.missing()).isEqualTo(3 + 1 + 3 - free);
            });
            return;
        }
        boolean onDevice = free >= 3 + PAGES + 1;
        Step step = simulation.allocator.commit((StepPlan) result);
        assertThat(simulation.allocator.freeBlocks()).isEqualTo(free - 3 - (onDevice ? PAGES + 1 : 1 + 2));
        assertThat(step.imports().stream().filter(page -> page.rows().isPresent()))
                .hasSize(onDevice ? PAGES + 1 : 2);
        assertThat(step.imports().stream().filter(page -> page.to().isPresent()))
                .hasSize(onDevice ? 0 : PAGES);
        assertThat(step.writeBacks()).hasSize(onDevice ? PAGES : 0);
        assertThat(request.residency().orElseThrow().state())
                .isEqualTo(onDevice ? ResidencyState.FULL : ResidencyState.HOST_ONLY_PREFIX);
    }

    @Test
    void refusesAnImportThatCouldNeverLand() {
        Allocator allocator = new Allocator(hybrid(3 + 1 + 3).config());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allocator.open(prompt(LENGTH, 1), LENGTH, Optional.of(new SimImport(LENGTH))))
                .withMessageContaining("needs a pool of 8 blocks, this one has 7");
    }

    @ParameterizedTest
    @EnumSource(
            value = KvPolicy.class,
            names = {"OFFLOAD", "RECOMPUTE", "RESIDENT"})
    void landsOnTheDeviceOrWaitsWherePagesStay(KvPolicy policy) {
        Simulation simulation = new Simulation(world(policy, 20, 60, 64), 1);
        KvRequest other = open(simulation, prompt(400, 7), 0, 0);
        compute(simulation, other);
        KvRequest request = open(simulation, prompt(LENGTH, 1), 0, LENGTH);
        assertThat(simulation.step(List.of(new Ask(request, 1, 0)))).isFalse();
        assertThat(other.residency().orElseThrow().state()).isEqualTo(ResidencyState.FULL);
        simulation.close(other);
        Step step = commit(simulation, request);
        assertThat(step.imports())
                .hasSize(PAGES + 1)
                .allMatch(page -> page.rows().isPresent());
        assertThat(step.imports()).allMatch(page -> page.to().isEmpty());
    }

    /** With more pages than a step copies it could not let go of them in time. */
    @Test
    void landsOnTheHostIfTheStepCouldNotCopyIt() {
        for (int copies : new int[] {PAGES - 1, PAGES}) {
            Simulation simulation = new Simulation(world(KvPolicy.HYBRID, 60, 60, copies), 1);
            KvRequest request = open(simulation, prompt(LENGTH, 1), 0, LENGTH);
            assertThat(plan(simulation, request).join().orElseThrow().landing().onHost())
                    .isEqualTo(copies < PAGES);
            compute(simulation, request);
        }
    }

    /** sglang#26475: a transfer that breaks off frees everything, on both tiers, and nobody finds a page of it. */
    @ParameterizedTest
    @ValueSource(ints = {12, 40})
    void brokenTransfersLeaveNothing(int blocks) {
        Simulation simulation = new Simulation(hybrid(blocks), 1);
        KvRequest request = open(simulation, prompt(LENGTH, 1), 0, LENGTH);
        Step step = commit(simulation, request);
        simulation.device.spoil(step);
        simulation.allocator.finish(step, IntArrayList.newListWith(-1));
        step.writeBacks()
                .forEach(copy -> simulation.allocator.post(new Completion(copy.copy(), Completion.Kind.FAILED)));
        simulation.allocator.drain();
        simulation.verify();
        assertThat(simulation.allocator.freeBlocks()).isEqualTo(blocks - 1);
        assertThat(simulation.allocator.state().pool.queue().readable()).isZero();
        assertThat(simulation.allocator.state().host.readable()).isZero();
        simulation.close(request);
        KvRequest same = open(simulation, prompt(LENGTH, 1), 0, 0);
        assertThat(plan(simulation, same).first()).isZero();
    }

    /** Once the step is finished, and not before, others find what the host got. */
    @Test
    void importsOnTheHostAreFoundByOthers() {
        Simulation simulation = new Simulation(hybrid(12), 1);
        KvRequest request = open(simulation, prompt(LENGTH, 1), 0, LENGTH);
        KvRequest twin = open(simulation, prompt(LENGTH, 1), 0, 0);
        Step step = commit(simulation, request);
        assertThat(step.imports()).anyMatch(page -> page.rows().isEmpty());
        assertThat(simulation.allocator.state().cache.find(twin, PAGES).size()).isZero();
        simulation.allocator.finish(step, IntArrayList.newListWith(1));
        assertThat(simulation.allocator.state().cache.find(twin, PAGES).size()).isEqualTo(PAGES);
        simulation.allocator.check();
    }

    /** Copies of a request that is over still hold host pages that an admitted import has a right to: it waits. */
    @Test
    void waitsForHostPagesThatAreStillWrittenTo() {
        Simulation simulation = new Simulation(world(KvPolicy.HYBRID, 12, 12, 64), 1);
        KvRequest over = open(simulation, prompt(6 * 64 + 1, 7), 0, 0);
        assertThat(simulation.step(List.of(new Ask(over, 6 * 64 + 1, 0)))).isTrue();
        simulation.close(over);
        // The device's blocks are free again, the host's pages are not.
        simulation.copies.forEach(simulation::enqueue);
        assertThat(simulation.allocator.freeBlocks()).isEqualTo(11);
        KvRequest request = open(simulation, prompt(LENGTH, 1), 0, LENGTH);
        assertThat(simulation.allocator.plan(List.of(new Ask(request, 1, 0))))
                .isInstanceOfSatisfying(Refusal.class, refusal -> {
                    assertThat(refusal.reason()).isEqualTo(Reason.BLOCKS);
                    assertThat(refusal.missing()).isEqualTo(PAGES - 6);
                    assertThat(refusal.copiesInFlight()).isEqualTo(6);
                });
        simulation.settle();
        assertThat(plan(simulation, request).join().orElseThrow().landing().onHost())
                .isTrue();
        compute(simulation, request);
        simulation.finishAll();
    }

    @Test
    void refusesMoreTokensThanThePromptHas() {
        Allocator allocator = new Allocator(hybrid(40).config());
        for (int imported : new int[] {-1, 6}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> allocator.open(new int[5], 10, Optional.of(new SimImport(imported))))
                    .withMessage(imported + " imported tokens of a prompt of 5 tokens");
        }
    }
}
