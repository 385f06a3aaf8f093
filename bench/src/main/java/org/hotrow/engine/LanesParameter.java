package org.hotrow.engine;

import org.hotrow.engine.lanes.Lanes;

/** What parameter {@code lanes} of a benchmark may be. */
final class LanesParameter {
    static final String VECTOR = "vector";
    static final String PLAIN = "plain";

    private LanesParameter() {}

    static Lanes of(String name) {
        return switch (name) {
            case VECTOR -> Lanes.vector();
            case PLAIN -> Lanes.plain();
            default -> throw new IllegalArgumentException("lanes " + name + ": expected vector or plain");
        };
    }
}
