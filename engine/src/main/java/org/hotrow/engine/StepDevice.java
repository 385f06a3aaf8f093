package org.hotrow.engine;

/** What computes the batches of steps that an allocator has committed. One thread. */
public interface StepDevice {
    /**
     * Computes all rows of a batch. A step that comes with it brings tables, restores and imports; its write-backs are
     * posted to the allocator when they are through, or have failed, here or in {@link #complete}.
     */
    void run(Batch batch);

    /**
     * What comes after the tokens of a batch are known: the drafter's passes over the rows that stay, then the
     * write-backs, which hold its rows too.
     */
    default void complete(Batch batch) {}

    /** Guesses of an entry of the last batch, from the end, that were not computed because their rows had no room. */
    default int dropped(int entry) {
        return 0;
    }

    /** The logits of the last batch. */
    float[] logits();

    /** Where the logits of the i-th row that wanted them begin: of an entry its last known token, then its guesses. */
    int logitsAt(int i);
}
