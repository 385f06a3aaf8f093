package org.hotrow.engine.lanes;

import java.util.Optional;

/**
 * Which provider runs, and why.
 *
 * @param lanes the provider
 * @param reason for people, one line
 * @param degraded whether the faster provider was wanted and can't be had
 */
public record LanesChoice(Lanes lanes, String reason, boolean degraded) {
    private static final String MODULE = "jdk.incubator.vector";

    /** What the user asked for. */
    public enum Mode {
        /** The Vector API where it is there and fast, plain Java until it is compiled. */
        auto,
        /** The Vector API from the start, or an error. */
        on,
        /** Plain Java. */
        off
    }

    /**
     * The provider for {@code mode}.
     *
     * @throws IllegalArgumentException if the Vector API is asked for and not there
     */
    public static LanesChoice of(Mode mode) {
        if (mode == Mode.off) {
            return new LanesChoice(Lanes.plain(), "plain Java, as asked for", false);
        }
        Optional<String> obstacle = obstacle();
        if (obstacle.isEmpty()) {
            String reason = "Vector API, " + VectorLanes.bits() + " bits at a time";
            Lanes vector = Lanes.vector();
            return mode == Mode.on
                    ? new LanesChoice(vector, reason + ", as asked for", false)
                    : new LanesChoice(new WarmingLanes(vector), reason + ", as soon as it is compiled", false);
        }
        if (mode == Mode.on) {
            throw new IllegalArgumentException("the Vector API can't be used: " + obstacle.get());
        }
        return new LanesChoice(Lanes.plain(), "plain Java: " + obstacle.get(), true);
    }

    private static Optional<String> obstacle() {
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            return Optional.of("the module " + MODULE + " is not loaded, start java with --add-modules " + MODULE);
        }
        int bits = VectorLanes.preferredBits();
        return bits >= VectorLanes.bits()
                ? Optional.empty()
                : Optional.of("this machine has vectors of " + bits + " bits, fewer than " + VectorLanes.bits());
    }
}
