package org.hotrow.allocator;

/**
 * What a request counts with in its steady state: with a hot region on the device and all its pages on the host, if that
 * takes fewer blocks and the host has room, else with all its pages on the device. Blocks and pages that it shares count
 * in full.
 *
 * @param onHost whether it counts on the host
 * @param hostPages pages of the host: all of its own if it counts on the host, else those that it has or that copies are
 *     on their way to
 * @param owedHostPages those among them that it has not taken yet
 */
record Claim(boolean onHost, int blocks, int hostPages, int owedHostPages) {
    /** The claim of a request that has no seat. */
    static final Claim NONE = new Claim(false, 0, 0, 0);

    /** The claim when {@code pages} more copies are on their way, or fewer. */
    Claim copied(int pages) {
        return onHost
                ? new Claim(true, blocks, hostPages, owedHostPages - pages)
                : new Claim(false, blocks, hostPages + pages, 0);
    }
}
