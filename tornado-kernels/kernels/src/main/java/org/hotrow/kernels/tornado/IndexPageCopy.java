package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Copies index pages from index block to index block of a slab, the keys of all its anchors: what a request shares with
 * another in a block that it can't share whole.
 *
 * <pre>
 * pages      [1] int                P pages are copied
 * from, to   [maxPages] int         index block * pagesPerBlock + page; no page is both
 * slab       as in {@link WriteBack}
 *
 * floor      P pages of keys are read and written once
 * </pre>
 *
 * A group copies 256 neighbours.
 */
public final class IndexPageCopy {
    private static final int GROUP = 256;

    private IndexPageCopy() {}

    /** Bytes that must be moved for so many pages. */
    public static long floorBytes(WriteBack.Shape shape, int pages) {
        return 16L * pages * shape.keysWords();
    }

    /** The definition, anchor by anchor. */
    public static void reference(int pages, WriteBack.Shape shape, int[] from, int[] to, long[] slab) {
        for (int p = 0; p < pages; p++) {
            for (int anchor = 0; anchor < shape.anchorsInSlab(); anchor++) {
                System.arraycopy(
                        slab, at(shape, from[p], anchor), slab, at(shape, to[p], anchor), shape.indexPageWords());
            }
        }
    }

    private static int at(WriteBack.Shape shape, int page, int anchor) {
        int block = page / shape.pagesPerBlock() * shape.layersInSlab() * 64 * shape.rowWords();
        return block + (page % shape.pagesPerBlock() * shape.anchorsInSlab() + anchor) * shape.indexPageWords();
    }

    /** A row of groups per page. */
    static void copy(
            KernelContext context,
            IntArray pages,
            IntArray from,
            IntArray to,
            LongArray slab,
            int blockWords,
            int keysWords,
            int pagesPerBlock) {
        int page = context.groupIdy;
        int i = context.globalIdx;
        if (page < pages.get(0) && i < keysWords) {
            int source = from.get(page) / pagesPerBlock * blockWords + from.get(page) % pagesPerBlock * keysWords;
            int target = to.get(page) / pagesPerBlock * blockWords + to.get(page) % pagesPerBlock * keysWords;
            slab.set(target + i, slab.get(source + i));
        }
    }

    /** Appends the task for one slab that has anchors. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray pages,
            IntArray from,
            IntArray to,
            LongArray slab,
            WriteBack.Shape shape) {
        Grids.groups(graph, grids, task, Math.ceilDiv(shape.keysWords(), GROUP), shape.maxPages(), GROUP);
        return graph.task(
                task,
                IndexPageCopy::copy,
                Grids.CONTEXT,
                pages,
                from,
                to,
                slab,
                shape.rowsWords(),
                shape.keysWords(),
                shape.pagesPerBlock());
    }
}
