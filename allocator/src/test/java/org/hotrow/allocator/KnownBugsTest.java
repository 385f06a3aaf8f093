package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bugs that other engines with this design had, as tests of ours; each names where it was reported. */
class KnownBugsTest {
    private static int[] prompt(int length, int first) {
        int[] tokens = new int[length];
        tokens[0] = first;
        return tokens;
    }

    private static World hybrid(int blocks, int hotRows, int hostPages, int seats) {
        return new World(KvPolicy.HYBRID, blocks, 4, hotRows, hostPages, seats, 64, 0);
    }

    /** Takes a request to all its known tokens; copies complete after each step. */
    private static void compute(Simulation simulation, KvRequest request) {
        while (request.length() < request.known()) {
            assertThat(simulation.step(List.of(new Ask(request, 64, 0)))).isTrue();
            simulation.settle();
            simulation.verify();
        }
    }

    /** vllm#57019: the layer's place in its slab, and on the host in its page, is part of every row's address. */
    @Test
    void everyRowOfEveryLayerHasBytesOfItsOwn() {
        int most = (int) KvGeometry.mostBlocks(8);
        KvGeometry wide = KvGeometry.of(5, List.of(0, 2, 3), 8, 64, most / 2);
        assertThat(wide.slabs()).isEqualTo(3);
        Set<List<Long>> seen = new HashSet<>();
        for (int layer = 0; layer < 5; layer++) {
            int slab = wide.slabOf(layer);
            for (int row = 64; row < 4 * 64; row++) {
                long offset = wide.rowOffset(layer, row);
                assertThat(seen.add(List.of((long) slab, offset))).isTrue();
                assertThat(offset / wide.blockBytes(slab)).isEqualTo(row / 64);
                assertThat(offset % wide.blockBytes(slab)).isEqualTo((wide.layerInSlab(layer) * 64L + row % 64) * 8);
            }
        }
        KvGeometry small = KvGeometry.of(5, List.of(0, 2, 3), 8, 64, 10);
        try (HostPool pool = HostPool.open(HostMemory.plain(), small, 3)) {
            for (int page = 1; page <= 3; page++) {
                for (int layer = 0; layer < 5; layer++) {
                    pool.rows(new HostPageId(page), layer).fill((byte) (10 * page + layer));
                }
                for (int anchor : new int[] {0, 2, 3}) {
                    pool.keys(new HostPageId(page), anchor).fill((byte) (10 * page + 5 + anchor));
                }
            }
            for (int page = 1; page <= 3; page++) {
                byte[] bytes = pool.page(new HostPageId(page)).toArray(ValueLayout.JAVA_BYTE);
                assertThat(bytes).hasSize(5 * 64 * 8 + 3 * 64);
                for (int i = 0; i < bytes.length; i++) {
                    int kind = i < 5 * 64 * 8 ? i / 64 / 8 : 5 + new int[] {0, 2, 3}[(i - 5 * 64 * 8) / 64];
                    assertThat(bytes[i]).isEqualTo((byte) (10 * page + kind));
                }
            }
        }
    }

    /** vllm#53592: at 100 % full, requests queue or make room; nothing throws, and the device is really full. */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void fullPoolQueuesOrMakesRoom(KvPolicy policy) {
        World world = new World(policy, 20, 4, 64, policy.usesHost() ? 60 : 0, 8, 2, 0);
        Simulation simulation = new Simulation(world, 1);
        for (int i = 0; i < 12; i++) {
            simulation.open(prompt(100 + 7 * i, i), 60);
        }
        int refused = 0;
        int free = world.blocks();
        for (KvRequest request : simulation.requests) {
            for (int tokens = 256; tokens > 0 && request.length() < request.known(); tokens /= 2) {
                refused += simulation.step(List.of(new Ask(request, tokens, 0))) ? 0 : 1;
                free = Math.min(free, simulation.allocator.pool().free());
                simulation.verify();
            }
        }
        assertThat(refused).isPositive();
        // A policy that reserves full lengths is full before its blocks are taken.
        assertThat(free).isLessThan(policy.reservesAll() ? 8 : 3);
        simulation.finishAll();
    }

