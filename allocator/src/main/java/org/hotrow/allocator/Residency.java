package org.hotrow.allocator;

import java.util.BitSet;
import java.util.Objects;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;

/**
 * Where the rows and index keys of one seated request are. Pages are numbered from its first token on.
 *
 * <pre>
 *            0 ...... unpinned ...... durable ............ pages
 * device     lost or     pinned, the block is referenced
 *            readable
 * host       complete                 | some complete, some copying, some dirty
 *                                       the last page grows
 * </pre>
 *
 * The tables only grow; an entry of the block table becomes 0 when another owner takes the block. Without a hot region
 * {@code unpinned} is 0. The page of the next token and the one before it are pinned.
 */
public final class Residency {
    final KvRequest request;
    final int seat;
    /** Tokens whose rows are settled. */
    int length;

    final IntArrayList blocks = new IntArrayList();
    /** What names the content of a block: see {@link RefQueue#generation}. */
    final IntArrayList generations = new IntArrayList();
    /** Completed copies; 0 = none. */
    final IntArrayList hostPages = new IntArrayList();

    final IntArrayList indexBlocks = new IntArrayList();
    final IntArrayList indexGenerations = new IntArrayList();
    final IntArrayList hotBlocks = new IntArrayList();

    /** Pages whose copy is on its way. */
    final BitSet copying = new BitSet();
    /** Pages before it are on the host, without a gap. */
    int durable;
    /** Pages before it hold no reference to their block. */
    int unpinned;
    /** Pages before it have a copy or are copying, but for those that failed. */
    int nextCopy;
    /** Pages whose copy failed. */
    final BitSet failed = new BitSet();

    /** What it counts with in the running total. */
    Claim claim = Claim.NONE;
    /** Pages that it is known to offer in {@link KvState#spillable}. */
    int offered;

    /** Pages that the tables of the last step had. */
    int tablePages;
    /** Pages among them whose entries changed since. */
    final BitSet edited = new BitSet();
    /** The hot map starts empty in the next step. */
    boolean resetHot;

    boolean ended;
    /** Ended without publishing what is still on its way. */
    boolean abandoned;

    Residency(KvRequest request, int seat) {
        this.request = request;
        this.seat = seat;
        resetHot = true;
    }

    /** The number that names this request in the tables of a step; its own while it is seated. */
    public int seat() {
        return seat;
    }

    /** Pages in the tables. */
    public int pages() {
        return blocks.size();
    }

    /** Index blocks in the table. */
    public int indexBlocks() {
        return indexBlocks.size();
    }

    /** Blocks of the hot region; 0 while the request is full. */
    public int hotBlocks() {
        return hotBlocks.size();
    }

    /** Where a page is. */
    public PageState page(int page) {
        Objects.checkIndex(page, pages());
        if (page < unpinned) {
            return blocks.get(page) == 0 ? PageState.LOST : PageState.UNPINNED;
        }
        if (hostPages.get(page) != 0) {
            return PageState.CLEAN;
        }
        return copying.get(page) ? PageState.COPYING : PageState.DIRTY;
    }

    /** Where its pages are on the whole. */
    public ResidencyState state() {
        if (hotBlocks.isEmpty()) {
            return ResidencyState.FULL;
        }
        for (int page = 0; page < unpinned; page++) {
            if (blocks.get(page) != 0) {
                return ResidencyState.MIXED;
            }
        }
        return unpinned == 0 ? ResidencyState.MIXED : ResidencyState.HOST_ONLY_PREFIX;
    }

    /** The device row of a position whose page is on the device. */
    public RowId row(int position) {
        return RowId.of(new BlockId(blocks.get(position / Block.TOKENS)), position % Block.TOKENS);
    }

    /** Copies the block table to {@code table[at ..]}: a block per page, 0 = lost. */
    public void copyBlocks(int[] table, int at) {
        copy(blocks, table, at);
    }

    /** Copies the host table to {@code table[at ..]}: a host page per page, 0 = no completed copy. */
    public void copyHostPages(int[] table, int at) {
        copy(hostPages, table, at);
    }

    /** Copies the index table to {@code table[at ..]}. */
    public void copyIndexBlocks(int[] table, int at) {
        copy(indexBlocks, table, at);
    }

    /** Copies the blocks of the hot region to {@code table[at ..]}; none while the request is full. */
    public void copyHotBlocks(int[] table, int at) {
        copy(hotBlocks, table, at);
    }

    private static void copy(IntArrayList from, int[] table, int at) {
        for (int i = 0; i < from.size(); i++) {
            table[at + i] = from.get(i);
        }
    }

    /** The page of the next token and the one before it never leave: pages before this one may. */
    int unpinLimit() {
        return Math.max(0, Math.min(durable, length / Block.TOKENS - 1));
    }

    /** Pages that it could let go of for a hot region; 0 when it has one. */
    int spillablePages() {
        return ended || !hotBlocks.isEmpty() ? 0 : unpinLimit();
    }

    /** Host pages that it has or that copies are on their way to. */
    int copied() {
        return nextCopy - failed.cardinality();
    }

    /** Whether a sealed page has no copy and none is on its way. */
    boolean isBehind() {
        return !ended && (nextCopy < length / Block.TOKENS || !failed.isEmpty());
    }

    /** Whether a page may still be published when its request has ended. */
    boolean willPublish(int page) {
        return !abandoned && page >= durable && (copying.get(page) || hostPages.get(page) != 0);
    }

    void append(int block, int generation, int hostPage) {
        blocks.add(block);
        generations.add(generation);
        hostPages.add(hostPage);
    }
}
