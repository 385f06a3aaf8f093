package org.hotrow.allocator;

import java.util.List;
import java.util.random.RandomGenerator;

/** Sizes of a simulated allocator: two layers, the first of them an anchor; small pools find more. */
record World(
        KvPolicy policy,
        int blocks,
        int pagesPerIndexBlock,
        int hotRows,
        int hostPages,
        int seats,
        int copies,
        int staging) {
    private static final int ROW_BYTES = 8;
    private static final int BLOCK_BYTES = SimDevice.LAYERS * Block.TOKENS * ROW_BYTES;

    static World draw(RandomGenerator random) {
        KvPolicy policy = random.nextInt(3) > 0
                ? KvPolicy.HYBRID
                : List.of(KvPolicy.values()).get(random.nextInt(4));
        int most = random.nextInt(4) == 0 ? 50 : 18;
        return new World(
                policy,
                random.nextInt(3, most),
                List.of(1, 2, 3, 4, 8).get(random.nextInt(5)),
                random.nextInt(1, random.nextBoolean() ? 65 : 200),
                policy.usesHost() ? hostPages(random, most) : 0,
                random.nextInt(1, 6),
                random.nextInt(1, 6),
                random.nextInt(0, 3));
    }

    private static int hostPages(RandomGenerator random, int most) {
        return random.nextInt(4) == 0 ? random.nextInt(most) : random.nextInt(most, 4 * most);
    }

    KvGeometry geometry() {
        int indexPageBytes = BLOCK_BYTES / pagesPerIndexBlock / 8 * 8;
        return KvGeometry.of(SimDevice.LAYERS, List.of(0), ROW_BYTES, indexPageBytes, blocks);
    }

    AllocatorConfig config() {
        return new AllocatorConfig(
                geometry(), policy, hotRows, Math.min(hotRows, 4), hostPages, seats, copies, Math.min(staging, blocks));
    }
}
