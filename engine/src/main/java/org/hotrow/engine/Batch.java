package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hotrow.allocator.Step;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a committed step that are computed together: of each request some tokens in a row.
 *
 * <pre>
 * step      part 0: reserved rows ........ | part 1: ... | ...
 * batch 0   tokens of all parts               with the copies of the step
 * batch 1     the next token of each part     while the reserved rows last
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
    private boolean first;
    private int rows;

    /** @param most entries */
    Batch(int most) {
        from = new int[most];
        count = new int[most];
        wantsLogits = new boolean[most];
    }

    /** Starts the first batch of a step, or a further one. */
    void start(Step of, boolean isFirst) {
        step = of;
        first = isFirst;
        parts.clear();
        rows = 0;
    }

    /** Adds {@code tokens} rows of a request, from position {@code position} on. */
    void add(Step.Part part, int position, int tokens) {
        int entry = parts.size();
        parts.add(part);
        from[entry] = position;
        count[entry] = tokens;
        wantsLogits[entry] = position + tokens == part.request().known();
        rows += tokens;
    }

    /** The committed step. */
    public Step step() {
        return Objects.requireNonNull(step);
    }

    /** Whether the tables and copies of the step go with this batch. */
    public boolean isFirst() {
        return first;
    }

    /** Entries, one per request. */
    public int size() {
        return parts.size();
    }

    /** The part of the step that an entry belongs to. */
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
