package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Residency;
import org.hotrow.allocator.Step;

/**
 * Everything that changes from step to step, as ints: the contract between allocator, engine and kernels.
 *
 * <pre>
 * counts      [8]                        real rows, real requests, decode rows, reset seats, logit rows,
 *                                        first row (of a part of a step)
 * token       [maxRows]                  token id; padding 0
 * position    [maxRows]                  position in the request; padding 0
 * request     [maxRows]                  seat; padding -1
 * writeRow    [maxRows]                  row id that takes the new row; padding -1
 * logitRow    [maxLogitRows]             rows whose logits are wanted; padding -1
 * guessed     [maxRows]                  the token is a draft
 * dropped     [maxRows]                  set by the walk: a draft whose rows had no room, so it isn't computed
 * sourceRow   [maxRows]                  row of the pass before, which a pass of the drafter goes on from
 * selectionRow [maxRows]                 row of the drafter's first pass over the same request
 * blockTable  [maxSeqs][maxPages]        block of each page; 0 = lost
 * hostTable   [maxSeqs][maxPages]        host page of each page; 0 = no completed copy
 * indexTable  [maxSeqs][maxIndexBlocks]  index blocks
 * hotTable    [maxSeqs][maxHotBlocks]    blocks of the hot region; 0 = none
 * resetSeat   [maxSeqs]                  seats whose hot maps start empty; padding -1
 * </pre>
 *
 * {@code logitRow} is an addition: prefill wants the logits of its last row only; so are the four below it, which
 * serve drafts. Tables stay from step to step, since a
 * request keeps its seat; everything else is of one step.
 */
public final class StepArrays {
    static final int ROWS = 0;
    static final int REQUESTS = 1;
    static final int DECODE_ROWS = 2;
    static final int RESET_SEATS = 3;
    static final int LOGIT_ROWS = 4;
    /** Of a part of a step, which a device of task graphs may compute alone. */
    static final int FIRST_ROW = 5;

    final int maxRows;
    final int maxLogitRows;
    final int maxSeqs;
    final int maxPages;
    final int maxIndexBlocks;
    final int maxHotBlocks;
    final int[] counts = new int[8];
    final int[] token;
    final int[] position;
    final int[] request;
    final int[] writeRow;
    final int[] logitRow;
    final boolean[] guessed;
    final boolean[] dropped;
    final int[] sourceRow;
    final int[] selectionRow;
    final int[] blockTable;
    final int[] hostTable;
    final int[] indexTable;
    final int[] hotTable;
    final int[] resetSeat;

    /**
     * Arrays for at most {@code maxRows} tokens of {@code maxSeqs} requests, with tables of the given widths.
     *
     * @param maxLogitRows most rows of a step whose logits are wanted
     * @param maxHotBlocks blocks of a hot region, 1 or more
     */
    public StepArrays(int maxRows, int maxLogitRows, int maxSeqs, int maxPages, int maxIndexBlocks, int maxHotBlocks) {
        this.maxRows = maxRows;
        this.maxLogitRows = maxLogitRows;
        this.maxSeqs = maxSeqs;
        this.maxPages = maxPages;
        this.maxIndexBlocks = maxIndexBlocks;
        this.maxHotBlocks = maxHotBlocks;
        token = new int[maxRows];
        position = new int[maxRows];
        request = new int[maxRows];
        writeRow = new int[maxRows];
        logitRow = new int[maxLogitRows];
        guessed = new boolean[maxRows];
        dropped = new boolean[maxRows];
        sourceRow = new int[maxRows];
        selectionRow = new int[maxRows];
        blockTable = new int[Math.multiplyExact(maxSeqs, maxPages)];
        hostTable = new int[blockTable.length];
        indexTable = new int[maxSeqs * maxIndexBlocks];
        hotTable = new int[Math.multiplyExact(maxSeqs, maxHotBlocks)];
        resetSeat = new int[maxSeqs];
        clear();
    }

