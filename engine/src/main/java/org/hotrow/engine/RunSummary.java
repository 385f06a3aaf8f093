package org.hotrow.engine;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JsonGenerator;

/**
 * What all requests of a run were together.
 *
 * <pre>
 * running   .--2--.            mean = (2 x 10 + 1 x 20) / 40 = 1, peak = 2
 *           |     '--1--.
 *           |           '-0-
 * time      0    10    30   40
 * </pre>
 *
 * Percentiles are to three digits.
 */
final class RunSummary {
    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long start;
    private final Map<FinishReason, Integer> reasons = new EnumMap<>(FinishReason.class);
    private final Histogram queue = new Histogram(DIGITS);
    private final Histogram firstToken = new Histogram(DIGITS);
    private final Histogram perToken = new Histogram(DIGITS);
    private long promptTokens;
    private long completionTokens;
    private long cachedTokens;
    private long preemptions;
    private long encodedAnew;
    private int running;
    private int peakRunning;
    private long runningSince;
    private double runningNanos;

    /** @param start of the run, in nanoseconds of its clock */
    RunSummary(long start) {
        this.start = start;
        runningSince = start;
    }

    /** From {@code now} on so many requests run. */
    void running(int count, long now) {
        runningNanos += (double) running * (now - runningSince);
        runningSince = now;
        running = count;
        peakRunning = Math.max(peakRunning, count);
    }

    /** One request is done. */
    void add(RunResult result) {
        reasons.merge(result.finishReason(), 1, Integer::sum);
        promptTokens += result.promptTokens();
        completionTokens += result.outputIds().size();
        cachedTokens += result.cached();
        preemptions += result.preemptions();
        record(queue, result.queueNanos());
        record(firstToken, result.firstTokenNanos());
        record(perToken, result.perTokenNanos());
    }

    /** A turn's session was encoded anew. */
    void addEncodedAnew() {
        encodedAnew++;
    }

    int count(FinishReason reason) {
        return reasons.getOrDefault(reason, 0);
    }

    /** Requests that are done. */
    int done() {
        return reasons.values().stream().mapToInt(Integer::intValue).sum();
    }

    long completionTokens() {
        return completionTokens;
    }

    private static void record(Histogram histogram, OptionalLong nanos) {
        nanos.ifPresent(histogram::recordValue);
    }

    /** Writes it as one JSON object; what there is not, is left out. */
    void write(JsonGenerator json, CacheCounters kv, SpeculationCounters speculation, long end) {
        running(0, end);
        double seconds = (end - start) / NANOS_PER_SECOND;
        json.writeObjectPropertyStart("summary");
        json.writeObjectPropertyStart("requests");
        json.writeNumberProperty("total", done());
        for (FinishReason reason : FinishReason.values()) {
            json.writeNumberProperty(reason.word(), count(reason));
        }
        json.writeEndObject();
        json.writeNumberProperty("wall_s", JsonReport.rounded(seconds));
        JsonReport.usage(json, promptTokens, completionTokens, cachedTokens);
        json.writeNumberProperty("output_tokens_per_s", rate((double) completionTokens, seconds));
        json.writeNumberProperty("total_tokens_per_s", rate((double) (promptTokens + completionTokens), seconds));
        json.writeNumberProperty("mean_running", rate(runningNanos / NANOS_PER_SECOND, seconds));
        json.writeNumberProperty("peak_running", peakRunning);
        json.writeNumberProperty("preemptions", preemptions);
        json.writeNumberProperty("sessions_encoded_anew", encodedAnew);
        percentiles(json, "queue_ms", queue);
        percentiles(json, "ttft_ms", firstToken);
        percentiles(json, "tpot_ms", perToken);
        JsonReport.counters(json, kv);
        JsonReport.counters(json, speculation);
        json.writeEndObject();
    }

    private static double rate(double amount, double seconds) {
        return seconds > 0 ? JsonReport.rounded(amount / seconds) : 0;
    }

    private static void percentiles(JsonGenerator json, String name, Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            return;
        }
        json.writeObjectPropertyStart(name);
        for (int percent : new int[] {50, 90, 99}) {
            json.writeNumberProperty("p" + percent, JsonReport.millis(nanos.getValueAtPercentile(percent)));
        }
        json.writeNumberProperty("max", JsonReport.millis(nanos.getMaxValue()));
        json.writeEndObject();
    }
}
