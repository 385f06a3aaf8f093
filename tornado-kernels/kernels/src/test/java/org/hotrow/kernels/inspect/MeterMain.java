package org.hotrow.kernels.inspect;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.hotrow.emulator.Emulator;
import org.hotrow.emulator.Mode;
import org.hotrow.emulator.TaskMeter;

/**
 * Runs operations on the emulator and prints what they moved: {@code MeterMain DIRECTORY [NAME ...]}. The directory gets a
 * file per operation, {@code NAME.bytes}, for {@link InspectMain}: unique bytes of all tasks together, share of sectors
 * used.
 *
 * <pre>
 * task         groups  barriers  requested  unique  sectors  conflicts
 * operation                      requested  sum     sectors             together  floor  partials  together : floor + partials
 * </pre>
 */
final class MeterMain {
    private final PrintStream out;
    private final Path directory;

    private MeterMain(PrintStream out, Path directory) {
        this.out = out;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        int status = run(List.of(arguments), System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(List<String> arguments, PrintStream out, PrintStream errors) throws Exception {
        Selection selection = Selection.of("meter", arguments, errors);
        if (selection == null) {
            return Selection.USAGE;
        }
        Files.createDirectories(selection.directory());
        MeterMain meter = new MeterMain(out, selection.directory());
        meter.line(
                "task",
                "groups",
                "barriers",
                "requested",
                "unique",
                "sectors",
                "conflicts",
                "together",
                "floor",
                "partials",
                "verdict");
        for (Supplier<Launch> launch : selection.launches()) {
            meter.meter(launch.get());
        }
        return 0;
    }

    private void meter(Launch launch) throws Exception {
        Emulator.use(Mode.METERED);
        launch.plan(plan -> plan.execute());
        List<TaskMeter> meters = new ArrayList<>();
        for (String task : launch.tasks()) {
            TaskMeter meter = Objects.requireNonNull(Emulator.meter(launch.name() + "." + task));
            meters.add(meter);
            line(
                    meter.task(),
                    meter.groups(),
                    meter.barriers(),
                    meter.requestedBytes(),
                    meter.uniqueBytes(),
                    percent(sectorUse(List.of(meter))),
                    meter.bankConflicts(),
                    "",
                    "",
                    "",
                    "");
        }
        long together = Emulator.footprint().uniqueBytes();
        double sectors = sectorUse(meters);
        String missed =
                launch.keepsTheBar(together, sectors) ? "" : launch.why().isEmpty() ? ", too much" : "*";
        line(
                launch.name(),
                "",
                "",
                meters.stream().mapToLong(TaskMeter::requestedBytes).sum(),
                meters.stream().mapToLong(TaskMeter::uniqueBytes).sum(),
                percent(sectors),
                "",
                together,
                launch.floorBytes(),
                launch.partialBytes(),
                launch.timesFloor(together) + missed);
        if (missed.equals("*")) {
            out.println("  * " + launch.why());
        }
        Files.writeString(directory.resolve(launch.name() + ".bytes"), together + " " + percent(sectors) + "\n");
    }

    private void line(Object... cells) {
        out.printf("%-29s %7s %9s %11s %10s %7s %9s %10s %10s %9s  %s%n", cells);
    }

    private static double sectorUse(List<TaskMeter> meters) {
        long used = 0;
        long fetched = 0;
        for (TaskMeter meter : meters) {
            for (TaskMeter.Array array : meter.arrays()) {
                used += array.used();
                fetched += array.fetched();
            }
        }
        return fetched == 0 ? 1 : (double) used / fetched;
    }

    private static String percent(double share) {
        return "%.0f%%".formatted(100 * share);
    }
}
