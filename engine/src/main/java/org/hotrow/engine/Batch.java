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
 * rows      of an entry: known tokens | guesses that this batch verifies
 * </pre>
 *
 * Before its end it is said how many rows stay and how many guesses are wanted for the next batch.
 *
 * One object serves all batches of a scheduler: a batch is valid until the next one is made.
 */
public final class Batch {
    private final List<Step.Part> parts = new ArrayList<>();
    private final int[] from;
    private final int[] count;
    private final boolean[] wantsLogits;
    private final Drafts[] drafts;
    private final int[] guesses;
    private final int[] kept;
    private final int[] wanted;
    private @Nullable Step step;
    private int rows;

    /** @param most entries */
    Batch(int most) {
        from = new int[most];
        count = new int[most];
        wantsLogits = new boolean[most];
        drafts = new Drafts[most];
        guesses = new int[most];
        kept = new int[most];
        wanted = new int[most];
    }

    /** Starts a new batch, maybe with a step. */
    void start(@Nullable Step with) {
        step = with;
        parts.clear();
        rows = 0;
    }

    /**
     * Adds rows of a request, from position {@code position} on; all those of known tokens are said to stay.
     *
     * @param part its last one
     * @param tokens known tokens
     * @param of its guesses, which are replaced when the batch is complete
     * @param verified of its guesses, from the first on: rows behind the known tokens
     */
    void add(Step.Part part, int position, int tokens, Drafts of, int verified) {
        int entry = parts.size();
        parts.add(part);
        from[entry] = position;
        count[entry] = tokens;
        wantsLogits[entry] = position + tokens == part.request().known();
        drafts[entry] = of;
        guesses[entry] = verified;
        kept[entry] = tokens;
        wanted[entry] = 0;
        rows += tokens + verified;
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

    /** Rows of an entry's known tokens. */
    public int count(int entry) {
        return count[entry];
    }

    /** Rows of an entry's guesses, behind them. */
    public int guesses(int entry) {
        return guesses[entry];
    }

    /** The guesses of an entry: until the batch is complete those that it verifies, from then on the next ones. */
    Drafts drafts(int entry) {
        return drafts[entry];
    }

    /**
     * Says what comes of an entry.
     *
     * @param rows how many of its rows stay
     * @param next guesses for the next batch, at most
     */
    void keep(int entry, int rows, int next) {
        kept[entry] = rows;
        wanted[entry] = next;
    }

    /** How many of an entry's rows stay. */
    int kept(int entry) {
        return kept[entry];
    }

    /** Most guesses for the next batch. */
    int wanted(int entry) {
        return wanted[entry];
    }

    /** Whether an entry's last known token is in the batch, and so gives the next; then its guesses have logits too. */
    public boolean wantsLogits(int entry) {
        return wantsLogits[entry];
    }

    /** Rows of all entries. */
    public int rows() {
        return rows;
    }
}
