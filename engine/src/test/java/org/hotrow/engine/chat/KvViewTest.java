package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.PageState;
import org.hotrow.engine.CacheCounters;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheReport;
import org.hotrow.engine.KvSnapshot;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;

class KvViewTest {
    private static final CacheCounters COUNTERS = new CacheCounters(1000, 973, 27, 2048, 0, 0, 29, 3 << 20, 11);
    private static final CacheReport CACHE =
            new CacheReport(KvPolicy.HYBRID, CacheFormat.of(KvDtype.FP8), 12, 1 << 20, 256, 40, 1 << 22);
    private static final List<PageState> PAGES = List.of(
            PageState.LOST, PageState.LOST, PageState.UNPINNED, PageState.CLEAN, PageState.COPYING, PageState.DIRTY);

    @Test
    void drawsEachPageByItsStateWithHitsAndBytes() {
        KvSnapshot kv = new KvSnapshot(PAGES, 4, 2, 1, 12, COUNTERS);
        assertThat(KvView.lines(kv, CACHE, COUNTERS, 80))
                .contains(
                        "6 pages of 64 tokens",
                        "  ..-=>#",
                        "  # device: 1",
                        "  . host only: 2",
                        "  + hot: 4 blocks, 256 rows ++++",
                        "hit rate 97.3 % of 1,000 lookups",
                        "moved: 2.0 KiB of rows from the host, 0 B of pages restored, 3.0 MiB written back, 29 pages"
                                + " spilled");
    }

    @Test
    void oneIsSingular() {
        CacheCounters once = new CacheCounters(1, 1, 0, 0, 0, 0, 1, 0, 1);
        assertThat(KvView.lines(new KvSnapshot(List.of(PageState.DIRTY), 1, 1, 1, 1, once), CACHE, once, 80))
                .contains("1 page of 64 tokens", "hit rate 100.0 % of 1 lookup")
                .anyMatch(line -> line.startsWith("index keys: 1 block · pool: 1 block, 1 free"))
                .anyMatch(line -> line.endsWith("1 page spilled"));
    }

    @Test
    void manyPagesShareACharacterThatMostOfThemHave() {
        assertThat(KvView.picture(List.of(PageState.CLEAN, PageState.LOST, PageState.LOST, PageState.DIRTY), 3))
                .isEqualTo(".#");
        KvSnapshot kv = new KvSnapshot(Collections.nCopies(16_384, PageState.LOST), 0, 2, 1, 12, COUNTERS);
        assertThat(KvView.lines(kv, CACHE, COUNTERS, 40).getFirst())
                .isEqualTo("16,384 pages of 64 tokens, a character for each 57");
        assertThat(KvView.lines(kv, CACHE, COUNTERS, 40).stream().filter(line -> line.startsWith("  ..")))
                .hasSize(8)
                .allMatch(line -> line.length() <= 40);
    }

    @Test
    void aLineFitsItsTerminal() {
        KvSnapshot kv = new KvSnapshot(Collections.nCopies(300, PageState.CLEAN), 4, 2, 1, 12, COUNTERS);
        for (int width = 1; width < 120; width++) {
            assertThat(KvView.line(kv, COUNTERS, width).length()).isLessThanOrEqualTo(Math.max(1, width));
        }
        assertThat(KvView.line(kv, COUNTERS, 100)).contains("hot 97.3 %", "host 2.0 KiB", "=====++++");
    }
}
