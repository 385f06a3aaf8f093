package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Brings pages back from the host to a slab, which {@link WriteBack} took there: the rows of all its layers, the keys of
 * all its anchors, or both.
 *
 * <pre>
 * pages      [1] int                P pages come back
 * from       [maxPages] int         host page
 * block      [maxPages] int         where its rows go; 0: nowhere
 * index      [maxPages] int         index block * pagesPerBlock + page, where its keys go; -1: nowhere
 * host       [host pages][host page] longs
 * slab       as in {@link WriteBack}
 *
 * floor      what comes back is read and written once
 * </pre>
 *
 * A group copies 2,048 neighbours, each work-item eight of them, 256 apart.
 */
public final class PageRestore {
    private static final int GROUP = 256;
    /** Longs that a work-item copies. */
    private static final int EACH = 8;

    private PageRestore() {}

    /** Bytes that must be moved for so many pages' rows and so many pages' keys, over the link and in the device's memory together. */
    public static long floorBytes(WriteBack.Shape shape, int rows, int keys) {
        return 16L * ((long) rows * shape.rowsWords() + (long) keys * shape.keysWords());
    }

    /** The definition, layer by layer and anchor by anchor. */
    public static void reference(
            int pages, WriteBack.Shape shape, int[] from, int[] block, int[] index, long[] host, long[] slab) {
        int layerWords = 64 * shape.rowWords();
        int blockWords = shape.layersInSlab() * layerWords;
        for (int p = 0; p < pages; p++) {
            int page = from[p] * shape.hostPageWords();
            for (int layer = 0; block[p] != 0 && layer < shape.layersInSlab(); layer++) {
                int to = block[p] * blockWords + layer * layerWords;
                System.arraycopy(host, page + (shape.firstLayer() + layer) * layerWords, slab, to, layerWords);
            }
            int keys = page + shape.layers() * layerWords;
            for (int anchor = 0; index[p] >= 0 && anchor < shape.anchorsInSlab(); anchor++) {
                int to = index[p] / shape.pagesPerBlock() * blockWords
                        + (index[p] % shape.pagesPerBlock() * shape.anchorsInSlab() + anchor) * shape.indexPageWords();
                int anchorOfAll = shape.firstAnchor() + anchor;
                System.arraycopy(host, keys + anchorOfAll * shape.indexPageWords(), slab, to, shape.indexPageWords());
            }
        }
    }

    /** A row of groups per page. */
    static void restore(
            KernelContext context,
            IntArray pages,
            IntArray from,
            IntArray block,
            IntArray index,
            LongArray host,
            LongArray slab,
            int rowsWords,
            int keysWords,
            int rowsFrom,
            int keysFrom,
            int hostPageWords,
            int pagesPerBlock) {
        int page = context.groupIdy;
        int first = 0;
        int end = 0;
        int rowsTo = 0;
        int keysTo = 0;
        int source = 0;
        if (page < pages.get(0)) {
            source = from.get(page) * hostPageWords;
            rowsTo = block.get(page) * rowsWords;
            if (block.get(page) == 0) {
                first = rowsWords;
            }
            end = rowsWords;
            if (index.get(page) >= 0) {
                keysTo = index.get(page) / pagesPerBlock * rowsWords + index.get(page) % pagesPerBlock * keysWords;
                end = rowsWords + keysWords;
            }
        }
        for (int n = 0; n < EACH; n++) {
            int i = (context.groupIdx * EACH + n) * GROUP + context.localIdx;
            int at = source + rowsFrom + i;
            int to = rowsTo + i;
            if (i >= rowsWords) {
                at = source + keysFrom + i - rowsWords;
                to = keysTo + i - rowsWords;
            }
            // Right under a condition, so that TornadoVM sees that the slab keeps what is not written.
            if (i >= first && i < end) {
                slab.set(to, host.get(at));
            }
        }
    }

    /** Appends the task for one slab. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray pages,
            IntArray from,
            IntArray block,
            IntArray index,
            LongArray host,
            LongArray slab,
            WriteBack.Shape shape) {
        int words = shape.rowsWords() + shape.keysWords();
        Grids.groups(graph, grids, task, Math.ceilDiv(words, EACH * GROUP), shape.maxPages(), GROUP);
        return graph.task(
                task,
                PageRestore::restore,
                Grids.CONTEXT,
                pages,
                from,
                block,
                index,
                host,
                slab,
                shape.rowsWords(),
                shape.keysWords(),
                shape.rowsAt(),
                shape.keysAt(),
                shape.hostPageWords(),
                shape.pagesPerBlock());
    }
}
