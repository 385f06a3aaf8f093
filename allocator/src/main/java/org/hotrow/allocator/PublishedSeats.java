package org.hotrow.allocator;

/**
 * Seats of GLM-5.2 and 5.3 by the published formula of the vLLM concurrency calculator, to compare ours with: 78 layers, 21
 * of them with an indexer, fp8, eight H200 with the weights split among them, which leaves 17.8 GiB of cache on each.
 *
 * <pre>
 * resident   pool / (pages(L) * resident page bytes)
 * hybrid     (pool / block bytes) / (pages(L) + 20 * pages(hot) + 20 * 2)
 * </pre>
 *
 * One block is an index page of all 21 anchors, rounded up to whole rows; 20 pairs of such blocks hold a page of all
 * layers, and each pair keeps two pages resident.
 */
public enum PublishedSeats {
    /** Rows of 576 bytes: the calculator's constants. */
    ROW_576(184_320, 3_052_800),
    /** Rows of 656 bytes, which the attention kernels of an H200 read: the same formula. */
    ROW_656(209_920, 3_452_160);

    /** 17.8 GiB. */
    private static final long POOL_BYTES = (long) (17.8 * (1 << 30));

    private static final int PAIRS = 20;
    private static final int TAIL_PAGES = 2;

    private final int blockBytes;
    private final int residentPageBytes;

    PublishedSeats(int blockBytes, int residentPageBytes) {
        this.blockBytes = blockBytes;
        this.residentPageBytes = residentPageBytes;
    }

    /** Bytes of the pool. */
    public static long poolBytes() {
        return POOL_BYTES;
    }

    /** Seats when all rows stay on the device. */
    public long resident(int tokens) {
        return POOL_BYTES / residentPageBytes / Block.pages(tokens);
    }

    /** Seats when the host holds the rows and a request keeps a hot region of {@code hotRows} rows. */
    public long hybrid(int tokens, int hotRows) {
        return POOL_BYTES / blockBytes / (Block.pages(tokens) + PAIRS * (Block.pages(hotRows) + TAIL_PAGES));
    }
}
