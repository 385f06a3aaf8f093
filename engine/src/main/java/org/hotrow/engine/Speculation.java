package org.hotrow.engine;

/**
 * What guesses were worth so far: how many were verified, how many of those at each place were right.
 *
 * <pre>
 * round   one verification of 1 or more guesses: gives as many tokens as are right, and one more
 * </pre>
 */
final class Speculation {
    private final long[] verified;
    private final long[] accepted;
    private long rounds;
    private long dropped;

    /** @param most guesses of a round */
    Speculation(int most) {
        verified = new long[most];
        accepted = new long[most];
    }

    /**
     * Counts a round.
     *
     * @param right how many of the first guesses
     * @param droppedRows how many of the last were not computed
     */
    void add(int guesses, int right, int droppedRows) {
        if (guesses == 0) {
            return;
        }
        rounds++;
        dropped += droppedRows;
        for (int place = 0; place < guesses; place++) {
            verified[place]++;
            accepted[place] += place < right ? 1 : 0;
        }
    }

    /** The counts, with what the walk has counted. */
    SpeculationCounters counters(StepWalk walk) {
        return new SpeculationCounters(
                rounds,
                SpeculationCounters.list(verified),
                SpeculationCounters.list(accepted),
                dropped,
                walk.unions(),
                walk.unionPositions(),
                walk.largestUnion());
    }
}
