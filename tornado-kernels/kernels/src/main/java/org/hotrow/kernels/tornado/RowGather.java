package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Loads the rows that {@link RowResolver} lists from pinned host memory, for the layers of a unit that a slab stores.
 * {@link org.hotrow.kernels.Gather} is the plain reference.
 *
 * <pre>
 * host     [pages][host page]          a window of the host pool; host page = [layers][64][row], then other bytes
 * slab     [blocks][layers in slab][64][row]
 * place    {layer in slab, layers in slab, layer on the host, layers to load}
 *
 * piece    load * layers + layer       a group takes 8 at a time: a work-item each finds where they are, then all of
 *                                      them copy longs side by side
 * </pre>
 *
 * The grid is fixed and has nothing to do with requests, so that the loads of one request keep all multiprocessors
 * busy; how many pieces there are stands on the device, and groups that are left without end at once. Loads from another
 * window of the pool are skipped: one task per window.
 *
 * <p>Floor: row bytes read from the host, row bytes written and 8 bytes of list read, per load and layer.
 */
public final class RowGather {
    static final int ITEMS = 256;
    private static final int PIECES = 8;
    private static final int PAGE = 64;
    private static final int PLACE = 4;

    private RowGather() {}

    /**
     * Sizes that don't change.
     *
     * @param firstPage of the window
     * @param pages of the window
     * @param hostPageLongs from a host page to the next
     * @param groups of the grid
     */
    public record Shape(int firstPage, int pages, int hostPageLongs, int rowLongs, int groups) {
        /** Refuses what the kernel can't index. */
        public Shape {
            if (pages < 1 || rowLongs < 1 || groups < 1 || hostPageLongs < (long) rowLongs * PAGE) {
                throw new IllegalArgumentException("gather of rows of " + rowLongs + " longs from " + pages
                        + " host pages of " + hostPageLongs + " by " + groups + " groups");
            }
            Elements.count("host pages", pages, hostPageLongs);
        }

        /** Bytes that must cross the link for so many loads. */
        public long hostBytes(long loads, int layers) {
            return loads * layers * rowLongs * Long.BYTES;
        }

        /** Groups that have rows to load. */
        public int busyGroups(long loads, int layers) {
            return (int) Math.min(groups, Math.ceilDiv(loads * layers, PIECES));
        }
    }

    /** A fixed number of groups of 256. */
    public static void gather(
            KernelContext context,
            IntArray missHost,
            IntArray missRow,
            IntArray missCount,
            IntArray place,
            LongArray host,
            LongArray slab,
            int firstPage,
            int pages,
            int hostPageLongs,
            int rowLongs,
            int groups) {
        int[] facts = context.allocateIntLocalArray(PLACE + 1);
        int[] sources = context.allocateIntLocalArray(PIECES);
        int[] targets = context.allocateIntLocalArray(PIECES);
        int item = context.localIdx;
        if (item < PLACE) {
            facts[item] = place.get(item);
        }
        if (item == PLACE) {
            facts[PLACE] = missCount.get(0);
        }
        context.localBarrier();
        int layers = facts[3];
        int all = facts[PLACE] * layers;
        for (int from = context.groupIdx * PIECES; from < all; from += groups * PIECES) {
            if (item < PIECES) {
                sources[item] = -1;
                if (from + item < all) {
                    int load = (from + item) / layers;
                    int layer = (from + item) % layers;
                    int hostRow = missHost.get(load);
                    int page = hostRow / PAGE - firstPage;
                    if (hostRow >= PAGE && page >= 0 && page < pages) {
                        sources[item] = page * hostPageLongs + ((facts[2] + layer) * PAGE + hostRow % PAGE) * rowLongs;
                        targets[item] = SlabRow.at(missRow.get(load), facts[0] + layer, facts[1], rowLongs);
                    }
                }
            }
            context.localBarrier();
            for (int i = item; i < PIECES * rowLongs; i += ITEMS) {
                int source = sources[i / rowLongs];
                if (source >= 0) {
                    slab.set(targets[i / rowLongs] + i % rowLongs, host.get(source + i % rowLongs));
                }
            }
            context.localBarrier();
        }
    }

    /** Adds {@link #gather} to the graph. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            Shape shape,
            RowResolver.Loads loads,
            IntArray place,
            LongArray host,
            LongArray slab) {
        Grids.groups(graph, grids, task, shape.groups, 1, ITEMS);
        return graph.task(
                task,
                RowGather::gather,
                Grids.CONTEXT,
                loads.host(),
                loads.row(),
                loads.count(),
                place,
                host,
                slab,
                shape.firstPage,
                shape.pages,
                shape.hostPageLongs,
                shape.rowLongs,
                shape.groups);
    }
}
