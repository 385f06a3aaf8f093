package org.hotrow.allocator;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Where every row and index page of the KV tensor lies.
 *
 * <p>The tensor is a few slabs. Each stores a run of consecutive layers for all blocks, in at most 2^31 - 32 longs
 * because a GPU array is indexed by int. A block of the pool holds either rows, or index pages of all anchors; an
 * anchor's pages lie in the slab of its rows.
 *
 * <pre>
 * slab               [blocks][slab block]
 * block of rows      [layersIn][64][row bytes]
 * index block        [pagesPerIndexBlock][anchors in slab][index page bytes], then unused bytes
 * </pre>
 *
 * {@link LayerSplit} chooses how the layers are cut into slabs. The pages per index block are those of the slab that
 * holds the fewest.
 */
public final class KvGeometry {
    private static final long MAX_SLAB_LONGS = (1L << 31) - 32;
    private static final int MAX_LAYERS = 1024;
    private static final int NO_ANCHOR = -1;
    /** The last two pages of a running request, and the one that it opens next. */
    private static final int STEADY_PAGES = 3;

    private final int rowBytes;
    private final int indexPageBytes;
    private final int blocks;
    private final int pagesPerIndexBlock;
    /** First layer of each slab, then the number of layers. */
    private final int[] firstLayer;

    private final int[] slabOfLayer;
    /** Number of an anchor among the anchors of its slab. */
    private final int[] anchorInSlab;

    private final int[] anchorsIn;

    /**
     * The geometry of a pool.
     *
     * @param layers layers that keep rows, the MTP layer included
     * @param anchorLayers the layers that keep index keys, ascending
     * @param rowBytes bytes of a row, a multiple of 8
     * @param indexPageBytes bytes of an index page of one anchor, a multiple of 8
     * @param blocks blocks of the pool, the null block included
     * @throws IllegalArgumentException if the pool is too large for one layer per slab, or a block too small for one
     *     index page of every anchor
     */
    public static KvGeometry of(int layers, List<Integer> anchorLayers, int rowBytes, int indexPageBytes, int blocks) {
        requireInRange("layers", layers, 1, MAX_LAYERS);
        requireInRange("blocks (block 0 is null)", blocks, 2, Integer.MAX_VALUE);
        requireWholeLongs("row", rowBytes);
        requireWholeLongs("index page", indexPageBytes);
        boolean[] anchor = anchors(layers, anchorLayers);

        long rowBlockBytes = (long) Block.TOKENS * rowBytes;
        long mostBlocks = mostBlocks(rowBytes);
        if (blocks > mostBlocks) {
            throw new IllegalArgumentException("pool of " + blocks + " blocks: one layer of " + rowBytes
                    + "-byte rows fills a slab of " + MAX_SLAB_LONGS + " longs with " + mostBlocks
                    + " blocks; use at most that many");
        }
        int longestRun = (int) Math.min(layers, mostBlocks / blocks);
        var split = new LayerSplit(anchor, longestRun, rowBlockBytes, indexPageBytes);
        return new KvGeometry(split.lengths(), anchor, rowBytes, indexPageBytes, blocks);
    }

    /** Blocks of the largest pool: those that fill a slab with the rows of one layer. */
    public static long mostBlocks(int rowBytes) {
        requireWholeLongs("row", rowBytes);
        return MAX_SLAB_LONGS / ((long) Block.TOKENS * rowBytes / Long.BYTES);
    }

    private KvGeometry(int[] layersIn, boolean[] anchor, int rowBytes, int indexPageBytes, int blocks) {
        this.rowBytes = rowBytes;
        this.indexPageBytes = indexPageBytes;
        this.blocks = blocks;
        firstLayer = new int[layersIn.length + 1];
        anchorsIn = new int[layersIn.length];
        slabOfLayer = new int[anchor.length];
        anchorInSlab = new int[anchor.length];
        // At most so many that indexTokensPerBlock is an int.
        long pages = Integer.MAX_VALUE / Block.TOKENS;
        for (int slab = 0; slab < layersIn.length; slab++) {
            firstLayer[slab + 1] = firstLayer[slab] + layersIn[slab];
            for (int layer = firstLayer[slab]; layer < firstLayer[slab + 1]; layer++) {
                slabOfLayer[layer] = slab;
                anchorInSlab[layer] = anchor[layer] ? anchorsIn[slab]++ : NO_ANCHOR;
            }
            if (anchorsIn[slab] > 0) {
                pages = Math.min(pages, blockBytes(slab) / ((long) anchorsIn[slab] * indexPageBytes));
            }
            if (pages == 0) {
                throw new IllegalArgumentException("block of " + layersIn[slab] + " layers x 64 rows x " + rowBytes
                        + " bytes: does not hold one index page of " + indexPageBytes + " bytes of each of its "
                        + anchorsIn[slab] + " anchors; use a smaller index dtype");
            }
        }
        pagesPerIndexBlock = (int) pages;
    }

    /** Number of slabs. */
    public int slabs() {
        return anchorsIn.length;
    }

    /** The slab that stores a layer. */
    public int slabOf(int layer) {
        return slabOfLayer[layer];
    }

    /** A layer's number in its slab. */
    public int layerInSlab(int layer) {
        return layer - firstLayer[slabOf(layer)];
    }

    /** The first layer that a slab stores. */
    public int firstLayer(int slab) {
        return firstLayer[slab];
    }

    /** Number of layers that a slab stores. */
    public int layersIn(int slab) {
        return firstLayer[slab + 1] - firstLayer[slab];
    }

    /** Bytes of one block in a slab. */
    public long blockBytes(int slab) {
        return (long) layersIn(slab) * Block.TOKENS * rowBytes;
    }

    /** Bytes of a slab. */
    public long slabBytes(int slab) {
        return blocks * blockBytes(slab);
    }

