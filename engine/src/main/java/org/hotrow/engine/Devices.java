package org.hotrow.engine;

import java.util.List;

/** What a model's devices are made of: its weights where they compute, and who computes. */
interface Devices extends AutoCloseable {
    /**
     * A device with a cache of its own.
     *
     * @param maxRows tokens of the largest step
     * @param everyLogit logits of all tokens of a step, else only of those that a next token is drawn from
     */
    ModelDevice device(CacheConfig cache, int maxRows, boolean everyLogit);

    /**
     * What {@link #device} checks before it takes anything, so that nobody gives up a device for one that can't be.
     *
     * @throws EngineException if the device hasn't the memory
     */
    default void require(CacheConfig cache, int maxRows, boolean everyLogit) {}

    /** What a device's own memory holds, a line for each use; none if it has no memory of its own. */
    default List<String> memory() {
        return List.of();
    }

    @Override
    void close();

    /** Where there are devices of a kind. */
    @FunctionalInterface
    interface Maker {
        /**
         * The devices of a model.
         *
         * @throws DeviceException if there are none here
         */
        Devices of(Model model, CacheFormat format, LoadProgress progress);
    }
}
