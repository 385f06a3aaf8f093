package org.hotrow.bench;

import java.util.List;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.PublishedSeats;

/**
 * A way to serve GLM-5.3 on the {@link H200Node}: whose blocks, what happens when they run out, with drafts or without.
 *
 * @param mtp three speculative tokens per step
 */
record Serving(Layout layout, KvPolicy policy, boolean mtp) {
    /**
     * What the cache's memory is cut into. The published system's: in hybrid mode a block holds a 64-token page of the rows
     * of up to five layers, or of all index keys; 20 pairs of such blocks hold the rows of a page. 20 of them are one block
     * here, and 20 index pages. Otherwise a block holds rows and index keys of a page, and here an index block that holds
     * nothing is long enough for any request. The allocator only counts blocks, so the bytes of those geometries are made
     * up.
     */
    enum Layout {
        /** By the constants of vLLM's concurrency calculator: 184,320 and 3,052,800 bytes a block. */
        PUBLISHED(576),
        /** With the rows that attention on an H200 reads: 209,920 and 3,452,160 bytes a block. */
        PUBLISHED_656(656),
        /** Ours: blocks of all layers' rows. */
        OURS(656);

        private final int rowBytes;

        Layout(int rowBytes) {
            this.rowBytes = rowBytes;
        }
    }

    private static final int PUBLISHED_PAIRS = 20;
    private static final int PUBLISHED_PAIR_LAYERS = 5;
    private static final int INDEX_PAGE_BYTES = Block.TOKENS * H200Node.INDEX_KEY_BYTES;
    /** Pages that a step may copy to the host: those of the longest request, 142K tokens. */
    private static final int COPIES_PER_STEP = 142_000 / Block.TOKENS;

    /** What the allocator manages on one GPU. */
    AllocatorConfig config() {
        return new AllocatorConfig(
                geometry(),
                policy,
                hotRows(),
                H200Node.TOP_K,
                Math.toIntExact(hostPages()),
                H200Node.MAX_SEQUENCES,
                COPIES_PER_STEP,
                0);
    }

    /** Rows of a hot region: two selections, with drafts five. */
    int hotRows() {
        return (mtp ? 2 + H200Node.DRAFTS : 2) * H200Node.TOP_K;
    }

    /** How long its steps take. */
    StepTime stepTime() {
        return new StepTime(policy.losesPages(), mtp ? H200Node.DRAFTS : 0, layout.rowBytes);
    }

    /** Tokens that a decoding request gets in a step. */
    double tokensPerStep() {
        return mtp ? H200Node.ACCEPTED : 1;
    }

    /** Whether a prompt's chunk brings all rows before it back at once, or those that tokens select. */
    boolean stagesPrefix() {
        return layout != Layout.OURS;
    }

    /** Bytes of a page's rows, all layers. */
    long rowPageBytes() {
        return (long) H200Node.LAYERS * Block.TOKENS * layout.rowBytes;
    }

    /** Bytes of a page's index keys, all anchors. */
    long indexPageBytes() {
        return (long) H200Node.ANCHORS * INDEX_PAGE_BYTES;
    }

    private KvGeometry geometry() {
        long pool = PublishedSeats.poolBytes();
        if (layout == Layout.OURS) {
            return (mtp ? LayerMap.GLM_5_3_MTP : LayerMap.GLM_5_3).geometryIn(pool);
        }
        return policy.losesPages() ? publishedHybrid(pool) : publishedResident(pool);
    }

    private KvGeometry publishedHybrid(long pool) {
        long pairBytes = (long) PUBLISHED_PAIR_LAYERS * Block.TOKENS * layout.rowBytes;
        int blocks = Math.toIntExact(pool / (PUBLISHED_PAIRS * pairBytes));
        return KvGeometry.of(PUBLISHED_PAIRS, List.of(0), Long.BYTES, Block.TOKENS * Long.BYTES, blocks);
    }

    private KvGeometry publishedResident(long pool) {
        int blocks = Math.toIntExact(pool / (rowPageBytes() + indexPageBytes()));
        return KvGeometry.of(1, List.of(0), Block.TOKENS * Long.BYTES, Long.BYTES, blocks);
    }

    private long hostPages() {
        if (!policy.usesHost()) {
            return 0;
        }
        return policy.losesPages()
                ? Math.min(H200Node.HOST_ROW_BYTES / rowPageBytes(), H200Node.HOST_INDEX_BYTES / indexPageBytes())
                : H200Node.HOST_OFFLOAD_BYTES / (rowPageBytes() + indexPageBytes());
    }
}
