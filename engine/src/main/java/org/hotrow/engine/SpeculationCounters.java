package org.hotrow.engine;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What speculative decoding has done so far.
 *
 * @param rounds verifications of 1 or more guesses of a request
 * @param draftedByPosition guesses that were verified, by their place in the round
 * @param acceptedByPosition those that were right, as were all before them
 * @param droppedRows guesses, among the drafted, that were not computed because their rows didn't fit the hot region
 * @param unions selections of rounds, one of each unit; 0 on devices that don't count them
 * @param unionRows positions in all of these unions of what the rows of a round select
 * @param largestUnion positions in the largest
 */
public record SpeculationCounters(
        long rounds,
        List<Long> draftedByPosition,
        List<Long> acceptedByPosition,
        long droppedRows,
        long unions,
        long unionRows,
        long largestUnion) {
    /** Nothing done. */
    public static final SpeculationCounters ZERO = new SpeculationCounters(0, List.of(), List.of(), 0, 0, 0, 0);

    public SpeculationCounters {
        draftedByPosition = List.copyOf(draftedByPosition);
        acceptedByPosition = List.copyOf(acceptedByPosition);
    }

    /** What was done since {@code before}, with as many guesses a round; the largest union stays that of all the time. */
    public SpeculationCounters since(SpeculationCounters before) {
        return new SpeculationCounters(
                rounds - before.rounds,
                minus(draftedByPosition, before.draftedByPosition),
                minus(acceptedByPosition, before.acceptedByPosition),
                droppedRows - before.droppedRows,
                unions - before.unions,
                unionRows - before.unionRows,
                largestUnion);
    }

    private static List<Long> minus(List<Long> all, List<Long> before) {
        return IntStream.range(0, all.size())
                .mapToObj(place -> all.get(place) - before.get(place))
                .toList();
    }

    static List<Long> list(long[] counts) {
        return Arrays.stream(counts).boxed().toList();
    }

    /** Most guesses of a round. */
    public int speculativeTokens() {
        return draftedByPosition.size();
    }

    /** Guesses that were verified. */
    public long drafted() {
        return sum(draftedByPosition);
    }

    /** Guesses that were right. */
    public long accepted() {
        return sum(acceptedByPosition);
    }

    /** Tokens of a round: those guesses that were right, and the one that the model adds; 0 without rounds. */
    public double meanAcceptedLength() {
        return rounds == 0 ? 0 : (double) (rounds + accepted()) / rounds;
    }

    /** Positions that the rows of a round select together in a unit; 0 if that isn't counted. */
    public double meanUnion() {
        return unions == 0 ? 0 : (double) unionRows / unions;
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
