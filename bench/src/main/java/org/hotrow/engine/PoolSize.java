package org.hotrow.engine;

import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.modelloader.ModelConfig;

/** Device blocks for a share of a request's pages. Its index blocks always stay, and below a few blocks nothing decodes. */
public final class PoolSize {
    /** The last two pages, and the one that is being written. */
    private static final int LAST_PAGES = 3;

    private PoolSize() {}

    /**
     * Blocks, the null block and index blocks included.
     *
     * @param percent of the request's pages; 100 is what residency needs
     */
    public static int blocks(ModelConfig config, CacheFormat format, int tokens, int percent) {
        int resident = CacheConfig.residentBlocks(config, format, tokens);
        if (percent == 100) {
            return resident;
        }
        int pages = Block.pages(tokens);
        KvGeometry geometry = CacheConfig.geometry(config, format, resident);
        int index = geometry.indexBlocks(tokens);
        int least = Block.pages(CacheConfig.defaultHotRows(config, 0)) + LAST_PAGES;
        return 1 + index + Math.max(least, pages * percent / 100);
    }
}
