package org.hotrow.modelloader;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** What the process holds and has used, as the JVM and Linux count it. */
final class Footprint {
    private static final Path PROC = Path.of("/proc/self");

    private Footprint() {}

    /** Heap bytes that this thread has allocated so far, collected or not. */
    static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** Bytes that the process has asked for with read calls so far; mapped pages are not among them. */
    static long readBytes() throws IOException {
        return count(lines("io"), "rchar:");
    }

    /** Bytes of the mappings of {@code file} that are in memory. */
    static long residentBytes(Path file) throws IOException {
        long kib = 0;
        boolean inFile = false;
        for (String line : lines("smaps")) {
            // A mapping starts with its address range and ends with its path; its counters follow.
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                inFile = line.endsWith(file.toRealPath().toString());
            } else if (inFile && line.startsWith("Rss:")) {
                kib += count(List.of(line), "Rss:");
            }
        }
        return kib * 1024;
    }

    /** Whether the process maps a file below {@code folder} or has one open. */
    static boolean holdsFilesIn(Path folder) throws IOException {
        String prefix = folder.toRealPath() + "/";
        if (lines("maps").stream().anyMatch(line -> line.contains(prefix))) {
            return true;
        }
        try (var descriptors = Files.list(PROC.resolve("fd"))) {
            return descriptors.anyMatch(link -> {
                try {
                    return Files.readSymbolicLink(link).toString().startsWith(prefix);
                } catch (IOException e) {
                    return false; // The descriptor of the listing itself, closed by now.
                }
            });
        }
    }

    private static List<String> lines(String name) throws IOException {
        Assumptions.assumeTrue(Files.exists(PROC.resolve(name)), "needs the proc file system of Linux");
        return Files.readAllLines(PROC.resolve(name));
    }

    private static long count(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }
}
