package org.hotrow.allocator;

import java.util.Optional;

/**
 * The blocks of the KV tensor, handed out one after another and never taken back. Block 0 is null and stays here.
 *
 * <p>One thread owns the pool.
 */
public final class BlockPool {
    private final int total;
    private int next = 1;

    /** A pool of {@code total} blocks, the null block included; 2 or more. */
    public BlockPool(int total) {
        if (total < 2) {
            throw new IllegalArgumentException(
                    "pool of " + total + " blocks: expected at least 2, because block 0 is null");
        }
        this.total = total;
    }

    /** The next block, or empty when all are handed out. */
    public Optional<BlockId> take() {
        return next < total ? Optional.of(new BlockId(next++)) : Optional.empty();
    }

    /** Blocks that can still be taken. */
    public int free() {
        return total - next;
    }

    /** All blocks, the null block included. */
    public int total() {
        return total;
    }
}
