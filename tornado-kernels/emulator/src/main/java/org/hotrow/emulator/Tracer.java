package org.hotrow.emulator;

import java.util.List;
import org.hotrow.emulator.KernelFault.Kind;
import org.jspecify.annotations.Nullable;

/** Follows a launch with checks or meter: which work-item runs, and at which instruction. One launch runs at a time. */
final class Tracer {
    /** The launch that runs now; rewritten kernels ask for it. */
    private static @Nullable Tracer active;

    private final String kernel;
    private final Sites sites;
    private final boolean checks;
    private final @Nullable Meter meter;
    private List<LocalArray> locals = List.of();
    private int group;
    private int interval;
    private int item;
    private int site = Sites.UNKNOWN;

    Tracer(String kernel, Sites sites, boolean checks, @Nullable Meter meter) {
        this.kernel = kernel;
        this.sites = sites;
        this.checks = checks;
        this.meter = meter;
    }

    static @Nullable Tracer active() {
        return active;
    }

    static void activate(@Nullable Tracer tracer) {
        active = tracer;
    }

    boolean checks() {
        return checks;
    }

    Sites sites() {
        return sites;
    }

    int site() {
        return site;
    }

    void group(int number, List<LocalArray> localArrays) {
        group = number;
        interval = 0;
        locals = localArrays;
        if (meter != null) {
            meter.group();
        }
    }

    /** A work-item begins, or goes on behind the instruction at which it has stopped: that may touch memory yet. */
    void item(int number, int stoppedAt) {
        item = number;
        site = stoppedAt;
        if (meter != null) {
            meter.item(number, stoppedAt);
        }
    }

    /** Every work-item of the group has stopped somewhere: accesses of a warp's lanes can be put together. */
    void stopped() {
        if (meter != null) {
            meter.settle();
        }
    }

    void barrier() {
        interval++;
        if (checks && interval == Stamps.MAX_INTERVALS) {
            throw new IllegalStateException(
                    kernel + ": checks follow " + Stamps.MAX_INTERVALS + " barriers of a group");
        }
        if (meter != null) {
            meter.barrier();
        }
    }

    /** The work-item has come to an instruction. */
    void at(int number) {
        site = number;
        if (meter != null) {
            meter.at(number);
        }
    }

    /** The instruction that runs goes on with another access of the whole warp. */
    static void nextAccess() {
        if (active != null) {
            active.at(active.site);
        }
    }

    /** Shadow of an array if it is a local array of this group; private arrays have none. */
    @Nullable
    Shadow shadowOf(Object array) {
        for (LocalArray local : locals) {
            if (local.is(array)) {
                return local.shadow();
            }
        }
        return null;
    }

    /** Shadow of an array if it is a local array of the group that runs and accesses are watched. */
    static @Nullable Shadow shadow(Object array) {
        return active == null ? null : active.shadowOf(array);
    }

    /** An element of a Java array, which may be a local one, is about to be read. */
    static void reads(Object array, int index) {
        Shadow shadow = shadow(array);
        if (shadow != null) {
            shadow.read(index);
        }
    }

    /** An element of a Java array, which may be a local one, is about to be written. */
    static void writes(Object array, int index) {
        Shadow shadow = shadow(array);
        if (shadow != null) {
            shadow.write(index);
        }
    }

    long stamp() {
        return Stamps.stamp(group, interval, item, site);
    }

    void meter(@Nullable Traffic traffic, int index, boolean read, boolean write) {
        if (meter != null && traffic != null) {
            meter.access(traffic, index, read, write);
        }
    }

    /** The work-item may not do this with an element. */
    KernelFault fault(Kind kind, Shadow array, int index, String does, String why) {
        return new KernelFault(kind, kernel, element(array, index) + now(does) + ", " + why);
    }

    /** What the work-item does with an element conflicts with what another did. */
    KernelFault race(Shadow array, int index, String does, String did, long earlier) {
        boolean within = Stamps.group(earlier) == group;
        return new KernelFault(
                within ? Kind.RACE : Kind.RACE_BETWEEN_GROUPS,
                kernel,
                element(array, index) + now(does) + ", "
                        + who(Stamps.group(earlier), Stamps.item(earlier)) + " " + did + " it at "
                        + sites.get(Stamps.site(earlier)).source()
                        + (within ? ", and no barrier is between them" : ""));
    }

    private static String element(Shadow array, int index) {
        return ", " + array.name() + "[" + index + "]: ";
    }

    private String now(String does) {
        return who(group, item) + " " + does + " it at " + sites.get(site).source();
    }

    static String who(int group, int item) {
        return "work-item " + item + " of group " + group;
    }
}
