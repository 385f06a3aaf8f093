package org.hotrow.bench;

/**
 * How one turn went; moments in nanoseconds.
 *
 * @param sent when the client sent it
 * @param cached tokens of the prompt that were found in the cache
 */
record TurnTimes(long sent, long firstToken, long lastToken, int prompt, int output, int cached, int preemptions) {
    private static final double NANOS = 1e9;

    /** Seconds to the first token. */
    double timeToFirstToken() {
        return (firstToken - sent) / NANOS;
    }

    /** Seconds per token after the first. */
    double timePerToken() {
        return (lastToken - firstToken) / NANOS / Math.max(1, output - 1);
    }
}
