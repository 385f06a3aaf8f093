package uk.ac.manchester.tornado.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hotrow.emulator.Launch.Extent;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;

class GridTest {
    @Test
    void sizesAreTakenAsTheyAre() {
        WorkerGrid grid = new WorkerGrid3D(8, 6, 4);
        grid.setLocalWork(4, 3, 2);
        assertThat(Grid.of("g.t", grid)).isEqualTo(new Grid(new Extent(8, 6, 4), new Extent(4, 3, 2)));
        grid.setGlobalWork(16, 3, 2);
        assertThat(Grid.of("g.t", grid).global()).isEqualTo(new Extent(16, 3, 2));
        assertThat(new WorkerGrid2D(8, 6).getGlobalWork()).containsExactly(8, 6, 1);
        assertThat(new WorkerGrid1D(8).getGlobalWork()).containsExactly(8, 1, 1);
        assertThat(new WorkerGrid1D(8).getLocalWork()).isNull();
        assertThat(new WorkerGrid1D(8).dimension()).isEqualTo(1);
        assertThat(new WorkerGrid2D(8, 6).dimension()).isEqualTo(2);
        assertThat(grid.dimension()).isEqualTo(3);
    }

    @Test
    void theLargestSizesAreTaken() {
        assertThat(grid(1024, 1, 1, 1024, 1, 1).local()).isEqualTo(new Extent(1024, 1, 1));
        assertThat(grid(1024, 1, 1, 512, 1, 1).global()).isEqualTo(new Extent(1024, 1, 1));
        assertThat(grid(1, 65_535, 65_535 * 64L, 1, 1, 64).global()).isEqualTo(new Extent(1, 65_535, 65_535 * 64));
        assertThat(grid(Integer.MAX_VALUE, 1, 1, 1, 1, 1).global()).isEqualTo(new Extent(Integer.MAX_VALUE, 1, 1));
    }

    @Test
    void sizesOutsideOfTheLimitsAreRefused() {
        assertRefused("has groups of [1024, 2, 1] work-items; the limit is 1024", 1024, 2, 1, 1024, 2, 1);
        assertRefused("local work 1025 in x; it must be 1 to 1024", 1025, 1, 1, 1025, 1, 1);
        assertRefused("local work 2048 in y; it must be 1 to 1024", 1, 2048, 1, 1, 2048, 1);
        assertRefused("local work 65 in z; it must be 1 to 64", 1, 1, 65, 1, 1, 65);
        assertRefused("local work 0 in x", 8, 1, 1, 0, 1, 1);
        assertRefused("global work 0 in y", 8, 0, 1, 8, 1, 1);
        assertRefused("global work 2147483648 in x; indices are ints", 1L << 31, 1, 1, 1, 1, 1);
        assertRefused("global work 100 in x, not a multiple of local work 64", 100, 1, 1, 64, 1, 1);
        assertRefused("65536 groups in y; the limit is 65535", 1, 65_536, 1, 1, 1, 1);
        assertRefused("65536 groups in z; the limit is 65535", 1, 1, 65_536, 1, 1, 1);
    }

    @Test
    void missingSizesAreRefused() {
        assertThatThrownBy(() -> Grid.of("g.t", null)).hasMessageContaining("task g.t has no worker grid");
        assertThatThrownBy(() -> Grid.of("g.t", new WorkerGrid1D(8)))
                .isInstanceOf(TornadoRuntimeException.class)
                .hasMessageContaining("task g.t has no local work");
    }

    private static Grid grid(long x, long y, long z, long localX, long localY, long localZ) {
        WorkerGrid grid = new WorkerGrid1D(1);
        grid.setGlobalWork(x, y, z);
        grid.setLocalWork(localX, localY, localZ);
        return Grid.of("g.t", grid);
    }

    private static void assertRefused(String problem, long x, long y, long z, long localX, long localY, long localZ) {
        assertThatThrownBy(() -> grid(x, y, z, localX, localY, localZ))
                .isInstanceOf(TornadoRuntimeException.class)
                .hasMessageStartingWith("task g.t has ")
                .hasMessageContaining(problem);
    }
}
