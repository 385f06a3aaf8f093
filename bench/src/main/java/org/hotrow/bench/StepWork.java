package org.hotrow.bench;

/**
 * What one step computes and moves.
 *
 * @param prefillTokens tokens of prompts
 * @param attendedRows sum of the rows that each of them attends to
 * @param scoredKeys sum of the index keys that each of them is scored against
 * @param decoding requests that decode
 * @param decodedContext sum of their positions
 * @param hostRows rows that are read from the host in each layer
 * @param restoredBytes pages that come back from the host before the first layer
 */
record StepWork(
        long prefillTokens,
        long attendedRows,
        long scoredKeys,
        long decoding,
        long decodedContext,
        double hostRows,
        long restoredBytes) {
    /** A chunk of one prompt after {@code from} positions, which are on the device. */
    static StepWork prefill(int from, int tokens) {
        return new StepWork(tokens, attended(from, tokens), scored(from, tokens), 0, 0, 0, 0);
    }

    /** One token of {@code requests} requests at position {@code context} each, all on the device. */
    static StepWork decode(int requests, int context) {
        return new StepWork(0, 0, 0, requests, (long) requests * context, 0, 0);
    }

    /** Both in one step. */
    StepWork plus(StepWork other) {
        return new StepWork(
                prefillTokens + other.prefillTokens,
                attendedRows + other.attendedRows,
                scoredKeys + other.scoredKeys,
                decoding + other.decoding,
                decodedContext + other.decodedContext,
                hostRows + other.hostRows,
                restoredBytes + other.restoredBytes);
    }

    /** The same with rows and pages from the host. */
    StepWork from(double moreHostRows, long moreRestoredBytes) {
        return plus(new StepWork(0, 0, 0, 0, 0, moreHostRows, moreRestoredBytes));
    }

    /** Sum of the positions that tokens {@code from ..} are scored against, their own included. */
    private static long scored(long from, long tokens) {
        return tokens * from + tokens * (tokens + 1) / 2;
    }

    /** The same, but each attends to at most the top k. */
    private static long attended(long from, long tokens) {
        long few = Math.clamp(H200Node.TOP_K - from, 0, tokens);
        return scored(from, few) + (tokens - few) * H200Node.TOP_K;
    }
}
