package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hotrow.allocator.Step;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are computed together: of each request some tokens in a row.
 *
 * <pre>
 * entries   requests that decode in their last page | parts of the step, if there is one: prefill, new pages
 * </pre>
 *
 * One object serves all batches of a scheduler: a batch is valid until the next one is made.
 */
public final class Batch {
    private final List<Step.Part> parts = new ArrayList<>();
    private final int[] from;
    private final int[] count;
    private final boolean[] wantsLogits;
    private @Nullable Step step;
    private int rows;

    /** @param most entries */
    Batch(int most) {
        from = new int[most];
        count = new int[most];
        wantsLogits = new boolean[most];
    }

    /** Starts a new batch, maybe with a step. */
    void start(@Nullable Step with) {
        step = with;
        parts.clear();
        rows = 0;
    }

    /** Adds {@code tokens} rows of a request, from position {@code position} on; {@code part} is its last one. */
    void add(Step.Part part, int position, int tokens) {
        int entry = parts.size();
        parts.add(part);
        from[entry] = position;
        count[entry] = tokens;
        wantsLogits[entry] = position + tokens == part.request().known();
        rows += tokens;
    }

    /** The committed step whose tables and copies go with this batch. */
    public Optional<Step> step() {
        return Optional.ofNullable(step);
    }

    /** Entries, one per request. */
    public int size() {
        return parts.size();
    }

    /** The last part of a step that an entry's request had: of this step or of an earlier one. */
    public Step.Part part(int entry) {
        return parts.get(entry);
    }

    /** Position of an entry's first row. */
    public int from(int entry) {
        return from[entry];
    }

    /** Rows of an entry. */
    public int count(int entry) {
        return count[entry];
    }

    /** Whether an entry's last row is that of the last known token, and so gives the next. */
    public boolean wantsLogits(int entry) {
        return wantsLogits[entry];
    }

    /** Rows of all entries. */
    public int rows() {
        return rows;
    }
}
