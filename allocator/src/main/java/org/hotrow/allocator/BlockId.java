package org.hotrow.allocator;

/**
 * A block of the pool: 64 tokens of rows, in every layer at once. Block 0 is null and is never handed out.
 *
 * @param value index in the pool, 0 or more
 */
public record BlockId(int value) {
    /** The block that no token lives in; a table entry of 0 means lost or absent. */
    public static final BlockId NULL = new BlockId(0);

    public BlockId {
        if (value < 0) {
            throw new IllegalArgumentException("block id " + value + " is negative");
        }
    }
}
