package org.hotrow.engine;

/** Hears the ids of a text as they come. */
@FunctionalInterface
public interface TokenListener {
    /** Takes the next id; false ends the text after it. */
    boolean accept(int id);

    /** The prompt is in the cache; the first id follows. */
    default void prefilled() {}

    /** No id follows any more. */
    default void ended() {}
}
