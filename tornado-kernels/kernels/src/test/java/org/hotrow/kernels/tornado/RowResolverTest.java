package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Objects;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.tornado.RowResolver.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The resolver against {@link org.hotrow.kernels.Resolve}, step after step, and together with the gather: rows carry tags. */
class RowResolverTest {
    private static final int K = 40;

    private static Shape shape(int slots) {
        return new Shape(7, K, 3, 2, 6, Math.ceilDiv(slots, 64), slots);
    }

    @ParameterizedTest
    @CsvSource({
        "40, 64, 12, LRU",
        "130, 64, 20, LRU",
        "63, 128, 8, LRU",
        "64, 256, 4, LRU",
        "65, 512, 3, LRU",
        "130, 1024, 3, LRU",
        "40, 64, 12, SCORE",
        "130, 64, 30, SCORE",
        "63, 128, 12, SCORE",
        "64, 256, 8, SCORE",
        "65, 512, 4, SCORE",
        "130, 1024, 4, SCORE"
    })
    void agreesWithThePlainResolverStepAfterStep(int slots, int items, int steps, Replacement replacement) {
        try (ResolverWorld world = new ResolverWorld(shape(slots), items, slots, replacement)) {
            for (int step = 0; step < steps; step++) {
                world.randomStep();
                world.resolveAndCheck();
            }
            assertThat(world.loads()).as("loads of all steps").isPositive();
            assertThat(world.hits()).as("hits of all steps").isPositive();
        }
    }

    /** hisparse bug 13: what grows with the region didn't fit local memory. */
    @ParameterizedTest
    @EnumSource(Replacement.class)
    void aRegionMayBeLargerThanLocalMemory(Replacement replacement) {
        try (ResolverWorld world = new ResolverWorld(shape(20_000), 1024, 5, replacement)) {
            for (int step = 0; step < 3; step++) {
                world.randomStep();
                world.resolveAndCheck();
            }
        }
    }

    /** Those beyond the registers are read anew for each bit. */
    @Test
    void aRegionWhoseKeysExceedTheRegistersOfAGroup() {
        Shape shape = new Shape(2, 600, 1, 1, 41, 19, 1200);
        try (ResolverWorld world = new ResolverWorld(shape, 64, 12, Replacement.SCORE)) {
            world.loseEverything();
            for (int step = 0; step < 10; step++) {
                world.step(new int[] {0, step % 2 - 1});
                world.resolveAndCheck();
            }
            assertThat(world.loads())
                    .as("loads, more than the region has slots")
                    .isGreaterThan(2400);
        }
    }

    /** hisparse bug 50: a scan's window was overrun when the group had few warps. */
    @ParameterizedTest
    @ValueSource(ints = {64, 128, 256, 512, 1024})
    void aScanReachesAllItemsOfAGroupOfAnySizeAndNoMore(int items) {
        try (ResolverWorld world = new ResolverWorld(new Shape(1, 400, 1, 1, 13, 8, 512), items, 11)) {
            world.loseEverything();
            world.step(new int[] {0});
            world.everySecondPosition(400);
            world.resolveAndCheck();
            assertThat(world.loadCount()).isEqualTo(400);
            for (int i = 0; i < 400; i++) {
                assertThat(world.hostRow(i) % 64).isEqualTo(2 * i % 64);
            }
            world.resolveAndCheck();
            assertThat(world.loadCount()).isZero();
        }
    }

    /** hisparse bug 42: outputs of short and padded rows were stale. */
    @Test
    void rowsOfShortListsAndOfPaddingAreNotThoseOfTheLastStep() {
        try (ResolverWorld world = new ResolverWorld(shape(130), 64, 6)) {
            world.step(new int[] {0, 0, 1, 1, 2, 2, 2});
            world.resolve();
            world.step(new int[] {1, 2, -1, -1, -1, -1, -1});
            world.select(0, 3, 70);
            world.select(1);
            world.resolve();

            int[] rows = world.rows();
            assertThat(rows[0]).isNotNegative();
            assertThat(rows[1]).isNotNegative();
            assertThat(Arrays.copyOfRange(rows, 2, 7 * K)).containsOnly(-1);
        }
    }

    /** hisparse bug 52: a replay with padded rows loaded what the last batch had, beyond the real requests. */
    @Test
    void aReplayForFewerRequestsLoadsNothingOfTheLastOnes() {
        try (ResolverWorld world = new ResolverWorld(shape(130), 64, 6)) {
            world.loseEverything();
            world.step(new int[] {0, 1, 2, 2, 2, -1, -1});
            world.resolveAndCheck();
            assertThat(world.loadCount()).isGreaterThan(K);
            world.step(new int[] {1, -1, -1, -1, -1, -1, -1});
            world.resolveAndCheck();
            assertThat(world.loadCount()).isLessThanOrEqualTo(K);
            world.step(new int[] {-1, -1, -1, -1, -1, -1, -1});
            world.resolveAndCheck();
            assertThat(world.loadCount()).isZero();
        }
    }

