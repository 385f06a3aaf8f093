package org.hotrow.engine;

/** What a model's devices are made of: its weights where they compute, and who computes. */
interface Devices extends AutoCloseable {
    /**
     * A device with a cache of its own.
     *
     * @param maxRows tokens of the largest step
     * @param everyLogit logits of all tokens of a step, else only of those that a next token is drawn from
     */
    ModelDevice device(CacheConfig cache, int maxRows, boolean everyLogit);

    @Override
    void close();
}
