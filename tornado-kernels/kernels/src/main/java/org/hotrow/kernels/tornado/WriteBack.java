package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Copies sealed pages from a slab to host pages: the rows of all its layers and the keys of all its anchors, in one
 * launch.
 *
 * <pre>
 * slab       [blocks][layersInSlab][64][row]             rows of a block: one run
 *            [blocks] of [page][anchorsInSlab][index page]     keys of a page: one run
 * host page  [layers][64][row], [anchors][index page]    the slab's part of each: one run
 *
 * pages      [1] int                P pages are copied
 * block      [maxPages] int         whose rows are copied
 * index      [maxPages] int         index block * pagesPerBlock + page, whose keys are copied
 * to         [maxPages] int         host page
 * host       [host pages][host page] longs
 *
 * floor      P runs read and written
 * </pre>
 *
 * A group copies 2,048 neighbours, each work-item eight of them, 256 apart.
 */
public final class WriteBack {
    private static final int PAGE = 64;
    private static final int GROUP = 256;
    /** Longs that a work-item copies. */
    private static final int EACH = 8;

    private WriteBack() {}

    /**
     * Pages that a launch covers, and what lies where; all words are longs.
     *
     * @param firstLayer layers of the slabs before this one
     * @param anchors anchors of all slabs
     * @param firstAnchor anchors of the slabs before this one
     */
    public record Shape(
            int maxPages,
            int rowWords,
            int indexPageWords,
            int layers,
            int firstLayer,
            int layersInSlab,
            int anchors,
            int firstAnchor,
            int anchorsInSlab,
            int pagesPerBlock) {
        /** Checks that the slab's part lies in a host page. */
        public Shape {
            if (maxPages < 1
                    || rowWords < 1
                    || layersInSlab < 1
                    || anchorsInSlab < 0
                    || firstLayer < 0
                    || firstAnchor < 0
                    || (long) firstLayer + layersInSlab > layers
                    || (long) firstAnchor + anchorsInSlab > anchors
                    || indexPageWords < 0
                    || pagesPerBlock < 1) {
                throw new IllegalArgumentException("layers " + firstLayer + " + " + layersInSlab + " of " + layers
                        + ", anchors " + firstAnchor + " + " + anchorsInSlab + " of " + anchors
                        + ": expected a part of the host page");
            }
            long keys = Elements.count("keys of a host page", anchors, indexPageWords);
            Elements.count("host page", Elements.count("rows of a host page", layers, PAGE, rowWords) + keys);
        }

        int rowsWords() {
            return layersInSlab * PAGE * rowWords;
        }

        int keysWords() {
            return anchorsInSlab * indexPageWords;
        }

        /** Where the slab's rows begin in a host page. */
        int rowsAt() {
            return firstLayer * PAGE * rowWords;
        }

        /** Where the slab's keys begin in a host page. */
        int keysAt() {
            return layers * PAGE * rowWords + firstAnchor * indexPageWords;
        }

        /** Longs of a host page. */
        public int hostPageWords() {
            return layers * PAGE * rowWords + anchors * indexPageWords;
        }

        /** Bytes that must be moved for {@code pages} pages, over the device's memory and the link together. */
        public long floorBytes(int pages) {
            return 16L * pages * (rowsWords() + keysWords());
        }
    }

    /** The definition, layer by layer and anchor by anchor. */
    public static void reference(int pages, Shape shape, int[] block, int[] index, int[] to, long[] slab, long[] host) {
        int layerWords = PAGE * shape.rowWords();
        int blockWords = shape.layersInSlab() * layerWords;
        for (int p = 0; p < pages; p++) {
            int page = to[p] * shape.hostPageWords();
            for (int layer = 0; layer < shape.layersInSlab(); layer++) {
                int from = block[p] * blockWords + layer * layerWords;
                System.arraycopy(slab, from, host, page + (shape.firstLayer() + layer) * layerWords, layerWords);
            }
            int keys = page + shape.layers() * layerWords;
            int indexBlock = index[p] / shape.pagesPerBlock();
            int pageOfBlock = index[p] % shape.pagesPerBlock();
            for (int anchor = 0; anchor < shape.anchorsInSlab(); anchor++) {
                int from = indexBlock * blockWords
                        + (pageOfBlock * shape.anchorsInSlab() + anchor) * shape.indexPageWords();
                int anchorOfAll = shape.firstAnchor() + anchor;
                System.arraycopy(slab, from, host, keys + anchorOfAll * shape.indexPageWords(), shape.indexPageWords());
            }
        }
    }

    /** A row of groups per page. */
    static void copy(
            KernelContext context,
            IntArray pages,
            IntArray block,
            IntArray index,
            IntArray to,
            LongArray slab,
            LongArray host,
            int rowsWords,
            int keysWords,
            int rowsTo,
            int keysTo,
            int hostPageWords,
            int pagesPerBlock) {
        int page = context.groupIdy;
        int end = 0;
        int rowsFrom = 0;
        int keysFrom = 0;
        int into = 0;
        if (page < pages.get(0)) {
            end = rowsWords + keysWords;
            rowsFrom = block.get(page) * rowsWords;
            keysFrom = index.get(page) / pagesPerBlock * rowsWords + index.get(page) % pagesPerBlock * keysWords;
            into = to.get(page) * hostPageWords;
        }
        for (int n = 0; n < EACH; n++) {
            int i = (context.groupIdx * EACH + n) * GROUP + context.localIdx;
            int from = rowsFrom + i;
            int at = into + rowsTo + i;
            if (i >= rowsWords) {
                from = keysFrom + i - rowsWords;
                at = into + keysTo + i - rowsWords;
            }
            // Right under a condition, so that TornadoVM sees that the host pages keep what is not written.
            if (i < end) {
                host.set(at, slab.get(from));
            }
        }
    }

    /** Appends the task for one slab. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray pages,
            IntArray block,
            IntArray index,
            IntArray to,
            LongArray slab,
            LongArray host,
            Shape shape) {
        int words = shape.rowsWords() + shape.keysWords();
        Grids.groups(graph, grids, task, Math.ceilDiv(words, EACH * GROUP), shape.maxPages(), GROUP);
        return graph.task(
                task,
                WriteBack::copy,
                Grids.CONTEXT,
                pages,
                block,
                index,
                to,
                slab,
                host,
                shape.rowsWords(),
                shape.keysWords(),
                shape.rowsAt(),
                shape.keysAt(),
                shape.hostPageWords(),
                shape.pagesPerBlock());
    }
}
