package org.hotrow.engine;

/** Hears how far the loading of weights has come. */
@FunctionalInterface
public interface LoadProgress {
    /** Hears nothing. */
    LoadProgress NONE = (loaded, total) -> {};

    /** {@code loaded} of {@code total} bytes are in memory. */
    void loaded(long loaded, long total);
}
