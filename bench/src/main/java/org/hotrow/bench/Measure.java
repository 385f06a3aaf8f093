package org.hotrow.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What reports show of a replay.
 *
 * @param column its name in a table
 * @param title its name in words
 * @param plotted whether it has a curve
 */
record Measure(String column, String title, boolean plotted, ToDoubleFunction<ReplayResult> value) {
    static final List<Measure> ALL = List.of(
            new Measure("tok_s_user", "tokens/s of a user", true, ReplayResult::interactivity),
            new Measure("tok_s_gpu", "tokens/s of a GPU, cached ones too", true, ReplayResult::throughputPerGpu),
            new Measure("running", "running requests", true, ReplayResult::running),
            new Measure("ttft_s", "seconds to the first token", true, ReplayResult::timeToFirstToken),
            new Measure("prefix_hit_rate", "prompt tokens found in the cache", true, ReplayResult::prefixHitRate),
            new Measure("hot_hit_rate", "lost rows found in hot regions", true, ReplayResult::hotHitRate),
            new Measure("preemptions", "preemptions", false, ReplayResult::preemptions),
            new Measure("spilled_pages", "spilled pages", false, ReplayResult::spilledPages));

    double of(ReplayResult result) {
        return value.applyAsDouble(result);
    }
}
