package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.stream.Stream;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.HotMap;
import org.junit.jupiter.api.Test;

class MissCurveTest {
    private static final int K = H200Node.TOP_K;

    /** arXiv 2608.07009: 30 %, 13.4 %, 6.7 %. */
    @Test
    void passesThePublishedRates() {
        assertThat(MissCurve.rate(K)).isCloseTo(0.30, within(0.01));
        assertThat(MissCurve.rate(2 * K)).isCloseTo(0.134, within(0.01));
        assertThat(MissCurve.rate(4 * K)).isCloseTo(0.067, within(0.01));
    }

    /** The table is the stream's, in a quarter of the size; the positions that are always selected weigh more there. */
    @Test
    void isWhatTheStreamGives() {
        int k = 512;
        int steps = 900;
        SelectionStream stream = new SelectionStream(MissRates.LOCALITY, k, 40 * k, steps, 3);
        List<int[]> selections = Stream.generate(stream::next).limit(steps).toList();
        for (int selectionsOfRegion : new int[] {1, 2, 3, 5, 8}) {
            int slots = selectionsOfRegion * k;
            double rate = MissRates.missRate(selections, 400, new HotMap(slots, new ExactLru(slots)));
            // 68 of 512 positions are always there, 68 of 2,048 in the table.
            double weighed = rate / (1 - 68.0 / 512) * (1 - 68.0 / 2048);
            assertThat(MissCurve.rate((double) selectionsOfRegion * K)).isCloseTo(weighed, withinPercentage(10));
        }
    }

    @Test
    void fallsFromAllMissedAndMeetsItsTable() {
        assertThat(MissCurve.rate(0)).isEqualTo(1);
        double before = 1;
        for (int rows = 64; rows < 60 * K; rows += 64) {
            double rate = MissCurve.rate(rows);
            assertThat(rate).isGreaterThan(0).isLessThan(before);
            before = rate;
        }
        for (int i = 0; i < MissCurve.RATES.length; i++) {
            assertThat(MissCurve.rate(MissCurve.SELECTIONS[i] * K)).isCloseTo(MissCurve.RATES[i], within(1e-9));
        }
    }
}