    /** vllm#51323: asking for capacity twice changes nothing, not even when the plan would spill. */
    @Test
    void probingChangesNothing() {
        Simulation simulation = new Simulation(hybrid(13, 64, 40, 3), 1);
        simulation.open(prompt(8 * 64, 1), 0);
        KvRequest first = simulation.requests.getFirst();
        compute(simulation, first);
        simulation.open(prompt(5 * 64, 2), 0);
        List<Ask> asks = List.of(new Ask(simulation.requests.getLast(), 5 * 64, 0));
        for (int i = 0; i < 3; i++) {
            assertThat(((StepPlan) simulation.allocator.plan(asks)).spilling).hasSize(1);
            assertThat(first.residency().orElseThrow().state()).isEqualTo(ResidencyState.FULL);
            assertThat(simulation.allocator.pool().free()).isEqualTo(2);
        }
        assertThat(simulation.step(asks)).isTrue();
        assertThat(first.residency().orElseThrow().state()).isNotEqualTo(ResidencyState.FULL);
        simulation.verify();
    }

    /** vllm#51323: a request larger than the device pool runs when the host holds it, and only then. */
    @Test
    void requestLargerThanTheDeviceRuns() {
        Simulation simulation = new Simulation(hybrid(15, 64, 40, 2), 1);
        simulation.open(prompt(36 * 64, 1), 10);
        KvRequest request = simulation.requests.getFirst();
        compute(simulation, request);
        assertThat(request.residency().orElseThrow().state()).isEqualTo(ResidencyState.MIXED);
        assertThat(simulation.device.rowsFromHost).isPositive();
        simulation.finishAll();
        Allocator poor = new Allocator(hybrid(15, 64, 20, 2).config());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> poor.open(prompt(36 * 64, 1), 36 * 64 + 10))
                .withMessageContaining("needs a pool of")
                .withMessageContaining("15 blocks with 37 pages of host pool");
    }

    /** vllm#51323: what a join reserves lives as long as the join: no, partial or full hit, ended at every stage. */
    @ParameterizedTest
    @CsvSource({
        "0, none",
        "0, close",
        "0, preempt",
        "0, broken",
        "3, none",
        "3, close",
        "3, preempt",
        "3, broken",
        "9, none",
        "9, close",
        "9, preempt",
        "9, broken"
    })
    void everyJoinEndsClean(int hitPages, String end) {
        Simulation simulation = new Simulation(hybrid(16, 64, 40, 2), 1);
        simulation.open(prompt(9 * 64 + 1, 1), 0);
        compute(simulation, simulation.requests.getFirst());
        simulation.close(simulation.requests.getFirst());
        int[] joining = prompt(9 * 64 + 1, 1);
        if (hitPages < 9) {
            joining[hitPages * 64] = 77;
        }
        simulation.open(joining, 5);
        KvRequest request = simulation.requests.getFirst();
        Allocator allocator = simulation.allocator;
        if (end.equals("broken")) {
            Step step = allocator.commit((StepPlan) allocator.plan(List.of(new Ask(request, 1, 0))));
            assertThat(step.parts().getFirst().first()).isEqualTo(hitPages * 64);
            simulation.copies.addAll(step.writeBacks());
            simulation.device.spoil(step);
            allocator.giveUp(step);
            assertThat(request.length()).isZero();
        } else {
            assertThat(simulation.step(List.of(new Ask(request, 65, 0)))).isTrue();
            assertThat(request.length()).isEqualTo(hitPages < 9 ? hitPages * 64 + 65 : request.known());
            assertThat(allocator.copiesInFlight()).isEqualTo(hitPages < 9 ? 1 : 0);
        }
        switch (end) {
            case "close" -> simulation.close(request);
            case "preempt" -> allocator.preempt(request);
            default -> simulation.verify();
        }
        simulation.verify();
        simulation.finishAll();
    }

    /** vllm-ascend#16315: two requests that each need more than half the pool both end. */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void twoLargeRequestsBothEnd(KvPolicy policy) {
        World world = new World(policy, 13, 4, 64, policy.usesHost() ? 40 : 0, 2, 4, 0);
        Simulation simulation = new Simulation(world, 1);
        simulation.open(prompt(64, 1), 8 * 64);
        simulation.open(prompt(64, 2), 8 * 64);
        for (int page = 0; page < 5; page++) {
            for (KvRequest request : simulation.requests) {
                if (request.known() == request.length()) {
                    request.append(new int[64]);
                }
                simulation.step(List.of(new Ask(request, 64, 0)));
                simulation.verify();
            }
        }
        assertThat(simulation.requests.getFirst().length()).isPositive();
        // One that reserves its full length keeps the other waiting.
        assertThat(simulation.requests.getLast().length() > 0).isEqualTo(!policy.reservesAll());
        simulation.finishAll();
        assertThat(simulation.requests).isEmpty();
    }

    /** sglang#31482: host page ids are no device block ids; here no page has the same number in both. */
    @Test
    void hostAndDeviceNumbersDiffer() {
        Simulation simulation = new Simulation(hybrid(14, 64, 60, 2), 1);
        simulation.open(prompt(7 * 64, 1), 0);
        compute(simulation, simulation.requests.getFirst());
        simulation.close(simulation.requests.getFirst());
        simulation.open(prompt(30 * 64, 2), 0);
        KvRequest request = simulation.requests.getFirst();
        compute(simulation, request);
        Residency residency = request.residency().orElseThrow();
        int[] blocks = new int[residency.pages()];
        int[] hostPages = new int[residency.pages()];
        residency.copyBlocks(blocks, 0);
        residency.copyHostPages(hostPages, 0);
        for (int page = 0; page < blocks.length; page++) {
            assertThat(blocks[page]).isNotEqualTo(hostPages[page]);
        }
        simulation.finishAll();
    }

    /** sglang#24880: a prompt shorter than a hot region has none, not even when it is on the host alone. */
    @Test
    void shortPromptsStayFull() {
        Simulation simulation = new Simulation(hybrid(13, 256, 40, 4), 1);
        for (int i = 0; i < 4; i++) {
            simulation.open(prompt(200, i), 100);
            compute(simulation, simulation.requests.getFirst());
            simulation.close(simulation.requests.getFirst());
        }
        simulation.open(prompt(200, 0), 100);
        KvRequest again = simulation.requests.getFirst();
        Step step = simulation.allocator.commit((StepPlan) simulation.allocator.plan(List.of(new Ask(again, 1, 0))));
        assertThat(step.rowRestores()).hasSizeGreaterThan(1);
        assertThat(again.residency().orElseThrow().state()).isEqualTo(ResidencyState.FULL);
        assertThat(simulation.allocator.pinnedBlocks(BlockGroup.HOT)).isZero();
    }

    /** sglang#23239: lengths around one and two hot regions, where the region comes into being. */
    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 127, 128, 129, 191, 192, 193, 319, 320, 321, 383, 384, 385})
    void lengthsAroundTheHotRegion(int length) {
        Simulation simulation = new Simulation(hybrid(8, 64, 40, 1), 1);
        simulation.open(prompt(length, 1), 3);
        KvRequest request = simulation.requests.getFirst();
        compute(simulation, request);
        for (int i = 0; i < 3; i++) {
            request.append(5);
            compute(simulation, request);
        }
        simulation.finishAll();
    }

    /** sglang#23970: the hot regions of long prompts are in the admission, so a second one waits instead of failing. */
    @Test
    void hotRegionsCountInAdmission() {
        World world = hybrid(20, 256, 200, 4);
        Simulation simulation = new Simulation(world, 1);
        simulation.open(prompt(30 * 64, 1), 0);
        simulation.open(prompt(30 * 64, 2), 0);
        assertThat(world.geometry().steadyBlocks(30 * 64, 256)).isEqualTo(8 + 4 + 3);
        assertThat(simulation.step(List.of(new Ask(simulation.requests.getFirst(), 1, 0))))
                .isTrue();
        assertThat(simulation.allocator.plan(List.of(new Ask(simulation.requests.getLast(), 1, 0))))
                .isInstanceOfSatisfying(Refusal.class, refusal -> {
                    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ADMISSION);
                    assertThat(refusal.missing()).isEqualTo(2 * 15 - 19);
                });
        simulation.finishAll();
    }

    /** sglang#26427, #23704: as many long requests as the formula says are admitted, and they all get to their ends. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 64", "1, 200", "2, 65", "3, 128"})
    void seatsByTheFormulaAreSeatsThatRun(int seats, int hotRows) {
        for (int length = 1; length < 30 * 64; length += 97) {
            int steady = hybrid(100, hotRows, 0, 1).geometry().steadyBlocks(length, hotRows);
            int leastPages = Math.min(Block.pages(length), Block.pages(hotRows) + 3);
            assertThat(steady).isEqualTo(Math.ceilDiv(length, 4 * 64) + leastPages);
            World world = hybrid(1 + seats * steady, hotRows, 2000, 60);
            assertThat(world.geometry().seats(length, hotRows)).isEqualTo(seats);
            Simulation simulation = new Simulation(world, 1);
            for (int i = 0; i <= seats; i++) {
                simulation.open(prompt(length, i), 0);
                assertThat(simulation.step(List.of(new Ask(simulation.requests.getLast(), 1, 0))))
                        .isEqualTo(i < seats);
            }
            for (KvRequest request : simulation.requests.subList(0, seats)) {
                while (request.length() < length) {
                    assertThat(simulation.step(List.of(new Ask(request, 1 + length / 16, 0)))
                                    || simulation.step(List.of(new Ask(request, 1, 0))))
                            .as("%s tokens, at %s", length, request.length())
                            .isTrue();
                    simulation.settle();
                }
            }
        }
    }

    /** sglang#30652: with a host pool that runs out, requests still make room and end, and nothing is left over. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 9, 15})
    void exhaustedHostPoolsLeakNothing(int hostPages) {
        for (int seed = 0; seed < 20; seed++) {
            Simulation simulation = new Simulation(hybrid(16, 64, hostPages, 4), seed);
            simulation.run(SimEvent.draw(new SplittableRandom(seed), 60));
            simulation.finishAll();
        }
    }

    /** sglang#26849: a host pool of any size never costs a seat. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 20, 100})
    void hostPoolsCostNoSeats(int hostPages) {
        for (int length : new int[] {1, 64, 200, 5 * 64, 9 * 64, 17 * 64}) {
            int resident = 39 / (Block.pages(length) + Math.ceilDiv(length, 4 * 64));
            assertThat(seats(new World(KvPolicy.RESIDENT, 40, 4, 64, 0, 30, 4, 0), length))
                    .isEqualTo(resident);
            assertThat(seats(hybrid(40, 64, hostPages, 30), length)).isGreaterThanOrEqualTo(resident);
        }
    }

    private static int seats(World world, int length) {
        Simulation simulation = new Simulation(world, 1);
        do {
            simulation.open(prompt(length, simulation.requests.size()), 0);
        } while (simulation.step(List.of(new Ask(simulation.requests.getLast(), 1, 0))));
        return simulation.requests.size() - 1;
    }

    /** TRT-LLM#8405: blocks are reused for prefixes, and a hash names the whole prefix, not one page. */
    @Test
    void hashesChain() {
        KvRequest one = new KvRequest(prompt(4 * 64, 1), 1000, Optional.empty());
        KvRequest other = new KvRequest(prompt(4 * 64, 2), 1000, Optional.empty());
        KvRequest same = new KvRequest(Arrays.copyOf(prompt(4 * 64, 1), 3 * 64), 1000, Optional.empty());
        same.append(new int[64]);
        for (int page = 0; page < 4; page++) {
            assertThat(one.hash(page)).isEqualTo(same.hash(page)).isNotEqualTo(other.hash(page));
            assertThat(page == 0 || !one.hash(page).equals(one.hash(page - 1))).isTrue();
        }
        int[] changed = prompt(4 * 64, 1);
        changed[4 * 64 - 1] = 1;
        KvRequest last = new KvRequest(changed, 1000, Optional.empty());
        assertThat(last.hash(2)).isEqualTo(one.hash(2));
        assertThat(last.hash(3)).isNotEqualTo(one.hash(3));
    }

    /** sglang#32162: positions beyond a million are admitted, leave, and are found again. */
    @Test
    void positionsBeyondAMillion() {
        int length = 1_048_647 + 1;
        AllocatorConfig config = new AllocatorConfig(Glm.V53.of(1200), KvPolicy.HYBRID, 4096, 2048, 17_000, 2, 4096, 0);
        Allocator allocator = new Allocator(config);
        KvRequest request = allocator.open(prompt(length, 1), length + 10);
        while (request.length() < length) {
            run(allocator, request, 4096);
        }
        assertThat(request.residency().orElseThrow().page(10)).isEqualTo(PageState.LOST);
        allocator.close(request);
        KvRequest again = allocator.open(prompt(length, 1), length + 10);
        Step step = run(allocator, again, 1000);
        assertThat(step.parts().getFirst().first()).isEqualTo(length / 64 * 64);
        assertThat(again.length()).isEqualTo(length);
        assertThat(step.indexCopies().size() + step.indexRestores().size()).isLessThan(18);
        allocator.check();
        KvGeometry geometry = config.geometry();
        RowId row = again.residency().orElseThrow().row(1_048_647);
        assertThat(geometry.rowOffset(77, row.value())).isBetween(0L, geometry.slabBytes(geometry.slabOf(77)) - 656);
    }

    private static Step run(Allocator allocator, KvRequest request, int tokens) {
        Step step = allocator.commit((StepPlan) allocator.plan(List.of(new Ask(request, tokens, 0))));
        allocator.finish(step);
        step.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), Completion.Kind.COMPLETED)));
        allocator.drain();
        return step;
    }
}
