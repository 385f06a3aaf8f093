package org.hotrow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.PublishedSeats;
import org.hotrow.bench.DraftedRegion.Drafts;

/**
 * Seats of 80K tokens against what they read from the host, by the size of a hot region, with three drafts, as a Markdown
 * table:
 *
 * <pre>
 * seats       in 17.8 GiB: the published formula with rows of 656 bytes, and GLM-5.3 with its MTP layer here
 * misses      a token and indexer, of the {@link DraftedRegion} over selections of {@link MissRates}, mean of the seeds
 * from host   a token: misses x layers x row bytes
 * gather      a step of all seats here, at the node's rate, hidden or not
 * tokens/s    of all seats here, by {@link StepTime}
 * adaptive    the least blocks that hold every union of the rounds before those that are counted
 * </pre>
 *
 * The least recently used make room.
 */
final class HotSizes {
    private static final Drafts DRAFTS = new Drafts(H200Node.DRAFTS, H200Node.ACCEPTED);
    private static final List<Integer> HOT_ROWS = List.of(10_240, 6_144, 4_096);
    private static final int ROW_BYTES = 656;
    private static final String USAGE = "usage: hot-sizes [--csv FILE]";
    private static final List<String> COLUMNS = List.of(
            "drafts",
            "hot rows",
            "seats (published)",
            "seats (ours)",
            "rows of a round",
            "rows dropped a round",
            "tokens a round",
            "misses a token",
            "MB from host a token",
            "ms of gather a step",
            "tokens/s");

    private HotSizes() {}

    /** Prints the table. Exits with 1 if the file can't be written, with 2 on usage. */
    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String... args) {
        if (args.length != 0 && (args.length != 2 || !args[0].equals("--csv"))) {
            System.err.println(USAGE);
            return 2;
        }
        Optional<Path> csv;
        try {
            csv = args.length == 0 ? Optional.empty() : Optional.of(PolicyOptions.csv(args[1]));
        } catch (IllegalArgumentException e) {
            System.err.println("hot-sizes: " + e.getMessage());
            return 2;
        }
        List<List<int[]>> streams = new ArrayList<>();
        for (long seed : MissRates.SEEDS) {
            streams.add(MissRates.selections(seed));
        }
        List<List<String>> lines = lines(streams, MissRates.WARM_UP, HOT_ROWS);
        for (int i = 0; i < lines.size(); i++) {
            System.out.println("| " + String.join(" | ", lines.get(i)) + " |");
            if (i == 0) {
                System.out.println("|" + "---|".repeat(COLUMNS.size()));
            }
        }
        if (csv.isPresent()) {
            try {
                Files.write(
                        csv.get(),
                        lines.stream().map(cells -> String.join(",", cells)).toList());
            } catch (IOException e) {
                System.err.println("hot-sizes: " + e);
                return 1;
            }
        }
        return 0;
    }

    /** Cells of the table, a line of names first; none has a comma or a bar. */
    static List<List<String>> lines(List<List<int[]>> streams, int warmUp, List<Integer> sizes) {
        int adaptive = streams.stream()
                .mapToInt(stream -> DraftedRegion.fitting(stream, warmUp, DRAFTS))
                .max()
                .orElseThrow();
        List<List<String>> lines = new ArrayList<>();
        lines.add(COLUMNS);
        lines.add(line(streams, warmUp, Drafts.NONE, 2 * H200Node.TOP_K, ""));
        sizes.forEach(hotRows -> lines.add(line(streams, warmUp, DRAFTS, hotRows, "")));
        lines.add(line(streams, warmUp, DRAFTS, adaptive, " (adaptive)"));
        return lines;
    }

    private static List<String> line(List<List<int[]>> streams, int warmUp, Drafts drafts, int hotRows, String name) {
        List<DraftedRegion> regions = new ArrayList<>();
        for (List<int[]> stream : streams) {
            regions.add(DraftedRegion.of(stream, warmUp, drafts, hotRows, regions.size()));
        }
        double tokens = mean(regions, DraftedRegion::tokens);
        double misses = mean(regions, DraftedRegion::misses);
        LayerMap model = drafts.most() == 0 ? LayerMap.GLM_5_3 : LayerMap.GLM_5_3_MTP;
        KvGeometry pool = model.geometryIn(PublishedSeats.poolBytes());
        int seats = pool.seats(MissRates.LENGTH, hotRows);
        double bytes = misses * pool.layers() * ROW_BYTES;
        StepWork step = StepWork.decode(seats, MissRates.LENGTH).from(seats * misses, 0);
        double seconds = new StepTime(true, drafts.most(), ROW_BYTES).seconds(step);
        return Stream.of(
                        drafts.most(),
                        hotRows + name,
                        PublishedSeats.ROW_656.hybrid(MissRates.LENGTH, hotRows),
                        seats,
                        format("%.0f", mean(regions, DraftedRegion::union)),
                        format("%.2f", mean(regions, DraftedRegion::dropped)),
                        format("%.2f", tokens),
                        format("%.0f", misses / tokens),
                        format("%.1f", bytes / tokens / 1e6),
                        format("%.1f", 1e3 * seats * bytes / H200Node.GATHER_BYTES_PER_SECOND),
                        format("%.0f", seats * tokens / seconds))
                .map(Object::toString)
                .toList();
    }

    private static double mean(List<DraftedRegion> regions, ToDoubleFunction<DraftedRegion> of) {
        return regions.stream().mapToDouble(of).average().orElseThrow();
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
