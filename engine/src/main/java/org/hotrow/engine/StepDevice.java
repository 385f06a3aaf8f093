package org.hotrow.engine;

/** What computes the batches of steps that an allocator has committed. One thread. */
public interface StepDevice {
    /**
     * Computes all rows of a batch. A step that comes with it brings tables, restores, imports and write-backs; write-backs
     * are posted to the allocator when they are through, or have failed.
     */
    void run(Batch batch);

    /** The logits of the last batch. */
    float[] logits();

    /** Where the logits of the i-th entry that wanted them begin. */
    int logitsAt(int i);
}
