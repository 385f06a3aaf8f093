package org.hotrow.kernels.inspect;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import uk.ac.manchester.tornado.api.WorkerGrid;

/**
 * Compiles operations with TornadoVM's CUDA back end and prints what became of their kernels: {@code InspectMain DIRECTORY
 * [NAME ...]}. The directory gets {@code NAME.TASK.cu}, {@code NAME.ptx} and {@code table.md}; it may have
 * {@code NAME.bytes} of {@link MeterMain}.
 *
 * <p>TornadoVM appends the source of each kernel that it compiles to the file that the property
 * {@code tornado.print.kernel.dir} names, in the order of the tasks.
 */
final class InspectMain {
    private static final Pattern KERNEL = Pattern.compile("__global__ void (\\w+)\\(");
    private static final String HEADER = """
            | kernel | shape | group | groups | registers | stack | spilled | shared | occupancy | bytes | floor | partials | sectors used |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|
            """;

    private final Path directory;
    private final Path printed = Path.of(System.getProperty("tornado.print.kernel.dir"));
    private final boolean assembles = Assembly.isPossible();
    private final String origin;
    private final StringBuilder table = new StringBuilder(HEADER);

    private InspectMain(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        origin = System.getProperty("hotrow.inspect.sdk") + (assembles ? "; " + Assembly.version() : "");
    }

    public static void main(String[] arguments) throws Exception {
        int status = run(List.of(arguments), System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(List<String> arguments, PrintStream out, PrintStream errors) throws Exception {
        Selection selection = Selection.of("inspect", arguments, errors);
        if (selection == null) {
            return Selection.USAGE;
        }
        InspectMain inspect = new InspectMain(selection.directory());
        if (!inspect.assembles) {
            errors.println("inspect: CUDA C only: neither on the path nor named by NVCC and PTXAS are nvcc and ptxas");
        }
        for (Supplier<Launch> launch : selection.launches()) {
            inspect.inspect(launch.get());
        }
        out.print(inspect.table);
        Files.writeString(
                inspect.directory.resolve("table.md"),
                "Made by bin/inspect: " + inspect.origin + ".\n\n" + inspect.table);
        return 0;
    }

    private void inspect(Launch launch) throws Exception {
        Files.deleteIfExists(printed);
        launch.plan(plan -> plan.withPreCompilation());
        List<String> sources = kernels(Files.readString(printed));
        if (sources.size() != launch.tasks().size()) {
            throw new IllegalStateException(launch.name() + ": "
                    + launch.tasks().size() + " tasks gave " + sources.size() + " kernels, see " + printed);
        }
        StringBuilder ptx = new StringBuilder("// " + launch.name() + ", " + launch.shape() + ". " + origin + "\n");
        for (int i = 0; i < sources.size(); i++) {
            String task = launch.tasks().get(i);
            Path source = directory.resolve(launch.name() + "." + task + ".cu");
            Files.writeString(source, sources.get(i));
            String kernel = task + " (" + name(sources.get(i)) + ")";
            if (assembles) {
                Path assembly = directory.resolve("kernel.ptx");
                Assembly.compile(source, assembly);
                ptx.append("\n// ").append(task).append('\n').append(Files.readString(assembly));
                row(launch, i, kernel, Assembly.of(assembly));
            }
        }
        if (assembles) {
            Files.writeString(directory.resolve(launch.name() + ".ptx"), ptx);
        }
    }

    private void row(Launch launch, int task, String kernel, Assembly assembly) throws IOException {
        WorkerGrid grid = launch.grid(launch.tasks().get(task));
        int group = (int) Objects.requireNonNull(grid.getLocalWork())[0];
        long groups = grid.getGlobalWork()[0] / group * grid.getGlobalWork()[1];
        Traffic traffic = Traffic.metered(directory, launch);
        List<String> cells = List.of(
                launch.name() + "." + kernel,
                task == 0 ? launch.shape() : "",
                "" + group,
                "" + groups,
                "" + assembly.registers(),
                "" + assembly.stackBytes(),
                "" + assembly.spilledBytes(),
                "" + assembly.sharedBytes(),
                Occupancy.share(assembly.registers(), assembly.sharedBytes(), group),
                task == 0 ? traffic.bytes() : "",
                task == 0 ? "" + launch.floorBytes() : "",
                task == 0 ? "" + launch.partialBytes() : "",
                task == 0 ? traffic.sectors() : "");
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** The sources of a file: each ends with its kernel's closing brace. */
    private static List<String> kernels(String text) {
        List<String> kernels = new ArrayList<>();
        StringBuilder kernel = new StringBuilder();
        for (String line : text.lines().toList()) {
            kernel.append(line).append('\n');
            if (line.startsWith("}") && KERNEL.matcher(kernel).find()) {
                kernels.add(kernel.toString());
                kernel.setLength(0);
            }
        }
        return kernels;
    }

    private static String name(String source) {
        Matcher kernel = KERNEL.matcher(source);
        return kernel.find() ? kernel.group(1) : "?";
    }

    /** What the meter has counted of all tasks of an operation together. */
    private record Traffic(String bytes, String sectors) {
        static Traffic metered(Path directory, Launch launch) throws IOException {
            Path meter = directory.resolve(launch.name() + ".bytes");
            if (!Files.exists(meter)) {
                return new Traffic("not metered", "");
            }
            String[] counts = Files.readString(meter).strip().split(" ", -1);
            long unique = Long.parseLong(counts[0]);
            return new Traffic(unique + " (" + launch.timesFloor(unique) + ")", counts[1]);
        }
    }
}
