package org.hotrow.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What a run's machine is, as far as Linux says, and how much of it others took meanwhile. */
final class BenchMachine {
    private static final Path CPUINFO = Path.of("/proc/cpuinfo");
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Path STAT = Path.of("/proc/stat");
    private static final Path OWN_STAT = Path.of("/proc/self/stat");
    private static final String UNKNOWN = "unknown";
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int FIRST_GUEST = 8;
    /** User, system, and both of children that ended, behind the name of the program. */
    private static final int OWN_FROM = 11;

    private static final int OWN_TO = 15;

    private final Ticks before = Ticks.now();

    /** @param own of this process and its children that ended */
    private record Ticks(long busy, long all, long own) {
        static Ticks now() {
            if (!Files.isReadable(STAT) || !Files.isReadable(OWN_STAT)) {
                return new Ticks(0, 0, 0);
            }
            String[] cpu = text(STAT).lines().findFirst().orElse("").trim().split("\\s+", -1);
            long all = 0;
            long idle = 0;
            for (int i = 0; i < Math.min(FIRST_GUEST, cpu.length - 1); i++) {
                long ticks = Long.parseLong(cpu[i + 1]);
                all += ticks;
                idle += i == IDLE || i == IO_WAIT ? ticks : 0;
            }
            String own = text(OWN_STAT);
            String[] fields = own.substring(own.lastIndexOf(')') + 2).trim().split(" ", -1);
            long mine = Arrays.stream(fields, OWN_FROM, OWN_TO)
                    .mapToLong(Long::parseLong)
                    .sum();
            return new Ticks(all - idle, all, mine);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    private static String line(Path file, String key) {
        if (!Files.isReadable(file)) {
            return UNKNOWN;
        }
        return text(file)
                .lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(UNKNOWN);
    }

    static String cpu() {
        return line(CPUINFO, "model name");
    }

    static String memory() {
        return line(MEMINFO, "MemTotal");
    }

    static String system() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
    }

    /** Share of all processors' time since this was made that other programs had, in percent. */
    double others() {
        Ticks now = Ticks.now();
        long all = now.all - before.all;
        return all == 0 ? 0 : Math.max(0, 100.0 * ((now.busy - before.busy) - (now.own - before.own)) / all);
    }
}
