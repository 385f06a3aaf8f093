package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.PublishedSeats;
import org.hotrow.bench.Serving.Layout;
import org.junit.jupiter.api.Test;

/** What the constants come to, beside what vLLM's concurrency calculator says. */
class ServingTest {
    private static final int TOKENS = 81_920;

    private static AllocatorConfig config(Layout layout, KvPolicy policy, boolean mtp) {
        return new Serving(layout, policy, mtp).config();
    }

    @Test
    void pagesHaveThePublishedBytes() {
        Serving published = new Serving(Layout.PUBLISHED, KvPolicy.HYBRID, true);
        assertThat(published.rowPageBytes()).isEqualTo(2_875_392);
        assertThat(published.indexPageBytes()).isEqualTo(64 * 2_772);
        assertThat(published.rowPageBytes() + published.indexPageBytes())
                .isEqualTo(3_052_800)
                .isEqualTo(64 * 47_700);
        Serving ours = new Serving(Layout.OURS, KvPolicy.HYBRID, true);
        assertThat(ours.rowPageBytes()).isEqualTo(3_274_752);
        assertThat(ours.rowPageBytes() + ours.indexPageBytes()).isEqualTo(64 * 53_940);
    }

    /** 22 and 20 requests of 80K with hot regions of 10,240 rows, 39 and 35 with 4,096; a page more each here. */
    @Test
    void hybridBlocksSeatAsManyAsPublished() {
        for (boolean mtp : new boolean[] {true, false}) {
            int hot = mtp ? 10_240 : 4_096;
            assertThat(config(Layout.OURS, KvPolicy.HYBRID, mtp).hotRows()).isEqualTo(hot);
            KvGeometry blocks576 =
                    config(Layout.PUBLISHED, KvPolicy.HYBRID, mtp).geometry();
            assertThat(blocks576.pagesPerIndexBlock()).isEqualTo(20);
            assertThat((long) blocks576.seats(TOKENS, hot))
                    .isBetween(
                            PublishedSeats.ROW_576.hybrid(TOKENS, hot) - 1, PublishedSeats.ROW_576.hybrid(TOKENS, hot));
            KvGeometry blocks656 =
                    config(Layout.PUBLISHED_656, KvPolicy.HYBRID, mtp).geometry();
            assertThat(blocks656.pagesPerIndexBlock()).isEqualTo(20);
            assertThat((long) blocks656.seats(TOKENS, hot))
                    .isBetween(
                            PublishedSeats.ROW_656.hybrid(TOKENS, hot) - 1, PublishedSeats.ROW_656.hybrid(TOKENS, hot));
        }
    }

    /** 17.8 GiB hold 6,260 pages of rows and keys of 576, four requests of 80K. */
    @Test
    void residentBlocksAreThePublishedOnes() {
        KvGeometry blocks = config(Layout.PUBLISHED, KvPolicy.OFFLOAD, false).geometry();
        assertThat(blocks.blocks()).isEqualTo(6_260);
        assertThat(blocks.indexBlocks(142_000)).isEqualTo(1);
        assertThat((blocks.blocks() - 1) / (TOKENS / 64 + 1)).isEqualTo(4);
    }

    /** Plain offload has 64 GiB for each GPU; HiSparse is bounded by its 16 GiB of index keys. */
    @Test
    void hostPoolsAreThePublishedBudgets() {
        assertThat(config(Layout.PUBLISHED, KvPolicy.OFFLOAD, true).hostPages())
                .isEqualTo((int) ((64L << 30) / 3_052_800));
        assertThat(config(Layout.PUBLISHED, KvPolicy.HYBRID, true).hostPages())
                .isEqualTo((int) ((16L << 30) / 177_408));
        assertThat(config(Layout.OURS, KvPolicy.RECOMPUTE, true).hostPages()).isZero();
    }
}
