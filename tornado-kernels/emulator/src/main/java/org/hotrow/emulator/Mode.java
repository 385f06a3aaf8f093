package org.hotrow.emulator;

/**
 * How kernels run.
 *
 * @param checks faults are found and named: see {@link KernelFault}
 * @param meter traffic is counted: see {@link TaskMeter}
 * @param seed order of groups, and of work-items between barriers; 0 is ascending
 */
public record Mode(boolean checks, boolean meter, long seed) {
    /** No checks, no meter, ascending order. */
    public static final Mode FAST = new Mode(false, false, 0);

    /** Checks, ascending order. */
    public static final Mode CHECKED = new Mode(true, false, 0);

    /** The meter alone. */
    public static final Mode METERED = new Mode(false, true, 0);

    /** This mode with another order. */
    public Mode withSeed(long other) {
        return new Mode(checks, meter, other);
    }

    /** Whether accesses to arrays are watched, so that device arrays need a {@link Shadow}. */
    public boolean watches() {
        return checks || meter;
    }

    /** The mode that the system properties {@code hotrow.emulator} and {@code hotrow.emulator.seed} name. */
    static Mode ofProperties() {
        String name = System.getProperty("hotrow.emulator", "fast");
        Mode mode = switch (name) {
            case "fast" -> FAST;
            case "checked" -> CHECKED;
            case "metered" -> METERED;
            default ->
                throw new IllegalArgumentException(
                        "-Dhotrow.emulator=" + name + ": fast, checked and metered are known");
        };
        return mode.withSeed(Long.getLong("hotrow.emulator.seed", 0));
    }
}
