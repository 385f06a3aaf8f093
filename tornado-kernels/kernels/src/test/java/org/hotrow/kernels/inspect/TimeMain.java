package org.hotrow.kernels.inspect;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Checks and times operations at production shapes on the device of an SDK: {@code TimeMain FILE glm|smoke SECONDS NAME...}.
 * {@code smoke} takes few and short inputs and times nothing. A line of JSON for each size goes to the file at once; what
 * there is no time for has none.
 */
final class TimeMain {
    private static final int USAGE = 2;
    private static final String HOST_COST = "host-cost";
    private static final List<Integer> GRAPHS = List.of(1, 8, 24);

    private TimeMain() {}

    public static void main(String[] arguments) throws IOException {
        int status = run(List.of(arguments), System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(List<String> arguments, PrintStream errors) throws IOException {
        boolean smoke = arguments.size() > 1 && arguments.get(1).equals("smoke");
        if (arguments.size() < 4
                || !(smoke || arguments.get(1).equals("glm"))
                || !arguments.get(2).matches("\\d{1,4}")) {
            errors.println("usage: time FILE glm|smoke SECONDS OPERATION...");
            return USAGE;
        }
        Sizes sizes = smoke ? Sizes.SMOKE : Sizes.GLM;
        Map<String, List<Supplier<Timed>>> all = operations(sizes);
        List<String> names = arguments.subList(3, arguments.size());
        for (String name : names) {
            if (!all.containsKey(name) && !name.equals(HOST_COST)) {
                errors.println("time: no operation " + name + ": there are " + String.join(", ", all.keySet()) + ", "
                        + HOST_COST);
                return USAGE;
            }
        }
        long deadline = System.nanoTime() + Long.parseLong(arguments.get(2)) * 1_000_000_000;
        boolean right = true;
        try (PrintStream lines = new PrintStream(
                        Files.newOutputStream(Path.of(arguments.getFirst())), true, StandardCharsets.UTF_8);
                Stopwatch stopwatch = new Stopwatch(smoke ? 0 : sizes.repetitions())) {
            for (String name : names) {
                if (name.equals(HOST_COST)) {
                    hostCost(smoke ? 0 : 200, lines);
                    continue;
                }
                for (Supplier<Timed> operation : Objects.requireNonNull(all.get(name))) {
                    right &= System.nanoTime() < deadline && measure(name, operation, stopwatch, lines);
                }
            }
        }
        return right ? 0 : 1;
    }

    private static boolean measure(String name, Supplier<Timed> operation, Stopwatch stopwatch, PrintStream lines) {
        Timed timed = null;
        try {
            timed = operation.get();
            Stopwatch.Reading reading = stopwatch.read(timed);
            lines.printf(
                    "{\"kernel\":\"%s\",\"at\":\"%s\",\"floor_bytes\":%d,\"partial_bytes\":%d,\"link_bytes\":%d,"
                            + "\"unwritten_words\":%d,\"sampled\":%d,\"problem\":\"%s\",\"times_ns\":%s}%n",
                    name,
                    timed.at(),
                    timed.launch().floorBytes(),
                    timed.launch().partialBytes(),
                    timed.linkBytes(),
                    reading.unwrittenWords(),
                    timed.sampled(),
                    plain(reading.problem()),
                    reading.nanos());
            return reading.problem().isEmpty() && reading.unwrittenWords() == 0;
        } catch (RuntimeException e) {
            lines.printf(
                    "{\"kernel\":\"%s\",\"at\":\"%s\",\"problem\":\"%s\"}%n",
                    name, timed == null ? "?" : timed.at(), plain(e.toString()));
            return false;
        }
    }

    /** One execution of each plan is only to see that it runs. */
    private static void hostCost(int executions, PrintStream lines) {
        for (int graphs : GRAPHS) {
            long[] nanos = HostCost.nanos(graphs, Math.max(1, executions));
            lines.printf(
                    "{\"kernel\":\"%s\",\"at\":\"%d recorded graphs\",\"problem\":\"\",\"times_ns\":%s}%n",
                    HOST_COST, graphs, Arrays.toString(executions == 0 ? new long[0] : nanos));
        }
    }

    private static String plain(String text) {
        return text.replaceAll("[^ -~]|[\"\\\\]", " ");
    }

    private static Map<String, List<Supplier<Timed>>> operations(Sizes sizes) {
        Map<String, List<Supplier<Timed>>> all = new LinkedHashMap<>();
        for (int batch : sizes.batches()) {
            for (int outputs : sizes.outputs()) {
                add(all, "fp8-linear", () -> TimedMatrices.fp8Linear(batch, outputs));
            }
            add(all, "expert-linear", () -> TimedMatrices.expertLinear(sizes, batch));
            for (int context : sizes.contexts()) {
                add(all, "index-scores", () -> TimedAttention.indexScores(sizes, batch, context));
                add(all, "top-k", () -> TimedAttention.topK(sizes, batch, context));
            }
            add(all, "sparse-mla", () -> TimedAttention.sparseMla(sizes, batch, false));
            add(all, "sparse-mla-tensor", () -> TimedAttention.sparseMla(sizes, batch, true));
            for (double share : Sizes.MISSES) {
                add(all, "row-resolver", () -> TimedCache.rowResolver(sizes, batch, share));
                add(all, "row-gather", () -> TimedCache.rowGather(sizes, batch, share));
            }
        }
        return all;
    }

    private static void add(Map<String, List<Supplier<Timed>>> all, String name, Supplier<Timed> operation) {
        all.computeIfAbsent(name, n -> new ArrayList<>()).add(operation);
    }
}
