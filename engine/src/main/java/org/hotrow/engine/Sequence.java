package org.hotrow.engine;

import java.util.Arrays;
import java.util.Optional;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.BlockId;
import org.hotrow.allocator.BlockPool;
import org.hotrow.allocator.KvGeometry;

/** The cache of one request: its length in tokens, its row blocks by page and its index blocks. All of it is resident. */
final class Sequence {
    private final BlockPool pool;
    private final int indexTokensPerBlock;
    private int[] blocks = new int[4];
    private int blockCount;
    private int[] indexBlocks = new int[1];
    private int indexBlockCount;
    private int length;

    Sequence(BlockPool pool, KvGeometry geometry) {
        this.pool = pool;
        indexTokensPerBlock = geometry.indexTokensPerBlock();
    }

    /** Tokens whose rows are in the cache or reserved. */
    int length() {
        return length;
    }

    /** Reserves rows for {@code tokens} more tokens; false, with nothing taken for the tokens, when the pool is empty. */
    boolean extend(int tokens) {
        int end = length + tokens;
        while (blockCount * Block.TOKENS < end) {
            Optional<BlockId> block = pool.take();
            if (block.isEmpty()) {
                return false;
            }
            blocks = append(blocks, blockCount++, block.get());
        }
        while ((long) indexBlockCount * indexTokensPerBlock < end) {
            Optional<BlockId> block = pool.take();
            if (block.isEmpty()) {
                return false;
            }
            indexBlocks = append(indexBlocks, indexBlockCount++, block.get());
        }
        length = end;
        return true;
    }

    /** The row id of {@code position}, as the plain int that step arrays hold. */
    int row(int position) {
        return blocks[position / Block.TOKENS] * Block.TOKENS + position % Block.TOKENS;
    }

    /** The index block of {@code position}. */
    int indexBlock(int position) {
        return indexBlocks[position / indexTokensPerBlock];
    }

    /** The page of {@code position} in its index block. */
    int indexPage(int position) {
        return position % indexTokensPerBlock / Block.TOKENS;
    }

    void copyTables(int[] blockTable, int blocksAt, int maxPages, int[] indexTable, int indexAt, int maxIndexBlocks) {
        if (blockCount > maxPages || indexBlockCount > maxIndexBlocks) {
            throw new IllegalStateException(blockCount + " pages and " + indexBlockCount + " index blocks in tables of "
                    + maxPages + " and " + maxIndexBlocks);
        }
        System.arraycopy(blocks, 0, blockTable, blocksAt, blockCount);
        System.arraycopy(indexBlocks, 0, indexTable, indexAt, indexBlockCount);
    }

    private static int[] append(int[] list, int count, BlockId block) {
        int[] longer = count < list.length ? list : Arrays.copyOf(list, 2 * count);
        longer[count] = block.value();
        return longer;
    }
}
