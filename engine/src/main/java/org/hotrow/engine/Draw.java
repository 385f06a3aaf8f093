package org.hotrow.engine;

/** Draws the next token of a request. */
@FunctionalInterface
public interface Draw {
    /**
     * The next token.
     *
     * @param logits of the whole vocabulary, from {@code from} on
     */
    int next(float[] logits, int from);
}
