package org.hotrow.allocator;

/** The sum of the claims of some requests. */
record Reservation(long blocks, long hostPages, long owedHostPages) {
    /** No claims. */
    static final Reservation NONE = new Reservation(0, 0, 0);

    Reservation plus(Claim claim) {
        return new Reservation(
                blocks + claim.blocks(), hostPages + claim.hostPages(), owedHostPages + claim.owedHostPages());
    }

    Reservation minus(Claim claim) {
        return new Reservation(
                blocks - claim.blocks(), hostPages - claim.hostPages(), owedHostPages - claim.owedHostPages());
    }

    /**
     * The claim of one more request, of so many tokens.
     *
     * @param copied host pages that it has or that copies are on their way to
     */
    Claim claim(AllocatorConfig config, int tokens, int copied) {
        KvGeometry geometry = config.geometry();
        int pages = Block.pages(tokens);
        boolean onHost = config.policy().losesPages()
                && KvGeometry.needsLess(tokens, config.hotRows())
                && hostPages + pages <= config.hostPages();
        return onHost
                ? new Claim(true, geometry.steadyBlocks(tokens, config.hotRows()), pages, pages - copied)
                : new Claim(false, geometry.indexBlocks(tokens) + pages, copied, 0);
    }

    boolean fits(KvGeometry geometry) {
        return pool() <= geometry.blocks();
    }

    /** Blocks of a pool that the requests would fit, the null block included. */
    long pool() {
        return blocks + 1;
    }
}
