package org.hotrow.kernels.inspect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hotrow.emulator.Emulator;
import org.hotrow.emulator.Mode;
import org.hotrow.emulator.TaskMeter;

/**
 * Runs operations on the emulator and prints what they moved: {@code MeterMain DIRECTORY [NAME ...]}. The directory gets a
 * file per operation, {@code NAME.bytes}, for {@link InspectMain}: unique bytes, requested bytes, share of sectors used.
 */
final class MeterMain {
    private static final String LINE = "%-26s %8s %10s %12s %12s %8s %12s %10s%n";

    private MeterMain() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        List<String> names = List.of(arguments).subList(1, arguments.length);
        Emulator.use(Mode.METERED);
        System.out.printf(LINE, "task", "groups", "barriers", "unique", "requested", "sectors", "conflicts", "floor");
        for (Launch launch : Selection.of(names)) {
            launch.plan(plan -> plan.execute());
            List<TaskMeter> meters = new ArrayList<>();
            for (String task : launch.tasks()) {
                TaskMeter meter = Objects.requireNonNull(Emulator.meter(launch.name() + "." + task));
                meters.add(meter);
                System.out.printf(
                        LINE,
                        meter.task(),
                        meter.groups(),
                        meter.barriers(),
                        meter.uniqueBytes(),
                        meter.requestedBytes(),
                        percent(sectorUse(List.of(meter))),
                        meter.bankConflicts(),
                        "");
            }
            long unique = meters.stream().mapToLong(TaskMeter::uniqueBytes).sum();
            long requested =
                    meters.stream().mapToLong(TaskMeter::requestedBytes).sum();
            String sectors = percent(sectorUse(meters));
            System.out.printf(
                    LINE,
                    launch.name() + ": " + launch.timesFloor(unique),
                    "",
                    "",
                    unique,
                    requested,
                    sectors,
                    "",
                    launch.floorBytes());
            Files.createDirectories(directory);
            Files.writeString(
                    directory.resolve(launch.name() + ".bytes"), unique + " " + requested + " " + sectors + "\n");
        }
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
