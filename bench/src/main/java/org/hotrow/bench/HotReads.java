package org.hotrow.bench;

import java.util.BitSet;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.PageState;
import org.hotrow.allocator.Residency;
import org.hotrow.allocator.Step;

/**
 * Which rows one seated request reads from the host, by expectation.
 *
 * <pre>
 * lookups   per token and unit: (k - sinks - recent) * lost pages / pages; selected positions lie anywhere else alike
 * misses    lookups * {@link MissCurve}(rows of the region that are filled / lost share)
 * </pre>
 *
 * A region of H rows that serves a share s of the positions holds them for as long as one of H / s rows that serves all.
 * It starts empty, and each miss fills a row.
 */
final class HotReads {
    private final int hotRows;
    private final BitSet lost = new BitSet();
    private int pages;
    private double filled;
    private double lookups;
    private double misses;

    HotReads(int hotRows) {
        this.hotRows = hotRows;
    }

    /** Takes the tables of a step. */
    void update(Step.Part part) {
        Residency residency = part.residency();
        pages = residency.pages();
        if (part.appendedFrom() == 0) {
            for (int page = 0; page < pages; page++) {
                lost.set(page, residency.page(page) == PageState.LOST);
            }
        }
        for (Step.TableEdit edit : part.edits()) {
            lost.set(edit.page(), edit.block() == 0);
        }
        if (part.resetHot()) {
            filled = 0;
        }
    }

    /** Positions that only the host has. */
    int lostRows() {
        return lost.cardinality() * Block.TOKENS;
    }

    /** Rows that {@code tokens} tokens, one after another, read from the host. */
    double read(double tokens) {
        double share = (double) lost.cardinality() / pages;
        double before = misses;
        for (double left = tokens; share > 0 && left > 0; left--) {
            double asked = Math.min(1, left) * share * (H200Node.TOP_K - SelectionStream.ALWAYS_SELECTED);
            double missed = asked * MissCurve.rate(filled / share);
            lookups += asked;
            misses += missed;
            filled = Math.min(hotRows, filled + missed);
        }
        return misses - before;
    }

    double lookups() {
        return lookups;
    }

    double misses() {
        return misses;
    }
}
