package org.hotrow.bench;

import java.io.IOException;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs benchmarks with JMH's flags, each compared with its floor, and prints a {@link FloorTable}; JMH's own report
 * instead with {@code -v}.
 */
final class Bench {
    private Bench() {}

    /** Exit codes: 0 ok, 1 a benchmark failed, which ends the run unless {@code -foe false}, 2 usage. */
    public static void main(String... args) throws IOException {
        try {
            run(args);
        } catch (CommandLineOptionException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
        } catch (NoBenchmarksException e) {
            System.err.println("bench: no benchmark has such a name, -l lists them");
            System.exit(2);
        } catch (RunnerException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void run(String... args) throws IOException, CommandLineOptionException, RunnerException {
        CommandLineOptions flags = new CommandLineOptions(args);
        if (flags.shouldHelp()
                || flags.shouldList()
                || flags.shouldListWithParams()
                || flags.shouldListProfilers()
                || flags.shouldListResultFormats()) {
            Main.main(args);
            return;
        }
        Options options = new OptionsBuilder()
                .parent(flags)
                .addProfiler(FloorProfiler.class)
                .addProfiler(RatioProfiler.class)
                .shouldFailOnError(flags.shouldFailOnError().orElse(true))
                .build();
        Runner runner = flags.verbosity().hasValue()
                ? new Runner(options)
                : new Runner(options, new FloorTable(System.out, System.err));
        runner.run();
    }
}
