package org.hotrow.bench;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.bench.Serving.Layout;

/** Replays conversations on a simulated {@link H200Node}, under one policy or all. */
final class Simulate {
    private static final String USAGE = """
            usage: simulate [--trace FILE|openhands] [--concurrency N[,N]...] [--policy hybrid|offload|recompute|resident]
                            [--layout ours|published|published_656] [--mtp] [--no-pauses]
                            [--out FOLDER]
                   simulate --compare
            """;

    private Simulate() {}

    /** Exits with 1 if a trace or a folder is bad, with 2 if an argument is. */
    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String... args) {
        SimulateOptions options;
        try {
            options = SimulateOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(USAGE);
            return 2;
        }
        try {
            run(options);
            return 0;
        } catch (TraceException | UncheckedIOException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }

    private static void run(SimulateOptions options) {
        if (options.compare()) {
            Arrays.stream(Layout.values()).forEach(layout -> Comparison.print(layout, System.out));
            return;
        }
        ReplayReport report = new ReplayReport(results(options));
        report.print(System.out);
        options.out().ifPresent(report::write);
    }

    /** What each replay gives. */
    static List<ReplayResult> results(SimulateOptions options) {
        IntFunction<List<Conversation>> conversations = conversations(options);
        List<ReplayResult> results = new ArrayList<>();
        for (KvPolicy policy : options.policies()) {
            Serving serving = new Serving(options.layout(), policy, options.mtp());
            for (int concurrency : options.concurrencies()) {
                results.add(Replay.play(serving, conversations.apply(concurrency), concurrency));
            }
        }
        return results;
    }

    /** What is replayed when so many go on at once. */
    private static IntFunction<List<Conversation>> conversations(SimulateOptions options) {
        if (options.trace().equals(SimulateOptions.OPENHANDS)) {
            return OpenHands::published;
        }
        List<Conversation> recorded = TraceFile.read(Path.of(options.trace()));
        List<Conversation> played = options.pauses()
                ? recorded
                : recorded.stream().map(Conversation::withoutPauses).toList();
        return concurrency -> played;
    }
}
