package org.hotrow.allocator;

import java.util.Arrays;
import java.util.Optional;

/**
 * Cuts the layers into the consecutive runs that slabs store: as few as the slab size allows; of those cuts the one
 * with the most index pages per block; of those the most even one, that is with the least sum of squared run lengths;
 * of those the one with the longest run first.
 *
 * <p>A block of a run of r layers, a of them anchors, holds {@code floor(r * rowBlockBytes / (a * indexPageBytes))}
 * index pages, and the run with the fewest decides. Their number is searched by bisection, since a cut that reaches it
 * reaches every smaller one; for a number the most even cut is found run by run, from the last layer back.
 */
final class LayerSplit {
    private static final int NO_CUT = Integer.MAX_VALUE;

    private final int layers;
    private final int runs;
    private final int longestRun;
    private final long rowBlockBytes;
    private final long indexPageBytes;
    /** Anchors among the first n layers. */
    private final int[] anchorsBefore;

    /**
     * @param anchor whether each layer is an anchor; at least one is
     * @param longestRun most layers that fit a slab, 1 or more
     * @param rowBlockBytes bytes of 64 rows of one layer
     */
    LayerSplit(boolean[] anchor, int longestRun, long rowBlockBytes, long indexPageBytes) {
        layers = anchor.length;
        this.longestRun = longestRun;
        runs = Math.ceilDiv(layers, longestRun);
        this.rowBlockBytes = rowBlockBytes;
        this.indexPageBytes = indexPageBytes;
        anchorsBefore = new int[layers + 1];
        for (int layer = 0; layer < layers; layer++) {
            anchorsBefore[layer + 1] = anchorsBefore[layer] + (anchor[layer] ? 1 : 0);
        }
    }

    /** The lengths of the runs of the best cut. */
    int[] lengths() {
        // Some run has no more rows per anchor than the layers have on the whole, so a cut can't beat a single run.
        long reached = 0;
        long unreached = pages(0, layers) + 1;
        int[] best = mostEven(reached).orElseThrow();
        while (unreached - reached > 1) {
            long middle = (reached + unreached) >>> 1;
            Optional<int[]> cut = mostEven(middle);
            if (cut.isPresent()) {
                best = cut.get();
                reached = middle;
            } else {
                unreached = middle;
            }
        }
        return best;
    }

    /** Index pages of a block of the layers from {@code first} to before {@code end}; unbounded without anchors. */
    private long pages(int first, int end) {
        int anchors = anchorsBefore[end] - anchorsBefore[first];
        return anchors == 0 ? Long.MAX_VALUE : (end - first) * rowBlockBytes / (anchors * indexPageBytes);
    }

    /** The most even cut in which every run holds {@code minPages}; empty if there is none. */
    private Optional<int[]> mostEven(long minPages) {
        // squares[n][first]: least sum of squares of n runs over the layers from first on; length: their first run's.
        int[][] squares = new int[runs + 1][layers + 1];
        int[][] length = new int[runs + 1][layers + 1];
        for (int[] row : squares) {
            Arrays.fill(row, NO_CUT);
        }
        squares[0][layers] = 0;
        for (int n = 1; n <= runs; n++) {
            for (int first = 0; first < layers; first++) {
                for (int run = Math.min(longestRun, layers - first); run >= 1; run--) {
                    int rest = squares[n - 1][first + run];
                    if (rest != NO_CUT
                            && rest + run * run < squares[n][first]
                            && pages(first, first + run) >= minPages) {
                        squares[n][first] = rest + run * run;
                        length[n][first] = run;
                    }
                }
            }
        }
        if (squares[runs][0] == NO_CUT) {
            return Optional.empty();
        }
        int[] lengths = new int[runs];
        int first = 0;
        for (int i = 0; i < runs; i++) {
            lengths[i] = length[runs - i][first];
            first += lengths[i];
        }
        return Optional.of(lengths);
    }
}
