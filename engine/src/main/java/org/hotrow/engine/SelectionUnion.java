package org.hotrow.engine;

import org.hotrow.allocator.Block;

/**
 * How many different positions the rows of a request select that are verified together: what a hot region must hold for
 * none of them to be dropped, if nothing is resident.
 */
final class SelectionUnion {
    private final StepArrays step;
    /** By position: the union that had it last. */
    private final long[] seenIn;

    private long unions;
    private long positions;
    private int largest;

    SelectionUnion(StepArrays step) {
        this.step = step;
        seenIn = new long[Math.multiplyExact(step.maxPages, Block.TOKENS)];
    }

    /** Counts what {@code rows} rows of a request have selected in one unit, if some are guesses. */
    void add(CpuInts selected, int from, int rows) {
        if (rows < 2 || !step.guessed[from + rows - 1]) {
            return;
        }
        unions++;
        int size = 0;
        for (int i = selected.at(from); i < selected.at(from + rows); i++) {
            int position = selected.data()[i];
            if (position >= 0 && seenIn[position] != unions) {
                seenIn[position] = unions;
                size++;
            }
        }
        positions += size;
        largest = Math.max(largest, size);
    }

    /** Unions counted: one of each unit, request and step. */
    long unions() {
        return unions;
    }

    /** Positions in all of them. */
    long positions() {
        return positions;
    }

    /** Positions in the largest. */
    int largest() {
        return largest;
    }
}
