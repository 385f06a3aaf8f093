package org.hotrow.allocator;

/**
 * Where the rows of an import go that a new request's prefix hit doesn't have; chosen once, when it gets its seat.
 *
 * <pre>
 * page         0 .. hit-1    hit .. whole-2     whole-1             whole, if the import ends in it
 * on device    the hit       device             device              device
 * on host      the hit       host               host and device     device
 * </pre>
 *
 * On the device its pages are as if the request had computed them: the host gets copies later. On the host they are
 * published when the step that writes them is finished. A request that counts on the host lands on the device if all
 * its pages fit beside what is there and the step that brings them can copy them too, so that they may leave again.
 *
 * @param hit pages of the prefix hit
 * @param tokens tokens of hit and import together
 */
record Landing(int hit, int tokens, boolean onHost) {
    /** @param generous whether the device may take all of it */
    static Landing of(KvRequest request, int hit, Claim claim, AllocatorConfig config, boolean generous) {
        // The last known token is computed in any case, for its logits.
        int imported = request.imported().map(Import::tokens).orElse(0);
        int tokens = Math.max(hit * Block.TOKENS, Math.min(imported, request.known() - 1));
        int pages = tokens / Block.TOKENS - hit;
        boolean onDevice = generous && pages <= config.copiesPerStep();
        return new Landing(hit, tokens, pages > 0 && claim.onHost() && !onDevice);
    }

    /** Whole pages, those of the hit too. */
    int whole() {
        return tokens / Block.TOKENS;
    }

    /** Pages, those of the hit too. */
    int pages() {
        return Block.pages(tokens);
    }

    /** Whether page {@code page}, which is not of the hit, goes to the device. */
    boolean toDevice(int page) {
        return !onHost || page >= whole() - 1;
    }

    /** Whether page {@code page}, which is not of the hit, goes to the host. */
    boolean toHost(int page) {
        return onHost && page < whole();
    }

    /** Blocks of rows that it takes. */
    int newBlocks() {
        return onHost ? pages() - whole() + 1 : pages() - hit;
    }

    /** Host pages that it takes. */
    int newHostPages() {
        return copied() - hit;
    }

    /** Pages that are on the host then, from the first one on. */
    int copied() {
        return onHost ? whole() : hit;
    }
}
