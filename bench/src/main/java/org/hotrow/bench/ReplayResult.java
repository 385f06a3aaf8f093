package org.hotrow.bench;

import java.util.List;

/**
 * What a replay measured.
 *
 * @param seconds from the first turn sent to the last token
 * @param running mean number of requests with a seat, over the time that steps took
 * @param hotHitRate share of the looked-up lost rows that hot regions had
 */
record ReplayResult(
        Serving serving,
        int concurrency,
        double seconds,
        double running,
        double hotHitRate,
        long spilledPages,
        List<TurnTimes> turns) {
    /** Tokens per second that a user sees: of the mean time per token. */
    double interactivity() {
        return 1 / turns.stream().mapToDouble(TurnTimes::timePerToken).average().orElseThrow();
    }

    /** Tokens of all prompts and outputs, cached ones too, per second and GPU. */
    double throughputPerGpu() {
        long tokens = turns.stream().mapToLong(t -> t.prompt() + t.output()).sum();
        return tokens / seconds / H200Node.GPUS;
    }

    /** Mean seconds to the first token. */
    double timeToFirstToken() {
        return turns.stream().mapToDouble(TurnTimes::timeToFirstToken).average().orElseThrow();
    }

    /** Share of the prompts' tokens that were found in the cache. */
    double prefixHitRate() {
        return (double) turns.stream().mapToLong(TurnTimes::cached).sum()
                / turns.stream().mapToLong(TurnTimes::prompt).sum();
    }

    /** How often requests made room. */
    int preemptions() {
        return turns.stream().mapToInt(TurnTimes::preemptions).sum();
    }
}
