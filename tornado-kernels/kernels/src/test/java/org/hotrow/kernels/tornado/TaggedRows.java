package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** A slab, and a host pool in windows, whose rows say which seat, layer and position they are of; what nobody wrote is -1. */
final class TaggedRows {
    static final int LAYERS = 4;
    private static final int ROW_LONGS = 3;
    private static final int HOST_PAGE = LAYERS * 64 * ROW_LONGS + 5;
    private static final int WINDOW = 7;
    private static final int GROUPS = 3;

    private final LongArray slab;
    private final LongArray[] host;

    /** @param hostPages 0 if nothing is stored and nothing checked */
    TaggedRows(int blocks, int hostPages) {
        slab = new LongArray(hostPages == 0 ? 1 : blocks * LAYERS * 64 * ROW_LONGS);
        slab.init(-1L);
        host = new LongArray[Math.ceilDiv(hostPages, WINDOW)];
        Arrays.setAll(host, window -> new LongArray(WINDOW * HOST_PAGE));
    }

    LongArray slab() {
        return slab;
    }

    LongArray[] host() {
        return host;
    }

    /** Every row of every seat on the host, and on the device where there is a block. */
    void write(int pages, IntArray hostTable, IntArray blockTable) {
        for (LongArray window : host) {
            window.init(-1L);
        }
        for (int i = 0; host.length > 0 && i < blockTable.getSize() * 64; i++) {
            for (int layer = 0; layer < LAYERS; layer++) {
                for (int at = 0; at < ROW_LONGS; at++) {
                    long tag = tag(i / 64 / pages, layer, i % (pages * 64)) + at;
                    int page = hostTable.get(i / 64);
                    host[page / WINDOW].set(page % WINDOW * HOST_PAGE + (layer * 64 + i % 64) * ROW_LONGS + at, tag);
                    int block = blockTable.get(i / 64);
                    if (block != 0) {
                        slab.set(((block * LAYERS + layer) * 64 + i % 64) * ROW_LONGS + at, tag);
                    }
                }
            }
        }
    }

    private static long tag(int seat, int layer, int position) {
        return seat * 1_000_000_000L + layer * 10_000_000L + position * 100L;
    }

    /** A gather from each window. */
    void appendGathers(TaskGraph graph, GridScheduler grids, RowResolver.Loads loads, IntArray place) {
        for (int window = 0; window < host.length; window++) {
            RowGather.Shape gather = new RowGather.Shape(window * WINDOW, WINDOW, HOST_PAGE, ROW_LONGS, GROUPS);
            RowGather.append(graph, grids, "gather" + window, gather, loads, place, host[window], slab);
        }
    }

    /** That device row {@code row}, unless it is -1, is that of a position. */
    void check(int row, int layer, int seat, int position) {
        if (row < 0 || host.length == 0) {
            return;
        }
        int at = ((row / 64 * LAYERS + layer) * 64 + row % 64) * ROW_LONGS;
        for (int n = 0; n < ROW_LONGS; n++) {
            assertThat(slab.get(at + n)).isEqualTo(tag(seat, layer, position) + n);
        }
    }
}
