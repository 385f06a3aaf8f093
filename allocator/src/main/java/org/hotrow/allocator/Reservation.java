package org.hotrow.allocator;

/**
 * What the admitted requests hold in their steady state. A request that takes fewer blocks with a hot region counts with
 * those on the device and with all its pages on the host; one that doesn't, or that the host has no room for, counts
 * with all its pages on the device. Shared blocks count for everyone who shares them.
 */
final class Reservation {
    private final AllocatorConfig config;
    private long blocks;
    private long hostPages;
    /** Host pages of those that count on them, which they have not taken yet. */
    private long owedHostPages;

    Reservation(AllocatorConfig config) {
        this.config = config;
    }

    /** Adds a request as the policy counts it; true if it counts on the host. */
    boolean add(KvRequest request) {
        int copied = request.residency == null ? 0 : request.residency.nextCopy;
        return add(config.policy().reservesAll() ? request.maxLength() : request.known(), copied);
    }

    /**
     * Adds a request of so many tokens.
     *
     * @param copied host pages that it has or that copies are on their way to
     */
    boolean add(int tokens, int copied) {
        KvGeometry geometry = config.geometry();
        int pages = Block.pages(tokens);
        boolean onHost = config.policy().losesPages()
                && KvGeometry.needsLess(tokens, config.hotRows())
                && hostPages + pages <= config.hostPages();
        if (onHost) {
            blocks += geometry.steadyBlocks(tokens, config.hotRows());
            hostPages += pages;
            owedHostPages += pages - copied;
        } else {
            blocks += geometry.indexBlocks(tokens) + pages;
            hostPages += copied;
        }
        return onHost;
    }

    boolean fits() {
        return blocks <= config.geometry().blocks() - 1;
    }

    /** Blocks of a pool that the requests would fit, the null block included. */
    long pool() {
        return blocks + 1;
    }

    long owedHostPages() {
        return owedHostPages;
    }
}
