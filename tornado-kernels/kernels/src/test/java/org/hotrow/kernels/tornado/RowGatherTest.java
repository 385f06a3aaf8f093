package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.hotrow.kernels.tornado.RowResolver.Loads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The kernel against copying long by long; what isn't loaded stays poison. {@link RowResolverTest} loads rows too. */
class RowGatherTest {
    private static final int HOST_PAGES = 7;
    private static final int WINDOW = 4;
    private static final int HOST_LAYERS = 4;
    private static final int LAYERS = 5;
    private static final int BLOCKS = 4;
    private static final int GROUPS = 3;

    @ParameterizedTest
    @CsvSource({"0, 2, 3", "1, 1, 82", "3, 2, 5", "8, 3, 82", "50, 1, 3", "60, 2, 9"})
    void loadsRowsOfEveryWindow(int loads, int layers, int rowLongs) {
        World world = new World(loads, layers, rowLongs);
        Device.run(
                (graph, grids) -> {
                    for (int window = 0; window < world.windows.length; window++) {
                        RowGather.append(
                                graph,
                                grids,
                                "gather" + window,
                                world.shape(window),
                                world.list,
                                world.place,
                                world.windows[window],
                                world.slab);
                    }
                },
                world.arrays());
        assertThat(world.slab.toHeapArray()).containsExactly(world.expected);
    }

    @Test
    void movesRowsOnce() {
        World world = new World(60, 3, 82);
        RowGather.Shape shape = world.shape(0);
        Device.Traffic traffic = Device.meter(
                "gather",
                (graph, grids) -> RowGather.append(
                        graph, grids, "gather", shape, world.list, world.place, world.windows[0], world.slab),
                world.arrays());
        long floor = 2 * shape.hostBytes(world.inFirstWindow, 3) + 8 * 60;
        assertThat(traffic.uniqueBytes()).isBetween(floor * 95 / 100, floor * 105 / 100);
        assertThat(traffic.sectorUse()).isGreaterThan(0.85);
    }

    @Test
    void refusesPagesShorterThanTheirRows() {
        assertThatThrownBy(() -> new RowGather.Shape(0, 1, 82 * 64 - 1, 82, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host pages of 5247");
    }

    /** Rows of all host pages, also of page 0, which holds nothing. */
    private static final class World {
        private final int rowLongs;
        private final Loads list;
        private final IntArray place;
        private final LongArray[] windows = new LongArray[Math.ceilDiv(HOST_PAGES, WINDOW)];
        private final LongArray slab;
        private final long[] expected;
        private int inFirstWindow;

        World(int loads, int layers, int rowLongs) {
            this.rowLongs = rowLongs;
            int firstLayer = LAYERS - layers;
            int hostLayer = HOST_LAYERS - layers;
            place = IntArray.fromElements(firstLayer, LAYERS, hostLayer, layers);
            IntArray host = new IntArray(64);
            IntArray row = new IntArray(64);
            list = new Loads(host, row, IntArray.fromElements(loads), new IntArray(1));
            for (int window = 0; window < windows.length; window++) {
                windows[window] = new LongArray(WINDOW * hostPageLongs());
                for (int i = 0; i < windows[window].getSize(); i++) {
                    windows[window].set(i, (long) window * WINDOW * hostPageLongs() + i);
                }
            }
            expected = new long[BLOCKS * LAYERS * 64 * rowLongs];
            Arrays.fill(expected, -1);
            slab = LongArray.fromArray(expected);
            for (int load = 0; load < 64; load++) {
                host.set(load, load * 29 % (HOST_PAGES * 64));
                row.set(load, 64 + load * 13 % ((BLOCKS - 1) * 64));
                if (load < loads && host.get(load) >= 64) {
                    inFirstWindow += host.get(load) < WINDOW * 64 ? 1 : 0;
                    for (int layer = 0; layer < layers; layer++) {
                        expect(host.get(load), hostLayer + layer, row.get(load), firstLayer + layer);
                    }
                }
            }
        }

        private void expect(int hostRow, int hostLayer, int row, int layer) {
            int from = hostRow / 64 * hostPageLongs() + (hostLayer * 64 + hostRow % 64) * rowLongs;
            int to = (row / 64 * LAYERS * 64 + layer * 64 + row % 64) * rowLongs;
            for (int i = 0; i < rowLongs; i++) {
                expected[to + i] = (long) from + i;
            }
        }

        private int hostPageLongs() {
            return HOST_LAYERS * 64 * rowLongs + 5;
        }

        RowGather.Shape shape(int window) {
            return new RowGather.Shape(window * WINDOW, WINDOW, hostPageLongs(), rowLongs, GROUPS);
        }

        TornadoNativeArray[] arrays() {
            return new TornadoNativeArray[] {list.host(), list.row(), list.count(), place, windows[0], windows[1], slab
            };
        }
    }
}
