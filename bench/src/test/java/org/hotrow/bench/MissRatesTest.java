package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.Fifo;
import org.hotrow.allocator.HotMap;
import org.hotrow.allocator.HotReplacement;
import org.hotrow.allocator.RandomReplacement;
import org.junit.jupiter.api.Test;

class MissRatesTest {
    private static final int K = 2048;
    private static final int WARM_UP = 150;

    private final List<int[]> selections = selections();

    private static List<int[]> selections() {
        int steps = WARM_UP + 150;
        SelectionStream stream = new SelectionStream(MissRates.LOCALITY, K, 81_920, steps, 4);
        return Stream.generate(stream::next).limit(steps).toList();
    }

    /** The figures of arXiv 2608.07009, with a point of tolerance; Belady's, which was not fitted, is 7.1. */
    @Test
    void areThePublishedOnes() {
        assertThat(percent(K, new ExactLru(K))).isCloseTo(30, within(1.0));
        assertThat(percent(2 * K, new ExactLru(2 * K))).isCloseTo(13.4, within(1.0));
        assertThat(percent(4 * K, new ExactLru(4 * K))).isCloseTo(6.7, within(1.0));
        assertThat(percent(2 * K, new Fifo(2 * K))).isCloseTo(17.2, within(1.0));
        assertThat(percent(2 * K, new RandomReplacement(2 * K, 5))).isCloseTo(16.1, within(1.0));
        assertThat(percent(2 * K, new Belady(2 * K, selections))).isCloseTo(8.2, within(1.3));
    }

    private double percent(int slots, HotReplacement replacement) {
        return 100 * MissRates.missRate(selections, WARM_UP, new HotMap(slots, replacement));
    }
}
