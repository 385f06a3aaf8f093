package org.hotrow.engine;

import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.PageState;
import org.hotrow.allocator.Residency;

/**
 * Where the pages of one running request are, and what the cache has done so far.
 *
 * @param pages state of each page of 64 tokens, from the first token on
 * @param hotBlocks blocks of its hot region; 0 while no page was lost
 * @param indexBlocks blocks of its index keys
 * @param freeBlocks blocks of the pool that nobody holds
 * @param blocks blocks of the pool, the null block included
 * @param counters of the whole cache
 */
public record KvSnapshot(
        List<PageState> pages, int hotBlocks, int indexBlocks, int freeBlocks, int blocks, CacheCounters counters) {
    public KvSnapshot {
        pages = List.copyOf(pages);
    }

    static KvSnapshot of(Residency residency, Allocator allocator, KvGeometry geometry, CacheCounters counters) {
        return new KvSnapshot(
                IntStream.range(0, residency.pages()).mapToObj(residency::page).toList(),
                residency.hotBlocks(),
                residency.indexBlocks(),
                allocator.freeBlocks(),
                geometry.blocks(),
                counters);
    }
}
