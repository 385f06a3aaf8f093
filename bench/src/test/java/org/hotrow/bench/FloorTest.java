package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;

class FloorTest {
    private static final Ceilings CEILINGS = new Ceilings(20e9, 80e9);

    @Test
    void boundIsTheLongerOfTheTwoTimes() {
        assertThat(CEILINGS.seconds(new Floor(20, 40))).isCloseTo(1e-9, within(1e-15));
        assertThat(CEILINGS.seconds(new Floor(20, 160))).isCloseTo(2e-9, within(1e-15));
    }

    @Test
    void comparesATimeWithTheCeilings() {
        // 2 ms of work, of which reading takes 0.1 ms at best and the multiply-adds 0.5 ms.
        Map<String, Double> found = scores(FloorProfiler.compare(new Floor(2_000_000, 40_000_000), CEILINGS, 2e-3));
        assertThat(found)
                .containsEntry(FloorProfiler.BYTES, 2e6)
                .containsEntry(FloorProfiler.MULTIPLY_ADDS, 4e7)
                .containsEntry(FloorProfiler.READ_CEILING, 20.0)
                .containsEntry(FloorProfiler.MULTIPLY_ADD_CEILING, 80.0)
                .containsEntry(FloorProfiler.READ_RATE, 1.0)
                .containsEntry(FloorProfiler.MULTIPLY_ADD_RATE, 20.0)
                .containsEntry(FloorProfiler.OF_READ, 5.0)
                .containsEntry(FloorProfiler.OF_MULTIPLY_ADD, 25.0)
                .containsEntry(FloorProfiler.OF_BOUND, 25.0);
    }

    @Test
    void iterationsAreTogetherTheirMedian() {
        List<MedianResult> iterations = List.of(one(3), one(1000), one(1), one(1), one(7));
        MedianResult together = iterations.getFirst().getIterationAggregator().aggregate(iterations);
        assertThat(together.getScore()).isEqualTo(3);
        assertThat(together.getSampleCount()).isEqualTo(5);
        assertThat(together.getScoreUnit()).isEqualTo("%");
        assertThat(together.getLabel()).isEqualTo("label");
    }

    private static MedianResult one(double value) {
        return new MedianResult("label", value, "%");
    }

    private static Map<String, Double> scores(List<MedianResult> results) {
        Function<Result<?>, Double> rounded = result -> Math.round(result.getScore() * 1e6) / 1e6;
        return results.stream().collect(Collectors.toMap(Result::getLabel, rounded));
    }
}