    /** A step without rows yet. */
    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(token, 0);
        Arrays.fill(position, 0);
        Arrays.fill(request, -1);
        Arrays.fill(writeRow, -1);
        Arrays.fill(logitRow, -1);
        Arrays.fill(guessed, false);
        Arrays.fill(dropped, false);
        Arrays.fill(resetSeat, -1);
    }

    int rows() {
        return counts[ROWS];
    }

    int resetSeats() {
        return counts[RESET_SEATS];
    }

    int logitRows() {
        return counts[LOGIT_ROWS];
    }

    /** Whether the request on a seat may have rows that are not resident. */
    boolean hasHotRegion(int seat) {
        return hotTable[seat * maxHotBlocks] != 0;
    }

    /** Fills the tables of a request as the allocator has them for this step. */
    void fillTables(Step.Part part) {
        Residency residency = part.residency();
        int seat = residency.seat();
        if (residency.pages() > maxPages || residency.indexBlocks() > maxIndexBlocks) {
            throw new IllegalStateException(residency.pages() + " pages and " + residency.indexBlocks()
                    + " index blocks in tables of " + maxPages + " and " + maxIndexBlocks);
        }
        if (part.appendedFrom() == 0) {
            // What is left of the seat's last request.
            Arrays.fill(hotTable, seat * maxHotBlocks, (seat + 1) * maxHotBlocks, 0);
        }
        residency.copyBlocks(blockTable, seat * maxPages);
        residency.copyHostPages(hostTable, seat * maxPages);
        residency.copyIndexBlocks(indexTable, seat * maxIndexBlocks);
        residency.copyHotBlocks(hotTable, seat * maxHotBlocks);
        if (part.resetHot()) {
            resetSeat[counts[RESET_SEATS]++] = seat;
        }
    }

    /** The row id of a position whose page is on the device. */
    int row(int seat, int position) {
        return blockTable[seat * maxPages + position / Block.TOKENS] * Block.TOKENS + position % Block.TOKENS;
    }

    /** Byte offset, in the anchor's slab, of the index page that holds the key of a position. */
    long indexPageOffset(KvGeometry geometry, int anchorLayer, int seat, int position) {
        int tokens = geometry.indexTokensPerBlock();
        int block = indexTable[seat * maxIndexBlocks + position / tokens];
        return geometry.indexPageOffset(anchorLayer, block, position % tokens / Block.TOKENS);
    }

    /** Whether any row from {@code from} to before {@code to} is a guess. */
    boolean anyGuessed(int from, int to) {
        for (int t = from; t < to; t++) {
            if (guessed[t]) {
                return true;
            }
        }
        return false;
    }

    /** A row that only stays if its token turns out to be right. */
    void addGuess(int seat, int tokenId, int at) {
        guessed[counts[ROWS]] = true;
        addRow(seat, tokenId, at, true);
    }

    /**
     * A row of a pass of the drafter.
     *
     * @param source row of the pass before, not before this one
     * @param selection row of the first pass over the same request
     */
    void addDraftRow(int seat, int tokenId, int at, boolean wantsLogits, int source, int selection) {
        if (source < counts[ROWS]) {
            throw new IllegalArgumentException("row " + counts[ROWS] + " goes on from row " + source + " before it");
        }
        sourceRow[counts[ROWS]] = source;
        selectionRow[counts[ROWS]] = selection;
        addRow(seat, tokenId, at, wantsLogits);
    }

    /** One token of the request on {@code seat}, whose row goes to its page of the block table. */
    void addRow(int seat, int tokenId, int at, boolean wantsLogits) {
        int row = counts[ROWS];
        if (row == maxRows) {
            throw new IllegalStateException("a step takes " + maxRows + " rows");
        }
        counts[ROWS]++;
        counts[REQUESTS] += row == 0 || request[row - 1] != seat ? 1 : 0;
        token[row] = tokenId;
        position[row] = at;
        request[row] = seat;
        writeRow[row] = row(seat, at);
        if (wantsLogits) {
            if (counts[LOGIT_ROWS] == maxLogitRows) {
                throw new IllegalStateException("a step takes " + maxLogitRows + " rows with logits");
            }
            logitRow[counts[LOGIT_ROWS]++] = row;
        }
    }
}
