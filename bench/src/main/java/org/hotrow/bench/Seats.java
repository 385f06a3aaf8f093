package org.hotrow.bench;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.PublishedSeats;

/**
 * How many requests of a length run at once in 17.8 GiB of cache, with fp8 rows and index keys, as a Markdown table: ours by
 * {@link KvGeometry#seats}, which is what the allocator admits, beside the published formula of GLM-5.3.
 */
final class Seats {
    static final int[] TOKENS = {32_768, 81_920, 131_072, 262_144, 1_048_576};
    private static final int[] HOT_ROWS = {4_096, 10_240};

    private Seats() {}

    /** Prints the table. */
    public static void main(String[] args) {
        print(System.out);
    }

    static void print(PrintStream out) {
        out.println("| seats, hot rows 4,096 / 10,240 | 32K | 80K | 128K | 256K | 1M |");
        out.println("|---|---|---|---|---|---|");
        row(out, "published, rows of 576 bytes", PublishedSeats.ROW_576::hybrid);
        row(out, "published, rows of 656 bytes", PublishedSeats.ROW_656::hybrid);
        for (LayerMap model : LayerMap.values()) {
            row(out, model.title(), pool(model)::seats);
        }
        residentRow(out, "published, rows of 576 bytes", PublishedSeats.ROW_576::resident);
        residentRow(out, "published, rows of 656 bytes", PublishedSeats.ROW_656::resident);
        for (LayerMap model : LayerMap.values()) {
            residentRow(out, model.title(), tokens -> resident(pool(model), tokens));
        }
    }

    /** Seats of GLM-5.3 at each of {@link #TOKENS}, by what is resident. */
    static Map<String, List<Long>> curves() {
        KvGeometry pool = pool(LayerMap.GLM_5_3);
        Map<String, List<Long>> curves = new LinkedHashMap<>();
        for (int hotRows : HOT_ROWS) {
            curves.put(
                    "hybrid, " + hotRows + " hot rows",
                    Arrays.stream(TOKENS)
                            .mapToObj(tokens -> (long) pool.seats(tokens, hotRows))
                            .toList());
        }
        curves.put(
                "all resident",
                Arrays.stream(TOKENS)
                        .mapToObj(tokens -> (long) resident(pool, tokens))
                        .toList());
        return curves;
    }

    private interface Count {
        long of(int tokens, int hotRows);
    }

    private static KvGeometry pool(LayerMap model) {
        return model.geometryIn(PublishedSeats.poolBytes());
    }

    /** Requests of which no page leaves the device. */
    private static int resident(KvGeometry pool, int tokens) {
        return (pool.blocks() - 1) / (pool.indexBlocks(tokens) + Block.pages(tokens));
    }

    private static void row(PrintStream out, String name, Count seats) {
        print(
                out,
                name,
                tokens -> Arrays.stream(HOT_ROWS)
                        .mapToObj(hotRows -> Long.toString(seats.of(tokens, hotRows)))
                        .collect(Collectors.joining(" / ")));
    }

    private static void residentRow(PrintStream out, String name, IntToLongFunction seats) {
        print(out, "all resident: " + name, tokens -> Long.toString(seats.applyAsLong(tokens)));
    }

    private static void print(PrintStream out, String name, IntFunction<String> seats) {
        out.println(
                Arrays.stream(TOKENS).mapToObj(seats).collect(Collectors.joining(" | ", "| " + name + " | ", " |")));
    }
}
