package org.hotrow.engine;

import java.util.Arrays;

/**
 * Everything that changes from step to step, as ints: the contract between allocator, engine and kernels.
 *
 * <pre>
 * counts      [8]                        real rows, real requests, decode rows, reset seats, logit rows
 * token       [maxRows]                  token id; padding 0
 * position    [maxRows]                  position in the request; padding 0
 * request     [maxRows]                  seat; padding -1
 * writeRow    [maxRows]                  row id that takes the new row; padding -1
 * logitRow    [maxLogitRows]             rows whose logits are wanted; padding -1
 * blockTable  [maxSeqs][maxPages]        block of each page; 0 = lost
 * indexTable  [maxSeqs][maxIndexBlocks]  index blocks
 * </pre>
 *
 * {@code logitRow} is an addition: prefill wants the logits of its last row only. The tables of the host tier join them
 * with the allocator that fills them.
 */
public final class StepArrays {
    static final int ROWS = 0;
    static final int REQUESTS = 1;
    static final int DECODE_ROWS = 2;
    static final int LOGIT_ROWS = 4;

    final int maxRows;
    final int maxLogitRows;
    final int maxSeqs;
    final int maxPages;
    final int maxIndexBlocks;
    final int[] counts = new int[8];
    final int[] token;
    final int[] position;
    final int[] request;
    final int[] writeRow;
    final int[] logitRow;
    final int[] blockTable;
    final int[] indexTable;

    /**
     * Arrays for at most {@code maxRows} tokens of {@code maxSeqs} requests, with tables of the given widths.
     *
     * @param maxLogitRows most rows of a step whose logits are wanted
     */
    public StepArrays(int maxRows, int maxLogitRows, int maxSeqs, int maxPages, int maxIndexBlocks) {
        this.maxRows = maxRows;
        this.maxLogitRows = maxLogitRows;
        this.maxSeqs = maxSeqs;
        this.maxPages = maxPages;
        this.maxIndexBlocks = maxIndexBlocks;
        token = new int[maxRows];
        position = new int[maxRows];
        request = new int[maxRows];
        writeRow = new int[maxRows];
        logitRow = new int[maxLogitRows];
        blockTable = new int[maxSeqs * maxPages];
        indexTable = new int[maxSeqs * maxIndexBlocks];
        clear();
    }

    /** An empty step: no rows, no requests, all padding. */
    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(token, 0);
        Arrays.fill(position, 0);
        Arrays.fill(request, -1);
        Arrays.fill(writeRow, -1);
        Arrays.fill(logitRow, -1);
        Arrays.fill(blockTable, 0);
        Arrays.fill(indexTable, 0);
    }

    int rows() {
        return counts[ROWS];
    }

    int logitRows() {
        return counts[LOGIT_ROWS];
    }

    /** Seats {@code sequence} with its tables; its rows follow by {@link #addRow}. Returns the seat. */
    int seat(Sequence sequence) {
        int seat = counts[REQUESTS];
        if (seat == maxSeqs) {
            throw new IllegalStateException("a step takes " + maxSeqs + " requests");
        }
        counts[REQUESTS]++;
        sequence.copyTables(blockTable, seat * maxPages, maxPages, indexTable, seat * maxIndexBlocks, maxIndexBlocks);
        return seat;
    }

    /** One token of the request on {@code seat}, written to row {@code rowId}. */
    void addRow(int seat, int tokenId, int at, int rowId, boolean wantsLogits) {
        int row = counts[ROWS];
        if (row == maxRows) {
            throw new IllegalStateException("a step takes " + maxRows + " rows");
        }
        counts[ROWS]++;
        token[row] = tokenId;
        position[row] = at;
        request[row] = seat;
        writeRow[row] = rowId;
        if (wantsLogits) {
            if (counts[LOGIT_ROWS] == maxLogitRows) {
                throw new IllegalStateException("a step takes " + maxLogitRows + " rows with logits");
            }
            logitRow[counts[LOGIT_ROWS]++] = row;
        }
    }
}
