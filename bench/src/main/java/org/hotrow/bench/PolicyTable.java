package org.hotrow.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hotrow.allocator.AgedFrequency;
import org.hotrow.allocator.BarelySelected;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.FarthestBelow;
import org.hotrow.allocator.Fifo;
import org.hotrow.allocator.HotMap;
import org.hotrow.allocator.HotReplacement;
import org.hotrow.allocator.LatelyFrequent;
import org.hotrow.allocator.RandomReplacement;
import org.hotrow.engine.Model;
import org.hotrow.engine.SelectionRecorder;

/**
 * Replacements of hot rows beside each other, on recorded selections. Every selected position is looked up, as if none
 * were resident.
 *
 * <pre>
 * selections | policy | 1x top-k | 1.5x | ...
 *                       % of the selected rows that miss in a region of so many selections, mean of the recordings
 *                       (change of this mean against the least recently used)
 * the last column: the change at 2x of each recording alone, from the least to the largest
 * </pre>
 */
final class PolicyTable {
    /** Rows of the region, in selections. */
    static final List<Double> SIZES = List.of(1.0, 1.5, 2.0, 3.0, 4.0);

    private static final int TWICE = SIZES.indexOf(2.0);

    private static final long RANDOM_SEED = 5;

    private record Policy(String name, MissRates.Replacement replacement) {}

    /** The first is what others are compared with. */
    private static final List<Policy> POLICIES = List.of(
            new Policy("least recently used", (slots, all) -> new ExactLru(slots)),
            new Policy("first in first out", (slots, all) -> new Fifo(slots)),
            new Policy("random", (slots, all) -> new RandomReplacement(slots, RANDOM_SEED)),
            new Policy("LatelyFrequent", (slots, all) -> new LatelyFrequent(slots)),
            new Policy("AgedFrequency 0.8", (slots, all) -> new AgedFrequency(slots, 0.8f)),
            new Policy("BarelySelected 0.1", (slots, all) -> new BarelySelected(slots, 0.1)),
            new Policy("FarthestBelow 0", (slots, all) -> new FarthestBelow(slots, 0)),
            new Policy("FarthestBelow 0.5", (slots, all) -> new FarthestBelow(slots, 0.5f)),
            new Policy("needed latest (Belady)", Belady::new));

    /** Of all policies. */
    static final List<String> NAMES = POLICIES.stream().map(Policy::name).toList();

    /** By name of selections, per recording: rates by policy and size. */
    private final Map<String, List<double[][]>> rates = new LinkedHashMap<>();

    /** Prints the table and writes it where the options say. */
    static void make(PolicyOptions options, PrintStream out) throws IOException {
        PolicyTable table = new PolicyTable();
        for (long seed : MissRates.SEEDS) {
            table.add("fitted", MissRates.recording(seed));
            System.err.println("misses: fitted stream, seed " + seed);
        }
        Path folder = Path.of(Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model"));
        try (Model model = Model.open(folder);
                SelectionRecorder recorder = new SelectionRecorder(model)) {
            int length = model.config().contextLength();
            for (int text = 0; text < options.texts(); text++) {
                for (Recording recording : Recording.of(model, recorder, folder, text, length)) {
                    table.add("demo model", recording);
                }
                System.err.println("misses: demo model, " + Recording.TEXTS.get(text));
            }
        }
        table.print(out);
        if (options.csv().isPresent()) {
            table.write(options.csv().get());
        }
    }

    /** Adds what all policies miss in all sizes. */
    void add(String selections, Recording recording) {
        double[][] byPolicy = new double[POLICIES.size()][SIZES.size()];
        IntStream.range(0, POLICIES.size() * SIZES.size()).parallel().forEach(i -> {
            int policy = i / SIZES.size();
            int size = i % SIZES.size();
            int slots = (int) (SIZES.get(size) * recording.lists().getFirst().length);
            HotReplacement replacement = POLICIES.get(policy).replacement.of(slots, recording.lists());
            byPolicy[policy][size] = missRate(recording, new HotMap(slots, replacement));
        });
        rates.computeIfAbsent(selections, name -> new ArrayList<>()).add(byPolicy);
    }

    private static double missRate(Recording recording, HotMap map) {
        long lookups = 0;
        long misses = 0;
        int[] slots = new int[recording.lists().getFirst().length];
        for (int step = 0; step < recording.lists().size(); step++) {
            int[] list = recording.lists().get(step);
            long before = map.lookups();
            map.resolve(list, list.length, slots, recording.scores().get(step));
            if (step >= recording.warmUp()) {
                lookups += map.lookups() - before;
                misses += map.misses();
            }
        }
        return (double) misses / lookups;
    }

    /** The mean share of selected rows that miss. */
    double rate(String selections, int policy, int size) {
        return Objects.requireNonNull(rates.get(selections)).stream()
                .mapToDouble(recording -> recording[policy][size])
                .average()
                .orElseThrow();
    }

    /** Cells of the table, a line of names first; none has a comma or a bar. */
    List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("selections", "policy"));
        SIZES.forEach(
                size -> names.add(String.format(Locale.ROOT, size % 1 == 0 ? "%.0fx top-k" : "%.1fx top-k", size)));
        names.add("change at 2x by recording");
        lines.add(names);
        for (String selections : rates.keySet()) {
            for (int policy = 0; policy < POLICIES.size(); policy++) {
                List<String> cells = new ArrayList<>(List.of(selections, POLICIES.get(policy).name));
                for (int size = 0; size < SIZES.size(); size++) {
                    cells.add(cell(selections, policy, size));
                }
                cells.add(policy == 0 ? "" : spread(selections, policy));
                lines.add(cells);
            }
        }
        return lines;
    }

    private String spread(String selections, int policy) {
        DoubleSummaryStatistics changes = Objects.requireNonNull(rates.get(selections)).stream()
                .mapToDouble(of -> 100 * (of[policy][TWICE] / of[0][TWICE] - 1))
                .summaryStatistics();
        return String.format(Locale.ROOT, "%+.1f to %+.1f %%", changes.getMin(), changes.getMax());
    }

    private String cell(String selections, int policy, int size) {
        double rate = rate(selections, policy, size);
        String missed = String.format(Locale.ROOT, "%.1f %%", 100 * rate);
        return policy == 0
                ? missed
                : missed + String.format(Locale.ROOT, " (%+.1f %%)", 100 * (rate / rate(selections, 0, size) - 1));
    }

    private void print(PrintStream out) {
        List<List<String>> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            out.println("| " + String.join(" | ", lines.get(i)) + " |");
            if (i == 0) {
                out.println("|" + "---|".repeat(lines.getFirst().size()));
            }
        }
    }

    /** Writes the table as CSV. */
    void write(Path csv) throws IOException {
        Files.write(csv, lines().stream().map(cells -> String.join(",", cells)).toList(), StandardCharsets.UTF_8);
    }
}
