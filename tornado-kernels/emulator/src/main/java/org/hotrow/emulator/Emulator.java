package org.hotrow.emulator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How kernels run, and what the meter has counted. The system properties {@code hotrow.emulator} ({@code fast},
 * {@code checked} or {@code metered}) and {@code hotrow.emulator.seed} name the mode that an emulator starts with.
 */
public final class Emulator {
    private static final Map<String, TaskMeter> METERS = new ConcurrentHashMap<>();
    private static volatile Mode mode = Mode.ofProperties();
    private static volatile Footprint footprint = new Footprint();

    private Emulator() {}

    /** How kernels run. */
    public static Mode mode() {
        return mode;
    }

    /** Changes how kernels run; arrays that a launch without checks and meter was given count as written from then on. */
    public static void use(Mode other) {
        mode = other;
        footprint = new Footprint();
    }

    /** What the last metered launch of a task moved, {@code graph.task}; null if none was metered. */
    public static @Nullable TaskMeter meter(String task) {
        return METERS.get(task);
    }

    /** What metered launches have moved together since {@link #use}. */
    public static Footprint footprint() {
        return footprint;
    }

    static void metered(TaskMeter meter) {
        METERS.put(meter.task(), meter);
    }
}
