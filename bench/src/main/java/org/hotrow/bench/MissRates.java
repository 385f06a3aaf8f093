package org.hotrow.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.Fifo;
import org.hotrow.allocator.HotMap;
import org.hotrow.allocator.HotReplacement;
import org.hotrow.allocator.RandomReplacement;

/**
 * How many selected rows a hot region misses, by its size and by what it replaces, as a Markdown table: on a
 * {@link SelectionStream} fitted to the rates that arXiv 2608.07009 gives for k = 2,048. Three numbers are fitted, six are
 * compared. Every selected position is looked up, as if none were resident.
 *
 * <p>The fit is for 80K positions, the length of the conversations that {@link Replay} plays, since the paper's contexts
 * aren't known to us. It doesn't carry over: at 32K the same three numbers give 26 %, 9 % and 4 % for the least recently
 * used. Whether real selections spread like this when a context grows, nobody has published.
 */
final class MissRates {
    /** Fitted by a search over a grid to the least recently used rates at one, two and four selections. */
    static final SelectionStream.Locality LOCALITY = new SelectionStream.Locality(0.992, 0.45, 0.32);

    static final List<Long> SEEDS = List.of(1L, 2L, 3L);

    private static final int K = 2048;
    /** Positions of a conversation. */
    static final int LENGTH = 81_920;

    /** Steps that fill a region. */
    static final int WARM_UP = 300;

    private static final int STEPS = 900;
    private static final String USAGE = "usage: misses [--policies [--csv FILE] [--texts N]]";

    /** A replacement of so many slots for a stream that is known to the end. */
    interface Replacement {
        HotReplacement of(int slots, List<int[]> selections);
    }

    private record Row(String name, int hot, String published, Replacement replacement) {}

    private MissRates() {}

    /** Prints the table, or that of all policies. Exits with 1 if a file can't be read or written, with 2 on usage. */
    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String... args) {
        if (args.length == 0) {
            print();
            return 0;
        }
        PolicyOptions options;
        try {
            options = PolicyOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("misses: " + e.getMessage());
            System.err.println(USAGE);
            return 2;
        }
        try {
            PolicyTable.make(options, System.out);
            return 0;
        } catch (IOException | UncheckedIOException e) {
            System.err.println("misses: " + e);
            return 1;
        }
    }

    /** The fitted stream of a seed. */
    static Recording recording(long seed) {
        return Recording.of(stream(seed), STEPS, WARM_UP);
    }

    /** Selections of the fitted stream of a seed. */
    static List<int[]> selections(long seed) {
        return Stream.generate(stream(seed)::next).limit(STEPS).toList();
    }

    private static SelectionStream stream(long seed) {
        return new SelectionStream(LOCALITY, K, LENGTH, STEPS, seed);
    }

    private static void print() {
        List<List<int[]>> streams = new ArrayList<>();
        for (long seed : SEEDS) {
            streams.add(selections(seed));
        }
        System.out.println("| hot rows | replacement | published | model | spread of " + SEEDS.size() + " seeds |");
        System.out.println("|---|---|---|---|---|");
        print(streams, new Row("least recently used", K, "30 %", (slots, all) -> new ExactLru(slots)));
        print(streams, new Row("least recently used", 2 * K, "13.4 %", (slots, all) -> new ExactLru(slots)));
        print(streams, new Row("least recently used", 4 * K, "6.7 %", (slots, all) -> new ExactLru(slots)));
        print(streams, new Row("first in, first out", 2 * K, "17.2 %", (slots, all) -> new Fifo(slots)));
        print(streams, new Row("random", 2 * K, "16.1 %", (slots, all) -> new RandomReplacement(slots, 5)));
        print(streams, new Row("needed latest (Belady)", 2 * K, "8.2 %", Belady::new));
    }

    private static void print(List<List<int[]>> streams, Row row) {
        double sum = 0;
        double least = 1;
        double most = 0;
        for (List<int[]> selections : streams) {
            HotReplacement replacement = row.replacement.of(row.hot, selections);
            double rate = missRate(selections, WARM_UP, new HotMap(row.hot, replacement));
            sum += rate;
            least = Math.min(least, rate);
            most = Math.max(most, rate);
        }
        System.out.printf(
                Locale.ROOT,
                "| %,d | %s | %s | %.1f %% | %.1f - %.1f %% |%n",
                row.hot,
                row.name,
                row.published,
                100 * sum / streams.size(),
                100 * least,
                100 * most);
    }

    /** The share of lookups that load a row, after so many steps. */
    static double missRate(List<int[]> selections, int warmUp, HotMap map) {
        long lookups = 0;
        long misses = 0;
        int[] slots = new int[selections.getFirst().length];
        for (int step = 0; step < selections.size(); step++) {
            int[] selection = selections.get(step);
            long before = map.lookups();
            map.resolve(selection, selection.length, slots);
            if (step >= warmUp) {
                lookups += map.lookups() - before;
                misses += map.misses();
            }
        }
        return (double) misses / lookups;
    }
}
