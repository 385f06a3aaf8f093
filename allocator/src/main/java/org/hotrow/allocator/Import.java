package org.hotrow.allocator;

import java.lang.foreign.MemorySegment;

/**
 * Rows and index keys of a request's first tokens that exist outside of the cache, byte for byte as the device has them.
 * The allocator counts them and says where they go; the engine brings them there.
 */
public interface Import {
    /** Tokens, from the first one on. */
    int tokens();

    /** Fills {@code target} with rows of one layer, from the first token of a page on; they may go on behind the page. */
    void readRows(int layer, int page, MemorySegment target);

    /** Puts the keys of the first {@code count} tokens of a page where an index page of an anchor has them. */
    void readKeys(int anchorLayer, int page, int count, MemorySegment target);
}
