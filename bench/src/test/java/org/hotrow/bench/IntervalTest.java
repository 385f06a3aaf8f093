package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.hotrow.bench.Measured.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {
    /** As tables of the sign test have them: order statistics from below, of 1 to n. */
    @ParameterizedTest
    @CsvSource({"1, 1", "5, 1", "6, 1", "8, 1", "9, 2", "11, 2", "12, 3", "15, 4", "20, 6", "21, 6", "25, 8"})
    void liesBetweenTheOrderStatisticsOfTheSignTest(int n, int from) {
        double[] samples = new double[n];
        Arrays.setAll(samples, i -> n - i);
        assertThat(Interval.of(samples)).isEqualTo(new Interval(from, (n + 1) / 2.0, n + 1 - from));
    }

    @Test
    void holdsTheMedianNineteenTimesOfTwenty() {
        Random random = new Random(1);
        int held = 0;
        int trials = 4000;
        for (int trial = 0; trial < trials; trial++) {
            double[] samples = random.doubles(11).map(u -> -Math.log(u)).toArray();
            Interval interval = Interval.of(samples);
            held += interval.low() <= Math.log(2) && Math.log(2) <= interval.high() ? 1 : 0;
        }
        // Two of eleven cut at each end: 98.8 %.
        assertThat((double) held / trials).isBetween(0.98, 0.995);
    }

    @Test
    void overlapsAndDivides() {
        Interval one = new Interval(1, 2, 3);
        assertThat(one.overlaps(new Interval(3, 4, 5))).isTrue();
        assertThat(new Interval(3.1, 4, 5).overlaps(one)).isFalse();
        assertThat(one.overlaps(new Interval(3.1, 4, 5))).isFalse();
        assertThat(new Interval(2, 8, 9).over(one)).isEqualTo(new Interval(2 / 3.0, 4, 9));
        assertThatThrownBy(Interval::of).hasMessage("no samples");
    }
}
