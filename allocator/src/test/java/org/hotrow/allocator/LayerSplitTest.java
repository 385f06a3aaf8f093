package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LayerSplitTest {
    /** Every cut of up to nine layers, ranked by the rule: fewest runs, most pages, most even, long runs first. */
    @Test
    void agreesWithTryingEveryCut() {
        Random random = new Random(3);
        for (int trial = 0; trial < 600; trial++) {
            boolean[] anchor = new boolean[random.nextInt(1, 10)];
            for (int layer = 0; layer < anchor.length; layer++) {
                anchor[layer] = random.nextInt(3) == 0;
            }
            anchor[random.nextInt(anchor.length)] = true;
            int longestRun = random.nextInt(1, anchor.length + 1);
            long rowBlockBytes = 8L * random.nextInt(1, 100);
            long indexPageBytes = 8L * random.nextInt(1, 30);
            int[] lengths = new LayerSplit(anchor, longestRun, rowBlockBytes, indexPageBytes).lengths();
            assertThat(lengths)
                    .as("%s, runs of %d, %d, %d", Arrays.toString(anchor), longestRun, rowBlockBytes, indexPageBytes)
                    .isEqualTo(bestOfAll(anchor, longestRun, rowBlockBytes, indexPageBytes));
        }
    }

    private static int[] bestOfAll(boolean[] anchor, int longestRun, long rowBlockBytes, long indexPageBytes) {
        List<int[]> cuts = new ArrayList<>();
        for (int borders = 0; borders < 1 << (anchor.length - 1); borders++) {
            int[] cut = cut(anchor.length, borders);
            if (Arrays.stream(cut).allMatch(length -> length <= longestRun)) {
                cuts.add(cut);
            }
        }
        Comparator<int[]> fewest = Comparator.comparingInt(cut -> cut.length);
        return cuts.stream()
                .min(fewest.thenComparingLong(cut -> -pages(cut, anchor, rowBlockBytes, indexPageBytes))
                        .thenComparingInt(cut -> Arrays.stream(cut)
                                .map(length -> length * length)
                                .sum())
                        .thenComparing((a, b) -> Arrays.compare(b, a)))
                .orElseThrow();
    }

    /** Bit i of {@code borders} ends a run after layer i. */
    private static int[] cut(int layers, int borders) {
        List<Integer> lengths = new ArrayList<>();
        int length = 0;
        for (int layer = 0; layer < layers; layer++) {
            length++;
            if (layer == layers - 1 || (borders >> layer & 1) == 1) {
                lengths.add(length);
                length = 0;
            }
        }
        return lengths.stream().mapToInt(Integer::intValue).toArray();
    }

    private static long pages(int[] cut, boolean[] anchor, long rowBlockBytes, long indexPageBytes) {
        long least = Long.MAX_VALUE;
        int layer = 0;
        for (int length : cut) {
            int anchors = 0;
            for (int end = layer + length; layer < end; layer++) {
                anchors += anchor[layer] ? 1 : 0;
            }
            if (anchors > 0) {
                least = Math.min(least, length * rowBlockBytes / (anchors * indexPageBytes));
            }
        }
        return least;
    }
}
