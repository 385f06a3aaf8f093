package org.hotrow.allocator;

/**
 * A token's row in every layer: {@code block * 64 + offset}. -1 is no row and masks its place in a list.
 *
 * @param value the id, or -1; ids of the null block are no rows
 */
public record RowId(int value) {
    /** No row: attention skips it. */
    public static final RowId MASKED = new RowId(-1);

    public RowId {
        if (value != -1 && value < Block.TOKENS) {
            throw new IllegalArgumentException(
                    "row id " + value + ": expected -1, or at least " + Block.TOKENS + " since block 0 is null");
        }
    }

    /** The row of the token at {@code offset} (0..63) in a block other than the null block. */
    public static RowId of(BlockId block, int offset) {
        long value = (long) block.value() * Block.TOKENS + offset;
        if (offset < 0 || offset >= Block.TOKENS || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("row " + offset + " of block " + block.value()
                    + ": expected an offset of 0 to 63 and an id below 2^31");
        }
        return new RowId((int) value);
    }

    /** The block that holds the row; a masked id has none. */
    public BlockId block() {
        return new BlockId(row() / Block.TOKENS);
    }

    /** The row's place in its block, 0..63; a masked id has none. */
    public int offset() {
        return row() % Block.TOKENS;
    }

    private int row() {
        if (value < 0) {
            throw new IllegalStateException("row id -1 names no row");
        }
        return value;
    }
}
