package org.hotrow.bench;

import java.util.function.LongSupplier;

/** Time that passes only when somebody says so. */
final class VirtualClock implements LongSupplier {
    private static final double NANOS = 1e9;
    private long nanos;

    /** Nanoseconds since the start. */
    @Override
    public long getAsLong() {
        return nanos;
    }

    /** Seconds since the start. */
    double seconds() {
        return nanos / NANOS;
    }

    /** Goes on by so many seconds. */
    void advance(double seconds) {
        nanos += nanos(seconds);
    }

    /** Goes on to a moment, unless it is past. */
    void advanceTo(long moment) {
        nanos = Math.max(nanos, moment);
    }

    /** So many seconds. */
    static long nanos(double seconds) {
        return Math.round(seconds * NANOS);
    }
}
