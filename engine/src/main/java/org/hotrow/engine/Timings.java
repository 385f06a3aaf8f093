package org.hotrow.engine;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the time until the first token went, and the flag that asks for it.
 *
 * <pre>
 * launcher | JVM | command line | ... | prefill | first token      what ends each part, on one clock
 * </pre>
 *
 * Each end is rounded to a millisecond once and a part is the difference of two ends, so the parts add up to the total.
 * The launcher tells when it started by {@code -Dhotrow.started}, in microseconds since 1970; without it the JVM comes
 * first.
 */
public final class Timings {
    private static final String FIRST_TOKEN = "first token";

    /** A part ended so many milliseconds after 1970. */
    private record End(String part, long millis) {}

    @Option(names = "--timings", description = "print to stderr what each part took until the first token")
    private boolean wanted;

    private final LongSupplier clock;
    private final long main;
    private final List<End> ends = new ArrayList<>();
    private boolean reported;

    /** @param clock milliseconds since 1970; {@code main} begins now */
    Timings(LongSupplier clock) {
        this.clock = clock;
        main = clock.getAsLong();
    }

    /** By a clock that nobody sets meanwhile. */
    static Timings system() {
        long millis = System.currentTimeMillis();
        long nanos = System.nanoTime();
        return new Timings(() -> millis + Math.round((System.nanoTime() - nanos) * 1e-6));
    }

    /** The next part begins where this one ends. After the first token nothing is a part any more. */
    public void end(String part) {
        if (!complete()) {
            ends.add(new End(part, clock.getAsLong()));
        }
    }

    /** A listener that ends the last two parts. */
    public TokenListener until(TokenListener listener) {
        return new TokenListener() {
            @Override
            public void prefilled() {
                listener.prefilled();
                end("prefill");
            }

            @Override
            public boolean accept(int id) {
                boolean goesOn = listener.accept(id);
                end(FIRST_TOKEN);
                return goesOn;
            }
        };
    }

    /** Prints the parts, once, if they were asked for and there was a token. */
    public void report(Console console) {
        if (wanted && complete() && !reported) {
            reported = true;
            Long started = Long.getLong("hotrow.started");
            lines(started, ManagementFactory.getRuntimeMXBean().getStartTime()).forEach(console::dim);
        }
    }

    /**
     * @param launcherMicros when the launcher started, in microseconds since 1970, if it told
     * @param jvmMillis when the JVM started, in milliseconds since 1970
     */
    List<String> lines(@Nullable Long launcherMicros, long jvmMillis) {
        List<String> lines = new ArrayList<>();
        long start = jvmMillis;
        if (launcherMicros != null) {
            start = Math.round(launcherMicros * 1e-3);
            lines.add(line("launcher", jvmMillis - start));
        }
        lines.add(line("JVM", main - jvmMillis));
        long before = main;
        for (End end : ends) {
            lines.add(line(end.part, end.millis - before));
            before = end.millis;
        }
        lines.add(line("total", before - start));
        return lines;
    }

    private static String line(String part, long millis) {
        return String.format(Locale.ROOT, "%-16s %6d ms", part, millis);
    }

    private boolean complete() {
        return !ends.isEmpty() && ends.getLast().part.equals(FIRST_TOKEN);
    }
}
