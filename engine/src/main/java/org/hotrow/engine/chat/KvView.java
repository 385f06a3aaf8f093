package org.hotrow.engine.chat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hotrow.allocator.PageState;
import org.hotrow.engine.CacheCounters;
import org.hotrow.engine.CacheReport;
import org.hotrow.engine.KvSnapshot;

/**
 * Draws where the pages of a conversation are.
 *
 * <pre>
 * .....---====##     a character for each page, or for several if they are many
 * </pre>
 */
final class KvView {
    private static final int MOST_ROWS = 8;
    private static final int LABEL = 4;

    private KvView() {}

    /** The picture, lines of at most {@code width} columns where numbers allow. */
    static List<String> lines(KvSnapshot kv, CacheReport cache, CacheCounters since, int width) {
        List<String> lines = new ArrayList<>();
        int columns = Math.max(1, Math.min(64, width - LABEL));
        int each = Math.max(1, Math.ceilDiv(kv.pages().size(), columns * MOST_ROWS));
        String pages = picture(kv.pages(), each);
        lines.add(Units.counted(kv.pages().size(), "page") + " of 64 tokens"
                + (each > 1 ? ", a character for each " + each : ""));
        for (int at = 0; at < pages.length(); at += columns) {
            lines.add("  " + pages.substring(at, Math.min(pages.length(), at + columns)));
        }
        for (PageState state : PageState.values()) {
            long count = kv.pages().stream().filter(state::equals).count();
            if (count > 0) {
                lines.add("  " + symbol(state) + " " + word(state) + ": " + count);
            }
        }
        lines.add("  + hot: " + Units.counted(kv.hotBlocks(), "block")
                + (kv.hotBlocks() == 0
                        ? ""
                        : ", " + cache.hotRows() + " rows " + "+".repeat(Math.min(kv.hotBlocks(), columns / 2))));
        lines.add("index keys: " + Units.counted(kv.indexBlocks(), "block") + " · pool: "
                + Units.counted(kv.blocks(), "block")
                + ", " + kv.freeBlocks()
                + " free · " + Setting.word(cache.policy()));
        lines.add(
                since.hotLookups() == 0
                        ? "no lookups: all selected rows were on the device"
                        : "hit rate " + Units.percent(since.hotHits(), since.hotLookups()) + " of "
                                + Units.counted(since.hotLookups(), "lookup"));
        lines.add("moved: " + Units.bytes(since.hostBytesRead()) + " of rows from the host, "
                + Units.bytes(since.bytesRestored()) + " of pages restored, " + Units.bytes(since.bytesWrittenBack())
                + " written back, " + Units.counted(since.spilledPages(), "page") + " spilled");
        return lines;
    }

    /** The same in a line. */
    static String line(KvSnapshot kv, CacheCounters since, int width) {
        String end = "  hot " + Units.percent(since.hotHits(), since.hotLookups()) + "  host "
                + Units.bytes(since.hostBytesRead()) + "  written " + Units.bytes(since.bytesWrittenBack());
        int columns = Math.max(1, Math.min(64, width - end.length() - LABEL));
        int each = Math.max(1, Math.ceilDiv(kv.pages().size(), columns));
        String line = "kv " + picture(kv.pages(), each) + "+".repeat(Math.min(kv.hotBlocks(), LABEL)) + end;
        return line.substring(0, Math.min(line.length(), Math.max(1, width - 1)));
    }

    /** A character for each {@code each} pages: the state that most of them have. */
    static String picture(List<PageState> pages, int each) {
        StringBuilder picture = new StringBuilder();
        for (int from = 0; from < pages.size(); from += each) {
            picture.append(symbol(most(pages.subList(from, Math.min(pages.size(), from + each)))));
        }
        return picture.toString();
    }

    private static PageState most(List<PageState> pages) {
        Map<PageState, Integer> counts = new EnumMap<>(PageState.class);
        pages.forEach(page -> counts.merge(page, 1, Integer::sum));
        return Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    private static char symbol(PageState state) {
        return switch (state) {
            case DIRTY -> '#';
            case COPYING -> '>';
            case CLEAN -> '=';
            case UNPINNED -> '-';
            case LOST -> '.';
        };
    }

    private static String word(PageState state) {
        return switch (state) {
            case DIRTY -> "device";
            case COPYING -> "device, on its way to the host";
            case CLEAN -> "clean (device and host)";
            case UNPINNED -> "host, and on the device until its block is taken";
            case LOST -> "host only";
        };
    }
}