    @Test
    void tokensOfARequestShareItsRegion() {
        try (ResolverWorld world = new ResolverWorld(shape(K), 64, 7)) {
            world.loseEverything();
            world.step(new int[] {1, 1, 1, -1, -1, -1, -1});
            world.sameSelection(0, 3);
            for (int loads : new int[] {K, 0}) {
                world.resolveAndCheck();
                assertThat(world.loadCount()).isEqualTo(loads);
                assertThat(world.done(0)).isEqualTo(3);
                int[] rows = world.rows();
                for (int i = 0; i < 2 * K; i++) {
                    assertThat(rows[i]).isEqualTo(rows[i + K]);
                }
            }
        }
    }

    @Test
    void tokensThatDoNotFitWaitForTheNextCall() {
        try (ResolverWorld world = new ResolverWorld(shape(K), 64, 8)) {
            world.loseEverything();
            world.step(new int[] {2, 2, 2, -1, -1, -1, -1});
            world.resolveAndCheck();
            assertThat(world.done(0)).isEqualTo(1);
            assertThat(world.deferred()).isEqualTo(2);
            world.span(1, 7);
            world.resolveAndCheck();
            assertThat(world.done(1)).isEqualTo(1);
        }
    }

    @Test
    void countsAsFaultsWhatIsNowhere() {
        try (ResolverWorld world = new ResolverWorld(shape(64), 64, 9)) {
            world.loseEverything();
            world.forgetHostPage(1, 0);
            world.step(new int[] {0, 1, -1, -1, -1, -1, -1});
            world.select(0, 3, 70);
            world.select(1, 5, 6, 70);
            world.takeHotRegion(0);
            world.resolve();
            assertThat(world.faults()).isEqualTo(4);
            assertThat(world.rows()).startsWith(-1, -1);
            assertThat(world.loadCount()).isEqualTo(3);
        }
    }

    /** hisparse bug 56: a position beyond 2^20 was cut short. */
    @Test
    void aPositionBeyondAMillionIsLoadedThenHit() {
        int pages = 16_400;
        try (ResolverWorld world = new ResolverWorld(new Shape(1, 2, 1, 1, pages, 1, 64), 64, 10)) {
            world.loseEverything();
            world.step(new int[] {0});
            world.select(0, 5, 1_048_647);
            world.resolve();
            assertThat(world.loadCount()).isEqualTo(2);
            assertThat(world.hostRow(1) % 64).isEqualTo(1_048_647 % 64);
            int[] rows = world.rows();
            world.select(0, 6, 1_048_647);
            world.resolve();
            assertThat(world.loadCount()).isEqualTo(1);
            assertThat(world.rows()[1]).isEqualTo(rows[1]);
        }
    }

    /** hisparse bug 48: one group per request left the link idle at small batches. */
    @Test
    void theLoadsOfOneRequestAreSharedByAllGroups() {
        int loads = 640;
        int rowLongs = 3;
        RowGather.Shape shape = new RowGather.Shape(0, 11, 64 * rowLongs, rowLongs, 8);
        IntArray from = new IntArray(loads);
        IntArray to = new IntArray(loads);
        for (int i = 0; i < loads; i++) {
            from.set(i, 64 + i);
            to.set(i, 64 + i);
        }
        RowResolver.Loads list =
                new RowResolver.Loads(from, to, IntArray.fromElements(loads), new IntArray(HotResolve.FOUND));
        IntArray place = IntArray.fromElements(0, 1, 0, 1);
        LongArray host = new LongArray(11 * 64 * rowLongs);
        host.init(7);
        LongArray slab = new LongArray(11 * 64 * rowLongs);

        // One of the eight groups alone does an eighth of the work.
        Device.run(
                (graph, grids) -> {
                    RowGather.append(graph, grids, "gather", shape, list, place, host, slab);
                    WorkerGrid grid = Objects.requireNonNull(grids.get("test.gather"));
                    int group = (int) Objects.requireNonNull(grid.getLocalWork())[0];
                    assertThat(grid.getGlobalWork()[0]).isEqualTo(8L * group);
                    Grids.groups(graph, grids, "gather", 1, 1, group);
                },
                from,
                to,
                list.count(),
                place,
                host,
                slab);

        long loaded =
                Arrays.stream(slab.toHeapArray()).filter(word -> word == 7).count();
        assertThat(loaded).isEqualTo((long) loads * rowLongs / 8);
    }

    @Test
    void fewLoadsKeepFewGroupsBusy() {
        RowGather.Shape gather = new RowGather.Shape(0, 100, 78 * 64 * 82, 82, 264);
        assertThat(gather.busyGroups(2048, 4)).isEqualTo(264);
        assertThat(gather.busyGroups(1, 4)).isEqualTo(1);
        assertThat(gather.busyGroups(0, 4)).isZero();
        assertThat(gather.hostBytes(2048, 4)).isEqualTo(2048L * 4 * 656);
    }

    @Test
    void refusesShapesThatCannotBeIndexed() {
        assertThatThrownBy(() -> new Shape(1, 1 << 15, 1, 1, 1, 1, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("top 32768");
        assertThatThrownBy(() -> new Shape(1, 8, 1, 1, 1, 1, 65))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65 slots in 1 blocks");
        assertThatThrownBy(() -> new Shape(1, 8, 1 << 15, 1, 1 << 10, 1, 64))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RowGather.Shape(0, 1 << 20, 78 * 64 * 82, 82, 264))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
