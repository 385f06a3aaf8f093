package org.hotrow.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a prompt gave.
 *
 * @param outputIds generated ids; the stop id that ended them, if any, is the last
 * @param cached prompt tokens whose rows were in the prefix cache or in an imported file
 * @param prefilled prompt tokens that went through the model; with the cached ones fewer than there are if it was
 *     cancelled before
 * @param firstTokenNanos from the start of prefill to the first token
 * @param prefillNanos prefill alone
 * @param decodeNanos all tokens after the first
 */
public record Completion(
        List<Integer> promptIds,
        List<Integer> outputIds,
        int cached,
        int prefilled,
        FinishReason finishReason,
        long firstTokenNanos,
        long prefillNanos,
        long decodeNanos) {
    public Completion {
        promptIds = List.copyOf(promptIds);
        outputIds = List.copyOf(outputIds);
    }

    /** What a prompt gave that was cancelled before it began. */
    static Completion cancelled(int[] prompt) {
        return new Completion(list(prompt), List.of(), 0, 0, FinishReason.CANCELLED, 0, 0, 0);
    }

    /** What a sequence gave that has ended. */
    static Completion of(Sequence sequence) {
        long start = sequence.submitted();
        long end = sequence.endedAt();
        long prefillEnd = sequence.prefillEnd() == Sequence.NEVER ? end : sequence.prefillEnd();
        long first = sequence.firstToken() == Sequence.NEVER ? prefillEnd : sequence.firstToken();
        return new Completion(
                list(sequence.prompt()),
                list(sequence.output()),
                sequence.cached(),
                sequence.prefilled(),
                sequence.finishReason(),
                first - start,
                prefillEnd - start,
                end - first);
    }

    private static List<Integer> list(int[] ids) {
        return Arrays.stream(ids).boxed().toList();
    }

    /** Prompt tokens per second of prefill. */
    public double prefillRate() {
        return rate(prefilled, prefillNanos);
    }

    /** Tokens per second after the first token. */
    public double decodeRate() {
        return rate(outputIds.size() - 1, decodeNanos);
    }

    /** One line for people. */
    public String summary(int context) {
        String generated = outputIds.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        " · %d tok %.2f s %.1f tok/s",
                        outputIds.size(),
                        (firstTokenNanos - prefillNanos + decodeNanos) * 1e-9,
                        decodeRate());
        return String.format(
                Locale.ROOT,
                "prompt %s tok%s%s%s · ctx %d/%d · %s",
                done() < promptIds.size() ? done() + " of " + promptIds.size() : promptIds.size(),
                cached == 0 ? "" : " (" + cached + " cached)",
                untilFirst(),
                generated,
                done() + outputIds.size(),
                context,
                finishReason.word());
    }

    /** The prompt's time and that of the first token, which mostly are the same. */
    private String untilFirst() {
        String prefill = seconds(prefillNanos);
        String first = seconds(firstTokenNanos);
        if (outputIds.isEmpty()) {
            return " " + prefill;
        }
        return (prefill.equals(first) ? "" : " " + prefill) + " · TTFT " + first;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos * 1e-9);
    }

    private int done() {
        return cached + prefilled;
    }

    private static double rate(int tokens, long nanos) {
        return tokens <= 0 || nanos <= 0 ? 0 : tokens * 1e9 / nanos;
    }
}
