package org.hotrow.allocator;

/**
 * What an {@link Allocator} manages.
 *
 * @param geometry the pool and its blocks
 * @param policy what happens when blocks run out
 * @param hotRows rows of a hot region ({@code device_buffer_size}), rounded up to whole blocks
 * @param topK positions that attention selects per token; a hot region holds at least these
 * @param hostPages pages of the host pool; 0 for a policy without one
 * @param seats requests that run at once
 * @param copiesPerStep most pages that one step copies to the host
 * @param stagingBlocks blocks that a prefill step over lost pages may take beside its hot region, if they are free
 * @param drafting whether rows depend on the token behind them too, as those of a layer do that drafts: the hash of a page
 *     doesn't cover what is behind its last row, so a prefix hit leaves out the last page that it finds
 */
public record AllocatorConfig(
        KvGeometry geometry,
        KvPolicy policy,
        int hotRows,
        int topK,
        int hostPages,
        int seats,
        int copiesPerStep,
        int stagingBlocks,
        boolean drafting) {
    /** An allocator whose rows depend on the tokens before them only. */
    public AllocatorConfig(
            KvGeometry geometry,
            KvPolicy policy,
            int hotRows,
            int topK,
            int hostPages,
            int seats,
            int copiesPerStep,
            int stagingBlocks) {
        this(geometry, policy, hotRows, topK, hostPages, seats, copiesPerStep, stagingBlocks, false);
    }

    public AllocatorConfig {
        if (topK < 1 || hotRows < topK) {
            throw new IllegalArgumentException("device buffer of " + hotRows + " rows: one token selects " + topK
                    + ", use at least that many rows");
        }
        require("host pages", hostPages, 0, Integer.MAX_VALUE - 1);
        require("seats", seats, 1, Integer.MAX_VALUE);
        require("copies per step", copiesPerStep, 1, Integer.MAX_VALUE);
        require("staging blocks", stagingBlocks, 0, geometry.blocks());
        if (!policy.usesHost() && hostPages != 0) {
            throw new IllegalArgumentException("policy " + policy + " uses no host pool, but it has " + hostPages
                    + " pages; leave the host pool away or choose another policy");
        }
    }

    /** Blocks of a hot region. */
    int hotBlocks() {
        return Block.pages(hotRows);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + ": " + value + ", expected " + least + " to " + most);
        }
    }
}
