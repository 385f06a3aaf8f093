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

    private Emulator() {}

    /** How kernels run. */
    public static Mode mode() {
        return mode;
    }

    /** Changes how kernels run; arrays that a launch without checks and meter was given count as written from then on. */
    public static void use(Mode other) {
        mode = other;
    }

    /** What the last metered launch of a task moved, {@code graph.task}; null if none was metered. */
    public static @Nullable TaskMeter meter(String task) {
        return METERS.get(task);
    }

    static void metered(TaskMeter meter) {
        METERS.put(meter.task(), meter);
    }
}
