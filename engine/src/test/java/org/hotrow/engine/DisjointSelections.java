package org.hotrow.engine;

import java.util.Arrays;
import java.util.List;

/**
 * Makes the indexers of the main layers select by position alone, so that so many rows in a row have nothing in common:
 *
 * <pre>
 * position p    the first top-k of p mod n, p mod n + n, p mod n + 2 n, ... that are at most p
 * </pre>
 */
final class DisjointSelections implements WalkProbe {
    private final int layers;
    private final int n;
    /** By row of the batch that runs. */
    private List<Integer> positions = List.of();

    /** @param layers main layers; the drafter selects by itself */
    DisjointSelections(int layers, int n) {
        this.layers = layers;
        this.n = n;
    }

    /** Where the positions of the rows that run are from now on. */
    void of(List<Integer> rows) {
        positions = rows;
    }

    @Override
    public void selection(int layer, IntRows lists) {
        if (layer >= layers) {
            return;
        }
        CpuInts selected = CpuInts.of(lists);
        for (int row = 0; row < positions.size(); row++) {
            int at = selected.at(row);
            Arrays.fill(selected.data(), at, selected.at(row + 1), -1);
            int position = positions.get(row);
            for (int p = position % n; p <= position && at < selected.at(row + 1); p += n) {
                selected.data()[at++] = p;
            }
        }
    }
}
