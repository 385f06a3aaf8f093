package org.hotrow.bench;

import java.util.stream.IntStream;
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
    /** What the cache's memory is cut into. */
    enum Layout {
        /**
         * The published system's by the calculator's constants (hisparse.md 1.4, 2.2), rows of 576 bytes. Hybrid: a block
         * of 184,320 bytes is a 64-token page of the rows of up to five layers, or of all index keys; 20 pairs of such
         * blocks hold the rows of a page. That is as much as one block of 20 * 184,320 bytes here: 100 layers of 576-byte
         * rows, or 20 index pages. Otherwise a block of 3,052,800 bytes holds rows and index keys of a page: here rows of
         * four layers, rounded up to longs, and index pages of nothing.
         */
        PUBLISHED(576),
        /** Ours: blocks of all layers' rows of 656 bytes. */
        OURS(656);

        private final int rowBytes;

        Layout(int rowBytes) {
            this.rowBytes = rowBytes;
        }
    }

    private static final int PUBLISHED_UNIT_BYTES = 184_320;
    private static final int PUBLISHED_PAIRS = 20;
    private static final int PUBLISHED_PAGE_BYTES = 3_052_800;
    private static final int INDEX_PAGE_BYTES = Block.TOKENS * H200Node.INDEX_KEY_BYTES;
    /** Pages that a step may copy to the host: those of the longest request, 142K tokens (hisparse.md 1.7, 2.1). */
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

    /** Rows of a hot region: two selections, with drafts five (hisparse.md 1.5). */
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

    /** Whether a prompt's chunk brings all rows before it back at once (hisparse.md 1.9), or those that tokens select. */
    boolean stagesPrefix() {
        return layout == Layout.PUBLISHED;
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
        return switch (layout) {
            case OURS -> (mtp ? LayerMap.GLM_5_3_MTP : LayerMap.GLM_5_3).geometryIn(pool);
            case PUBLISHED -> policy.losesPages() ? publishedHybrid(pool) : publishedResident(pool);
        };
    }

    private static KvGeometry publishedHybrid(long pool) {
        int layers = PUBLISHED_PAIRS * PUBLISHED_UNIT_BYTES / (Block.TOKENS * Layout.PUBLISHED.rowBytes);
        var anchors = IntStream.range(0, H200Node.ANCHORS).boxed().toList();
        long blocks = pool / (PUBLISHED_PAIRS * PUBLISHED_UNIT_BYTES);
        return KvGeometry.of(
                layers, anchors, Layout.PUBLISHED.rowBytes, INDEX_PAGE_BYTES, Math.toIntExact(blocks));
    }

    private static KvGeometry publishedResident(long pool) {
        int layers = 4;
        int tokenBytes = PUBLISHED_PAGE_BYTES / Block.TOKENS;
        int rowBytes = Math.ceilDiv(tokenBytes / layers, Long.BYTES) * Long.BYTES;
        long blocks = pool / PUBLISHED_PAGE_BYTES;
        return KvGeometry.of(
                layers, IntStream.of(0).boxed().toList(), rowBytes, Long.BYTES, Math.toIntExact(blocks));
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
