package org.hotrow.engine.chat;

import java.util.OptionalLong;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Sampling;

/**
 * What {@code /set} changes.
 *
 * @param sampling how tokens are drawn; its seed is not used
 * @param seed of each answer; without it each has another
 * @param maxTokens most tokens of an answer
 * @param think whether the model is asked to reason, and its reasoning shown
 * @param watch whether the status line shows the cache
 * @param cache size and policy
 */
record Settings(Sampling sampling, OptionalLong seed, int maxTokens, boolean think, boolean watch, CacheOptions cache) {
    /** How the next answer is drawn. */
    Sampling next() {
        return sampling.withSeed(seed.orElseGet(System::nanoTime));
    }

    Settings with(Sampling other) {
        return new Settings(other, seed, maxTokens, think, watch, cache);
    }

    Settings withSeed(OptionalLong other) {
        return new Settings(sampling, other, maxTokens, think, watch, cache);
    }

    Settings withMaxTokens(int other) {
        return new Settings(sampling, seed, other, think, watch, cache);
    }

    Settings withThink(boolean other) {
        return new Settings(sampling, seed, maxTokens, other, watch, cache);
    }

    Settings withWatch(boolean other) {
        return new Settings(sampling, seed, maxTokens, think, other, cache);
    }

    Settings with(CacheOptions other) {
        return new Settings(sampling, seed, maxTokens, think, watch, other);
    }
}
