package org.hotrow.engine;

import org.hotrow.allocator.KvRequest;

/**
 * The passes of the drafter after the main layers of a batch.
 *
 * <pre>
 * pass 1   rows that stay: position i with token i + 1, on from f of position i      [..p-1 | p]   its last row guesses 0
 * pass 2   one row a request: the position behind, with guess 0, on from pass 1      [p + 1]       guesses 1
 * ...
 * </pre>
 *
 * The first pass gives the MTP layer its rows for good; those of later passes stand in until the next round has the
 * main layers' f for their positions. Its last row is that of the last position whose next token is known.
 */
final class DraftRound {
    private final StepArrays arrays;
    private final StepWalk walk;
    private final boolean everyLogit;

    // By entry of the batch.
    /** Its row in the last pass; -1 for none, also below. */
    private final int[] lastRow;

    private final int[] firstPassRow;
    /** Its logits of the last pass. */
    private final int[] logit;

    /** @param everyLogit the first pass has logits of all rows */
    DraftRound(StepArrays arrays, StepWalk walk, boolean everyLogit) {
        this.arrays = arrays;
        this.walk = walk;
        this.everyLogit = everyLogit;
        lastRow = new int[arrays.maxSeqs];
        firstPassRow = new int[arrays.maxSeqs];
        logit = new int[arrays.maxSeqs];
    }

    /** Replaces the guesses of the batch's requests, of each as many as it {@link Batch#wanted wants}. */
    void run(Batch batch) {
        arrays.clear();
        int row = 0;
        for (int i = 0; i < batch.size(); i++) {
            addKept(batch, i, row);
            row += batch.count(i) + batch.guesses(i);
        }
        if (arrays.rows() == 0) {
            return;
        }
        walk.draft(true);
        while (guess(batch)) {
            arrays.clear();
            for (int i = 0; i < batch.size(); i++) {
                addGuessed(batch, i);
            }
            if (arrays.rows() == 0) {
                return;
            }
            walk.draft(false);
        }
    }

    /** @param source the first of the entry's rows in the step */
    private void addKept(Batch batch, int entry, int source) {
        KvRequest request = batch.part(entry).request();
        int seat = batch.part(entry).residency().seat();
        batch.drafts(entry).clear();
        lastRow[entry] = -1;
        logit[entry] = -1;
        for (int j = 0; j < batch.kept(entry); j++) {
            int position = batch.from(entry) + j;
            if (position + 1 >= request.known()) {
                return;
            }
            boolean guesses = batch.wanted(entry) > 0 && position + 2 == request.known();
            if (guesses) {
                lastRow[entry] = arrays.rows();
                firstPassRow[entry] = arrays.rows();
                logit[entry] = arrays.logitRows();
            }
            arrays.addDraftRow(seat, request.token(position + 1), position, guesses || everyLogit, source + j, 0);
        }
    }

    /** Takes the likeliest tokens of the last pass; false if it had none. */
    private boolean guess(Batch batch) {
        CpuActivation logits = walk.logits();
        boolean any = false;
        for (int i = 0; i < batch.size(); i++) {
            if (logit[i] >= 0) {
                any = true;
                batch.drafts(i).add(largest(logits.data(), logits.at(logit[i]), logits.width()));
            }
        }
        return any;
    }

    /** Adds the row of a request that wants one more guess. */
    private void addGuessed(Batch batch, int entry) {
        Drafts drafts = batch.drafts(entry);
        logit[entry] = -1;
        if (lastRow[entry] < 0 || drafts.count() >= batch.wanted(entry)) {
            return;
        }
        int guess = drafts.count() - 1;
        int position = batch.part(entry).request().known() - 1 + guess;
        int source = lastRow[entry];
        lastRow[entry] = arrays.rows();
        logit[entry] = arrays.logitRows();
        arrays.addDraftRow(
                batch.part(entry).residency().seat(), drafts.token(guess), position, true, source, firstPassRow[entry]);
    }

    private static int largest(float[] logits, int from, int count) {
        int best = 0;
        for (int id = 1; id < count; id++) {
            best = logits[from + id] > logits[from + best] ? id : best;
        }
        return best;
    }
}
