package org.hotrow.engine;

/** Computes the rows of the {@link StepArrays} that it was made with. One thread. */
interface StepWalk extends AutoCloseable {
    /** Empties the hot maps of the seats to be reset, then takes all rows through the model. */
    void step();

    /**
     * Takes all rows through the drafter: the first pass after a step, or a later one that goes on from the last.
     * {@link #logits} are its own then.
     */
    void draft(boolean first);

    /** Logits of the last step: row i belongs to its i-th row that wanted them. */
    CpuActivation logits();

    /** The final norm's output for the same rows. */
    CpuActivation finalNorm();

    /** Selected positions that were not resident, in all units; of all steps so far, as what follows. */
    long lookups();

    /** Those that were in the hot regions. */
    long hits();

    /** Rows read from the host, each layer's counted. */
    long hostRowsRead();

    /** Selections of rows that were verified together, one of each unit; 0 if they aren't counted. */
    default long unions() {
        return 0;
    }

    /** Positions in all of those. */
    default long unionPositions() {
        return 0;
    }

    /** Positions in the largest. */
    default int largestUnion() {
        return 0;
    }

    @Override
    void close();
}
