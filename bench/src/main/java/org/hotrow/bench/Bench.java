package org.hotrow.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs benchmarks with JMH's flags, each compared with its floor, prints a {@link FloorTable}, or with {@code -v} JMH's own
 * report, and writes a {@link BenchRun}.
 *
 * <p>Benchmarks of kernels have a parameter {@code device}. What runs on TornadoVM's needs a JVM that the SDK's argument
 * file configures, so those run after all others; without an SDK there are none, unless they are asked for.
 */
final class Bench {
    private static final String DEVICE = "device";
    private static final String TORNADO = "tornado";
    private static final List<String> DEVICES = List.of("cpu", "emulated", TORNADO);
    private static final String OF_KERNELS = "org.hotrow.engine.KernelBenchmark.";

    private final BenchFlags own;
    private final CommandLineOptions flags;
    private final BenchMachine machine = new BenchMachine();
    private final Instant start = Instant.now();
    private final List<Measured> measured = new ArrayList<>();
    private int failed;

    private Bench(BenchFlags own) throws CommandLineOptionException {
        this.own = own;
        flags = new CommandLineOptions(own.rest().toArray(String[]::new));
    }

    /** Exit codes: 0 ok, 1 a benchmark failed, which ends the run unless {@code -foe false}, 2 usage, 4 no such device. */
    public static void main(String... args) throws IOException {
        try {
            Bench bench = new Bench(BenchFlags.parse(args));
            bench.run();
            if (bench.failed > 0) {
                System.exit(1);
            }
        } catch (CommandLineOptionException | IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
        } catch (NoBenchmarksException e) {
            System.err.println("bench: no benchmark has such a name, -l lists them");
            System.exit(2);
        } catch (NoSdkException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(4);
        } catch (RunnerException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
    }

    /** There is no SDK of TornadoVM. */
    private static final class NoSdkException extends Exception {
        private static final long serialVersionUID = 1;

        NoSdkException(String message) {
            super(message);
        }
    }

    private void run() throws IOException, RunnerException, NoSdkException {
        if (flags.shouldHelp()
                || flags.shouldList()
                || flags.shouldListWithParams()
                || flags.shouldListProfilers()
                || flags.shouldListResultFormats()) {
            Main.main(own.rest().toArray(String[]::new));
            return;
        }
        String home = System.getenv("TORNADOVM_HOME");
        boolean sdk = home != null && Files.isRegularFile(Path.of(home, "tornado-argfile"));
        Collection<String> devices = flags.getParameter(DEVICE).orElse(DEVICES);
        if (!sdk && (home != null || List.copyOf(devices).equals(List.of(TORNADO)))) {
            throw new NoSdkException("-p device=tornado: set TORNADOVM_HOME to an SDK of TornadoVM; "
                    + (home == null ? "it is not set" : home + " has no tornado-argfile"));
        }
        List<String> here = devices.stream().filter(d -> !d.equals(TORNADO)).toList();
        if (here.isEmpty()) {
            run(options().param(DEVICE, TORNADO).exclude("^" + OF_KERNELS), false);
        } else {
            run(options().param(DEVICE, here.toArray(String[]::new)), true);
        }
        if (sdk && devices.contains(TORNADO)) {
            ChainedOptionsBuilder kernels = options()
                    .exclude("^(?!" + OF_KERNELS + ")")
                    .param(DEVICE, TORNADO)
                    .shouldFailOnError(flags.shouldFailOnError().orElse(false))
                    .jvmArgs(tornadoFlags(Path.of(home)));
            run(kernels, here.isEmpty());
        } else if (measured.stream().anyMatch(m -> m.parameters().containsKey(DEVICE))) {
            System.err.println("bench: no TORNADOVM_HOME, so no kernel ran on device tornado");
        }
        if (failed > 0) {
            System.err.println("bench: " + failed + " of " + (failed + measured.size()) + " gave no result, see above");
        }
        System.err.println("bench: results in " + own.json() + "; bench/bin/report makes a page of them");
    }

    private ChainedOptionsBuilder options() {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .parent(flags)
                .addProfiler(FloorProfiler.class)
                .addProfiler(RatioProfiler.class)
                .shouldFailOnError(flags.shouldFailOnError().orElse(true));
        own.profile().apply(options, flags);
        return options;
    }

    /** @param required whether a pattern must name a benchmark here */
    private void run(ChainedOptionsBuilder options, boolean required) throws RunnerException {
        FloorTable table = new FloorTable(System.out, System.err, this::take);
        Runner runner = flags.verbosity().hasValue() ? new Runner(options.build()) : new Runner(options.build(), table);
        try {
            Collection<RunResult> results = runner.run();
            failed += table.failed();
            if (flags.verbosity().hasValue()) {
                results.forEach(this::take);
            }
        } catch (NoBenchmarksException e) {
            if (required) {
                throw e;
            }
        }
    }

    /** Writes what there is, so that a run that is interrupted loses nothing. */
    private void take(RunResult result) {
        measured.add(Measured.of(result));
        try {
            new BenchRun(about(), measured).write(own.json());
        } catch (IOException e) {
            throw new UncheckedIOException(own.json() + ": " + e.getMessage(), e);
        }
    }

    /** As the launcher of the engine has them. What a back end can't do fails alone. */
    private static String[] tornadoFlags(Path home) {
        return new String[] {
            "@" + home.resolve("tornado-argfile"),
            "-Dtornado.recover.bailout=False",
            "-Dtornado.tvm.maxbytecodesize=65536",
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dhotrow.model=" + System.getProperty("hotrow.model"),
        };
    }

    private Map<String, String> about() {
        Map<String, String> about = new LinkedHashMap<>();
        about.put(BenchRun.COMMIT, System.getProperty("hotrow.commit", "unknown"));
        about.put("started", start.truncatedTo(ChronoUnit.SECONDS).toString());
        about.put("seconds", Long.toString(start.until(Instant.now(), ChronoUnit.SECONDS)));
        about.put(BenchRun.PROFILE, own.profile().name().toLowerCase(Locale.ROOT));
        about.put("arguments", String.join(" ", own.rest()));
        about.put(BenchRun.CPU, BenchMachine.cpu());
        about.put(BenchRun.PROCESSORS, Integer.toString(Runtime.getRuntime().availableProcessors()));
        about.put(BenchRun.MEMORY, BenchMachine.memory());
        about.put(BenchRun.SYSTEM, BenchMachine.system());
        about.put(BenchRun.JDK, System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
        about.put("flags", flags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        about.put(BenchRun.OTHERS, String.format(Locale.ROOT, "%.0f %%", machine.others()));
        return about;
    }

    /** Without paths of this machine. */
    private static String flags(List<String> arguments) {
        return String.join(
                " ",
                arguments.stream()
                        .filter(argument -> !argument.startsWith("-Dhotrow."))
                        .toList());
    }
}
