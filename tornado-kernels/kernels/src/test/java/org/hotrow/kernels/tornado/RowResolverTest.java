package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hotrow.kernels.tornado.RowResolver.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The resolver against {@link org.hotrow.kernels.Resolve}, step after step, and together with the gather: rows carry tags. */
class RowResolverTest {
    private static final int K = 40;

    private static Shape shape(int slots) {
        return new Shape(7, K, 3, 2, 6, Math.ceilDiv(slots, 64), slots);
    }

    /** hisparse bug 50: a scan's window was overrun when the group had few warps. */
    @ParameterizedTest
    @CsvSource({"40, 64, 12", "130, 64, 20", "63, 128, 8", "64, 256, 4", "65, 512, 3", "130, 1024, 3"})
    void agreesWithThePlainResolverStepAfterStep(int slots, int items, int steps) {
        try (ResolverWorld world = new ResolverWorld(shape(slots), items, slots)) {
            for (int step = 0; step < steps; step++) {
                world.randomStep();
                world.resolveAndCheck();
            }
            assertThat(world.loads()).as("loads of all steps").isPositive();
            assertThat(world.hits()).as("hits of all steps").isPositive();
        }
    }

    /** hisparse bug 13: what grows with the region didn't fit local memory. */
    @Test
    void aRegionMayBeLargerThanLocalMemory() {
        try (ResolverWorld world = new ResolverWorld(shape(20_000), 1024, 5)) {
            for (int step = 0; step < 3; step++) {
                world.randomStep();
                world.resolveAndCheck();
            }
        }
    }

    /** hisparse bugs 42 and 52: padded rows replayed what the last batch had, beyond the real requests. */
    @Test
    void countsBeyondTheRealRequestsAreForgotten() {
        try (ResolverWorld world = new ResolverWorld(shape(130), 64, 6)) {
            world.loseEverything();
            world.step(new int[] {0, 1, 2, 2, 2, -1, -1});
            world.resolveAndCheck();
            assertThat(world.loadCount()).isPositive();
            world.step(new int[] {1, -1, -1, -1, -1, -1, -1});
            world.resolveAndCheck();
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
    void theLoadsOfOneRequestKeepAllGroupsBusy() {
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
        assertThatThrownBy(() -> new Shape(1, 8, 1 << 15, 1, 1 << 10, 1, 64)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> new RowGather.Shape(0, 1 << 20, 78 * 64 * 82, 82, 264))
                .isInstanceOf(ArithmeticException.class);
    }
}
