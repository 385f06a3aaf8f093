package org.hotrow.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run ran on, as far as the machine says. */
final class H200Machine {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private H200Machine() {}

    /** Facts by name; {@value H200Report#NOT_RUN} where a GPU would be asked. */
    static Map<String, String> facts(H200Options options) throws IOException, InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("commit", commit(options));
        facts.put("jdk", System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
        facts.put("sdk", sdk());
        facts.put("run", options.smoke() ? "smoke: few and short inputs, nothing timed" : "production shapes");
        facts.put("device", gpu(options, "name,memory.total"));
        facts.put("driver", gpu(options, "driver_version"));
        facts.put("clocks_idle", clocks(options));
        facts.put("clocks_most", gpu(options, "clocks.max.sm,clocks.max.mem"));
        return facts;
    }

    /** Of multiprocessors and memory, now. */
    static String clocks(H200Options options) throws IOException, InterruptedException {
        return gpu(options, "clocks.sm,clocks.mem");
    }

    private static String gpu(H200Options options, String what) throws IOException, InterruptedException {
        String said = options.smoke()
                ? ""
                : say(options, List.of("nvidia-smi", "--query-gpu=" + what, "--format=csv,noheader"));
        return said.isEmpty() ? H200Report.NOT_RUN : said;
    }

    /** What {@code bench/bin/h200 pack} has noted, as a tree that travels has no history. */
    private static String commit(H200Options options) throws IOException, InterruptedException {
        Path noted = options.root().resolve("target/h200/commit");
        if (Files.exists(noted)) {
            return Files.readString(noted).strip();
        }
        return say(options, List.of("git", "rev-parse", "--short", "HEAD"));
    }

    private static String sdk() throws IOException {
        String home = System.getenv("TORNADOVM_HOME");
        if (home == null) {
            return "none";
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(
                Path.of(home, "share/java/tornado"), "tornado-drivers-{cuda,opencl}-[0-9]*.jar")) {
            for (Path jar : jars) {
                return "TornadoVM " + jar.getFileName().toString().replaceAll("tornado-drivers-|\\.jar", "");
            }
        }
        return "TornadoVM without a back end";
    }

    private static String say(H200Options options, List<String> command) throws InterruptedException {
        try {
            TimedCommand run = TimedCommand.run(options.root(), options.log(), LIMIT, command);
            return run.exit() == 0 ? run.out().strip() : "";
        } catch (IOException e) {
            // There is no such command on this machine.
            return "";
        }
    }
}