    /** Bytes of all slabs. */
    public long bytes() {
        long bytes = 0;
        for (int slab = 0; slab < slabs(); slab++) {
            bytes += slabBytes(slab);
        }
        return bytes;
    }

    /** Index pages of each anchor in an index block. */
    public int pagesPerIndexBlock() {
        return pagesPerIndexBlock;
    }

    /** Tokens whose index keys an index block holds. */
    public int indexTokensPerBlock() {
        return pagesPerIndexBlock * Block.TOKENS;
    }

    /** All blocks, the null block included. */
    public int blocks() {
        return blocks;
    }

    /** Layers that keep rows. */
    public int layers() {
        return slabOfLayer.length;
    }

    /** Layers that keep index keys. */
    public int anchors() {
        return Arrays.stream(anchorsIn).sum();
    }

    /** The layers that keep index keys, ascending. */
    public List<Integer> anchorLayers() {
        return IntStream.range(0, layers())
                .filter(layer -> anchorInSlab[layer] != NO_ANCHOR)
                .boxed()
                .toList();
    }

    /** Number of anchors that a slab stores. */
    public int anchorsIn(int slab) {
        return anchorsIn[slab];
    }

    /** Number of anchors in the slabs before this one. */
    public int firstAnchor(int slab) {
        return Arrays.stream(anchorsIn, 0, slab).sum();
    }

    /** An anchor's number among all anchors. */
    int anchorNumber(int anchorLayer) {
        return firstAnchor(slabOf(anchorLayer)) + anchorInSlab(anchorLayer);
    }

    /**
     * An anchor's number among the anchors of its slab.
     *
     * @throws IllegalArgumentException if the layer is no anchor
     */
    public int anchorInSlab(int layer) {
        if (anchorInSlab[layer] == NO_ANCHOR) {
            throw new IllegalArgumentException("layer " + layer + " is no index anchor, it has no index pages");
        }
        return anchorInSlab[layer];
    }

    /** Bytes of a row of one layer. */
    public int rowBytes() {
        return rowBytes;
    }

    /** Bytes of an index page of one anchor. */
    public int indexPageBytes() {
        return indexPageBytes;
    }

    /** Bytes of a page of the host pool: 64 rows of every layer and an index page of every anchor. */
    public long hostPageBytes() {
        return (long) layers() * Block.TOKENS * rowBytes + (long) anchors() * indexPageBytes;
    }

    /** Index blocks that hold the keys of so many tokens. */
    public int indexBlocks(int tokens) {
        return Math.ceilDiv(tokens, indexTokensPerBlock());
    }

    /**
     * Blocks that a request of {@code tokens} tokens can't do without when the host holds what it has lost: its index
     * blocks, and either all its pages or a hot region, the last two pages and the one that it opens next.
     *
     * @param hotRows rows of a hot region
     */
    public int steadyBlocks(int tokens, int hotRows) {
        return indexBlocks(tokens) + (needsLess(tokens, hotRows) ? steadyPages(hotRows) : Block.pages(tokens));
    }

    /** Whether a request of {@code tokens} tokens takes fewer blocks with a hot region than with all its pages. */
    static boolean needsLess(int tokens, int hotRows) {
        return steadyPages(hotRows) < Block.pages(tokens);
    }

    private static int steadyPages(int hotRows) {
        return Block.pages(hotRows) + STEADY_PAGES;
    }

    /** Blocks of the smallest pool, null block included, in which a request of {@code tokens} tokens can run. */
    public int smallestPool(int tokens, int hotRows) {
        return 1 + steadyBlocks(tokens, hotRows);
    }

    /** Requests of {@code tokens} tokens that the allocator admits at once, the host pool being large enough. */
    public int seats(int tokens, int hotRows) {
        return (blocks - 1) / steadyBlocks(tokens, hotRows);
    }

    /** Byte offset of a layer's row in the slab of that layer; {@code rowId} must not be masked. */
    public long rowOffset(int layer, int rowId) {
        int row = Objects.checkIndex(rowId, blocks * Block.TOKENS);
        long layerOfBlock = (long) (row / Block.TOKENS) * layersIn(slabOf(layer)) + layerInSlab(layer);
        return (layerOfBlock * Block.TOKENS + row % Block.TOKENS) * rowBytes;
    }

    /** Byte offset, in the anchor's slab, of page {@code page} of {@link #pagesPerIndexBlock} of an index block. */
    public long indexPageOffset(int anchorLayer, int block, int page) {
        Objects.checkIndex(block, blocks);
        Objects.checkIndex(page, pagesPerIndexBlock);
        int anchor = anchorInSlab(anchorLayer);
        int slab = slabOf(anchorLayer);
        return block * blockBytes(slab) + ((long) page * anchorsIn[slab] + anchor) * indexPageBytes;
    }

    private static boolean[] anchors(int layers, List<Integer> anchorLayers) {
        boolean[] anchor = new boolean[layers];
        int previous = -1;
        for (int layer : anchorLayers) {
            if (layer <= previous || layer >= layers) {
                throw new IllegalArgumentException(
                        "anchor layers " + anchorLayers + ": expected ascending layers of 0 to " + (layers - 1));
            }
            anchor[layer] = true;
            previous = layer;
        }
        if (previous < 0) {
            throw new IllegalArgumentException("no anchor layers: sparse attention needs at least one");
        }
        return anchor;
    }

    private static void requireInRange(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + ": " + value + ", expected " + least + " to " + most);
        }
    }

    private static void requireWholeLongs(String what, int bytes) {
        if (bytes < Long.BYTES || bytes % Long.BYTES != 0) {
            throw new IllegalArgumentException(what + " of " + bytes + " bytes: expected a positive multiple of 8");
        }
    }
}
