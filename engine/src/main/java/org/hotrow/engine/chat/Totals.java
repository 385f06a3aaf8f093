package org.hotrow.engine.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hotrow.engine.Completion;
import org.hotrow.engine.SpeculationCounters;

/** Sums over the answers since the start of the command. */
final class Totals {
    private static final double NANOS = 1e-9;

    private int answers;
    private long promptTokens;
    private long cachedTokens;
    private long outputTokens;
    private long prefillNanos;
    private long decodeNanos;

    void add(Completion completion) {
        answers++;
        promptTokens += completion.promptIds().size();
        cachedTokens += completion.cached();
        outputTokens += completion.outputIds().size();
        prefillNanos += completion.prefillNanos();
        decodeNanos += completion.decodeNanos();
    }

    /** The numbers of the last answer, and those of all. */
    List<String> lines(LastAnswer last, int context) {
        Completion c = last.completion();
        List<String> lines = new ArrayList<>();
        lines.add("last answer:");
        lines.add(String.format(
                Locale.ROOT,
                "  prompt       %s tokens, %s of them cached; %.2f s, %.1f tok/s",
                Units.count(c.promptIds().size()),
                Units.count(c.cached()),
                c.prefillNanos() * NANOS,
                c.prefillRate()));
        lines.add(String.format(Locale.ROOT, "  first token  after %.2f s", c.firstTokenNanos() * NANOS));
        lines.add(String.format(
                Locale.ROOT,
                "  answer       %s tokens; %.2f s, %.1f tok/s; ended by %s",
                Units.count(c.outputIds().size()),
                c.decodeNanos() * NANOS,
                c.decodeRate(),
                c.finishReason().word()));
        lines.add(String.format(
                Locale.ROOT,
                "  context      %s of %s tokens",
                Units.count((long) c.promptIds().size() + c.outputIds().size()),
                Units.count(context)));
        lines.add("  cache        hit rate "
                + Units.percent(last.kv().hotHits(), last.kv().hotLookups()) + ", "
                + Units.bytes(last.kv().hostBytesRead()) + " from the host, "
                + Units.bytes(last.kv().bytesWrittenBack()) + " written back");
        SpeculationCounters guesses = last.speculation();
        if (guesses.speculativeTokens() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  guesses      %s drafted, %s accepted (by place %s), %.2f tokens a round; %s rows dropped;"
                            + " a round selects %.1f rows",
                    Units.count(guesses.drafted()),
                    Units.count(guesses.accepted()),
                    guesses.acceptedByPosition().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                    guesses.meanAcceptedLength(),
                    Units.count(guesses.droppedRows()),
                    guesses.meanUnion()));
        }
        lines.add(String.format(
                Locale.ROOT,
                "all %d answers: prompts %s tokens (%s cached) %.2f s, answers %s tokens %.2f s",
                answers,
                Units.count(promptTokens),
                Units.count(cachedTokens),
                prefillNanos * NANOS,
                Units.count(outputTokens),
                decodeNanos * NANOS));
        return lines;
    }
}
