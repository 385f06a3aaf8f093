package org.hotrow.bench;

import java.util.function.LongSupplier;

/** Time that passes only when somebody says so. */
final class VirtualClock implements LongSupplier {
    private static final double NANOS = 1e9;
    private long nanos;

    @Override
    public long getAsLong() {
        return nanos;
    }

    double seconds() {
        return nanos / NANOS;
    }

    void advance(double seconds) {
        nanos += Math.round(seconds * NANOS);
    }

    /** Goes on to a moment, unless it is past. */
    void advanceTo(long moment) {
        nanos = Math.max(nanos, moment);
    }

    /** A moment so many seconds after the start. */
    static long at(double seconds) {
        return Math.round(seconds * NANOS);
    }
}
