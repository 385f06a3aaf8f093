package org.hotrow.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.bench.Serving.Layout;

/**
 * Arguments of {@link Simulate}.
 *
 * @param trace a file, or {@link #OPENHANDS}
 * @param pauses whether a recorded turn waits for its time; else only for the one before
 * @param compare print predicted / published, and nothing else
 * @param out folder of CSV and PNG
 */
record SimulateOptions(
        String trace,
        List<Integer> concurrencies,
        List<KvPolicy> policies,
        Layout layout,
        boolean mtp,
        boolean pauses,
        boolean compare,
        Optional<Path> out) {
    /** The published workload. */
    static final String OPENHANDS = "openhands";

    private static final int MOST_CLIENTS = 10_000;
    private static final SimulateOptions DEFAULTS = new SimulateOptions(
            OPENHANDS,
            List.of(1, 8, 16, 24, 32),
            List.of(KvPolicy.values()),
            Layout.OURS,
            false,
            true,
            false,
            Optional.empty());

    /** @throws IllegalArgumentException naming the argument and what was expected */
    static SimulateOptions parse(String... args) {
        SimulateOptions options = DEFAULTS;
        Iterator<String> left = List.of(args).iterator();
        while (left.hasNext()) {
            String name = left.next();
            options = switch (name) {
                case "--mtp" -> options.with(options.layout, true, options.pauses, options.compare);
                case "--no-pauses" -> options.with(options.layout, options.mtp, false, options.compare);
                case "--compare" -> options.with(options.layout, options.mtp, options.pauses, true);
                case "--layout" ->
                    options.with(
                            constant(Layout.values(), name, value(left, name)),
                            options.mtp,
                            options.pauses,
                            options.compare);
                case "--trace" -> options.with(value(left, name), options.concurrencies, options.policies);
                case "--concurrency" ->
                    options.with(options.trace, concurrencies(name, value(left, name)), options.policies);
                case "--policy" ->
                    options.with(
                            options.trace,
                            options.concurrencies,
                            List.of(constant(KvPolicy.values(), name, value(left, name))));
                case "--out" -> options.with(Path.of(value(left, name)));
                default -> throw new IllegalArgumentException(name + ": unknown argument");
            };
        }
        return options;
    }

    private SimulateOptions with(Layout layout, boolean mtp, boolean pauses, boolean compare) {
        return new SimulateOptions(trace, concurrencies, policies, layout, mtp, pauses, compare, out);
    }

    private SimulateOptions with(String trace, List<Integer> concurrencies, List<KvPolicy> policies) {
        return new SimulateOptions(trace, concurrencies, policies, layout, mtp, pauses, compare, out);
    }

    private SimulateOptions with(Path folder) {
        return new SimulateOptions(trace, concurrencies, policies, layout, mtp, pauses, compare, Optional.of(folder));
    }

    private static String value(Iterator<String> left, String name) {
        if (!left.hasNext()) {
            throw new IllegalArgumentException(name + ": a value is missing");
        }
        return left.next();
    }

    private static List<Integer> concurrencies(String name, String text) {
        return Arrays.stream(text.split(",", -1))
                .map(number -> concurrency(name, number))
                .toList();
    }

    private static int concurrency(String name, String number) {
        try {
            int value = Integer.parseInt(number);
            if (value >= 1 && value <= MOST_CLIENTS) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a number out of range is.
        }
        throw new IllegalArgumentException(name + ": '" + number + "', expected 1 to " + MOST_CLIENTS);
    }

    private static <E extends Enum<E>> E constant(E[] all, String name, String text) {
        return Arrays.stream(all)
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + ": '" + text + "', expected one of "
                        + Arrays.toString(all).toLowerCase(Locale.ROOT)));
    }
}
