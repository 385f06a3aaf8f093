package org.hotrow.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/**
 * What became of one request of a run.
 *
 * @param id empty if the line has none
 * @param outputIds generated ids; the stop id that ended them, if any, is the last
 * @param error what failed
 * @param cached prompt tokens that were not computed because the cache had them
 * @param queueNanos from arrival to the first seat, if it got one
 * @param firstTokenNanos from arrival to the first token, if there is one
 * @param perTokenNanos mean time of a token after the first, if there are any
 * @param preemptions how often it made room for others
 */
record RunResult(
        Optional<String> id,
        List<Integer> outputIds,
        String text,
        FinishReason finishReason,
        Optional<String> error,
        int promptTokens,
        int cached,
        OptionalLong queueNanos,
        OptionalLong firstTokenNanos,
        OptionalLong perTokenNanos,
        int preemptions) {
    RunResult {
        outputIds = List.copyOf(outputIds);
    }

    /** Of a line that is no request, or of a request that can't be run. */
    static RunResult refused(Optional<String> id, String error) {
        return without(id, FinishReason.ERROR, Optional.of(error));
    }

    /** Of a request that was not begun. */
    static RunResult cancelled(String id) {
        return without(Optional.of(id), FinishReason.CANCELLED, Optional.empty());
    }

    private static RunResult without(Optional<String> id, FinishReason reason, Optional<String> error) {
        OptionalLong never = OptionalLong.empty();
        return new RunResult(id, List.of(), "", reason, error, 0, 0, never, never, never, 0);
    }

    /**
     * Of a sequence that has ended.
     *
     * @param arrival when the request came, on the sequence's clock
     * @param text of its output
     */
    static RunResult of(RequestLine line, Sequence sequence, long arrival, String text) {
        int generated = sequence.generated();
        long decode = sequence.lastToken() - sequence.firstToken();
        return new RunResult(
                Optional.of(line.id()),
                Arrays.stream(sequence.output()).boxed().toList(),
                text,
                sequence.finishReason(),
                sequence.failure().map(Generator::told).map(e -> line.described(String.valueOf(e.getMessage()))),
                sequence.prompt().length,
                sequence.cached(),
                since(arrival, sequence.admitted()),
                since(arrival, sequence.firstToken()),
                generated < 2 ? OptionalLong.empty() : OptionalLong.of(decode / (generated - 1)),
                sequence.preemptions());
    }

    private static OptionalLong since(long arrival, long moment) {
        return moment == Sequence.NEVER ? OptionalLong.empty() : OptionalLong.of(moment - arrival);
    }

    /** Writes it as one JSON object; what there is not, is left out. */
    void write(JsonGenerator json) {
        id.ifPresent(name -> json.writeStringProperty("id", name));
        JsonReport.ids(json, "output_ids", outputIds);
        json.writeStringProperty("text", text);
        json.writeStringProperty("finish_reason", finishReason.word());
        error.ifPresent(what -> json.writeStringProperty("error", what));
        JsonReport.usage(json, promptTokens, outputIds.size(), cached);
        json.writeObjectPropertyStart("timing");
        writeMillis(json, "queue_ms", queueNanos);
        writeMillis(json, "ttft_ms", firstTokenNanos);
        writeMillis(json, "tpot_ms", perTokenNanos);
        json.writeEndObject();
        json.writeNumberProperty("preemptions", preemptions);
    }

    private static void writeMillis(JsonGenerator json, String name, OptionalLong nanos) {
        nanos.ifPresent(value -> json.writeNumberProperty(name, JsonReport.millis(value)));
    }
}
