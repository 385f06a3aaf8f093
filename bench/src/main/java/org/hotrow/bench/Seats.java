package org.hotrow.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.PublishedSeats;

/**
 * How many requests of a length run at once in 17.8 GiB of cache, with fp8 rows and index keys, as a Markdown table: ours by
 * {@link KvGeometry#seats}, which is what the allocator admits, beside the published formula of GLM-5.3.
 */
final class Seats {
    private static final int ROW_BYTES = 656;
    private static final int INDEX_PAGE_BYTES = Block.TOKENS * 132;
    private static final int[] TOKENS = {32_768, 81_920, 131_072, 262_144, 1_048_576};
    private static final int[] HOT_ROWS = {4_096, 10_240};

    private Seats() {}

    /** Prints the table. */
    public static void main(String[] args) {
        System.out.println("| seats, hot rows 4,096 / 10,240 | 32K | 80K | 128K | 256K | 1M |");
        System.out.println("|---|---|---|---|---|---|");
        row("published, rows of 576 bytes", (tokens, hot) -> PublishedSeats.ROW_576.hybrid(tokens, hot));
        row("published, rows of 656 bytes", (tokens, hot) -> PublishedSeats.ROW_656.hybrid(tokens, hot));
        model("GLM-5.3", 78, layer -> layer < 3 || layer % 4 == 2);
        model("GLM-5.3 with its MTP layer", 79, layer -> layer < 3 || layer % 4 == 2 || layer == 78);
        model("GLM-5.1", 78, layer -> true);
        model("DeepSeek-V3.2", 61, layer -> true);
    }

    private interface Count {
        long of(int tokens, int hotRows);
    }

    private interface Anchors {
        boolean has(int layer);
    }

    private static void model(String name, int layers, Anchors anchors) {
        List<Integer> anchorLayers =
                IntStream.range(0, layers).filter(anchors::has).boxed().toList();
        int blocks = Math.toIntExact(PublishedSeats.poolBytes() / ((long) layers * Block.TOKENS * ROW_BYTES));
        KvGeometry geometry = KvGeometry.of(layers, anchorLayers, ROW_BYTES, INDEX_PAGE_BYTES, blocks);
        row(name, geometry::seats);
    }

    private static void row(String name, Count seats) {
        StringBuilder line = new StringBuilder("| " + name + " |");
        for (int tokens : TOKENS) {
            line.append(String.format(
                    Locale.ROOT, " %d / %d |", seats.of(tokens, HOT_ROWS[0]), seats.of(tokens, HOT_ROWS[1])));
        }
        System.out.println(line);
    }
}
