package org.hotrow.allocator;

/** What a block of the pool is: the rows of 64 tokens, in every layer at once, or the index pages of many more. */
public final class Block {
    /** Tokens of a block of rows, and of one index page. */
    public static final int TOKENS = 64;

    /** Pages that hold so many tokens. */
    public static int pages(int tokens) {
        return Math.ceilDiv(tokens, TOKENS);
    }

    private Block() {}
}
