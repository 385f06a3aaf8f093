package org.hotrow.bench;

import java.time.Duration;

/** Time that sections of a run share: each gets its limit, or what is left of the whole if that is less. */
final class SectionBudget {
    private final long endNanos;

    /** @param now {@link System#nanoTime}, as in {@link #next} */
    SectionBudget(Duration whole, long now) {
        endNanos = now + whole.toNanos();
    }

    /** What a section with this limit may take; zero if nothing is left. */
    Duration next(Duration limit, long now) {
        Duration left = Duration.ofNanos(Math.max(0, endNanos - now));
        return limit.compareTo(left) < 0 ? limit : left;
    }
}
