package org.hotrow.bench;

import java.util.Collection;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Aggregator;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

/** A number of each iteration, whose median is the benchmark's. */
final class MedianResult extends Result<MedianResult> {
    private static final long serialVersionUID = 1;
    private static final double MEDIAN = 50;

    MedianResult(String label, double value, String unit) {
        this(label, of(value), unit);
    }

    private MedianResult(String label, Statistics values, String unit) {
        super(ResultRole.SECONDARY, label, values, unit, AggregationPolicy.AVG);
    }

    @Override
    public double getScore() {
        return statistics.getPercentile(MEDIAN);
    }

    /** None: JMH's is that of a mean. */
    @Override
    public double getScoreError() {
        return Double.NaN;
    }

    @Override
    public double[] getScoreConfidence() {
        return new double[] {getScore(), getScore()};
    }

    @Override
    protected Aggregator<MedianResult> getThreadAggregator() {
        return MedianResult::together;
    }

    @Override
    protected Aggregator<MedianResult> getIterationAggregator() {
        return MedianResult::together;
    }

    private static MedianResult together(Collection<MedianResult> results) {
        ListStatistics values = new ListStatistics();
        for (MedianResult result : results) {
            result.statistics.getRawData().forEachRemaining(valueAndCount -> {
                for (long i = 0; i < valueAndCount.getValue(); i++) {
                    values.addValue(valueAndCount.getKey());
                }
            });
        }
        MedianResult any = results.iterator().next();
        return new MedianResult(any.label, values, any.unit);
    }
}
