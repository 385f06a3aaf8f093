package org.hotrow.engine;

import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON on lines: a completion, or why there is none, and the parts that results of runs have in common with it. */
final class JsonReport {
    private JsonReport() {}

    static void write(
            Console console,
            Completion completion,
            String text,
            CacheCounters kv,
            SpeculationCounters speculation,
            long loadNanos) {
        object(console, json -> {
            ids(json, "prompt_ids", completion.promptIds());
            ids(json, "output_ids", completion.outputIds());
            json.writeStringProperty("text", text);
            json.writeStringProperty("finish_reason", completion.finishReason().word());
            usage(json, completion.promptIds().size(), completion.outputIds().size(), completion.cached());
            json.writeObjectPropertyStart("timing");
            json.writeNumberProperty("load_ms", millis(loadNanos));
            json.writeNumberProperty("ttft_ms", millis(completion.firstTokenNanos()));
            json.writeNumberProperty("prefill_tokens_per_s", rounded(completion.prefillRate()));
            json.writeNumberProperty("decode_tokens_per_s", rounded(completion.decodeRate()));
            json.writeEndObject();
            counters(json, kv);
            counters(json, speculation);
        });
    }

    static void usage(JsonGenerator json, long prompt, long completion, long cached) {
        json.writeObjectPropertyStart("usage");
        json.writeNumberProperty("prompt_tokens", prompt);
        json.writeNumberProperty("completion_tokens", completion);
        json.writeNumberProperty("cached_tokens", cached);
        json.writeEndObject();
    }

    static void counters(JsonGenerator json, CacheCounters kv) {
        json.writeObjectPropertyStart("kv");
        json.writeNumberProperty("hot_lookups", kv.hotLookups());
        json.writeNumberProperty("hot_hits", kv.hotHits());
        json.writeNumberProperty("host_rows_read", kv.hostRowsRead());
        json.writeNumberProperty("host_bytes_read", kv.hostBytesRead());
        json.writeNumberProperty("bytes_restored", kv.bytesRestored());
        json.writeNumberProperty("bytes_imported", kv.bytesImported());
        json.writeNumberProperty("spilled_pages", kv.spilledPages());
        json.writeNumberProperty("bytes_written_back", kv.bytesWrittenBack());
        json.writeNumberProperty("peak_device_blocks", kv.peakDeviceBlocks());
        json.writeEndObject();
    }

    /** Nothing where nothing is guessed. */
    static void counters(JsonGenerator json, SpeculationCounters speculation) {
        if (speculation.speculativeTokens() == 0) {
            return;
        }
        json.writeObjectPropertyStart("speculation");
        json.writeNumberProperty("rounds", speculation.rounds());
        json.writeNumberProperty("drafted", speculation.drafted());
        json.writeNumberProperty("accepted", speculation.accepted());
        longs(json, "drafted_by_position", speculation.draftedByPosition());
        longs(json, "accepted_by_position", speculation.acceptedByPosition());
        json.writeNumberProperty("mean_accepted_length", rounded(speculation.meanAcceptedLength()));
        json.writeNumberProperty("dropped_rows", speculation.droppedRows());
        json.writeNumberProperty("mean_union", rounded(speculation.meanUnion()));
        json.writeNumberProperty("largest_union", speculation.largestUnion());
        json.writeEndObject();
    }

    private static void longs(JsonGenerator json, String name, List<Long> counts) {
        json.writeArrayPropertyStart(name);
        counts.forEach(json::writeNumber);
        json.writeEndArray();
    }

    /** What there is to say of a request that failed while it ran. */
    static void writeError(Console console, Exception error) {
        object(console, json -> {
            json.writeStringProperty("finish_reason", FinishReason.ERROR.word());
            json.writeStringProperty("error", String.valueOf(error.getMessage()));
        });
    }

    private static void object(Console console, Consumer<JsonGenerator> properties) {
        console.answer(line(properties));
    }

    /** One JSON object on a line of its own. */
    static String line(Consumer<JsonGenerator> properties) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), line)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        return line + "\n";
    }

    static void ids(JsonGenerator json, String name, List<Integer> ids) {
        json.writeArrayPropertyStart(name);
        ids.forEach(json::writeNumber);
        json.writeEndArray();
    }

    static double millis(long nanos) {
        return rounded(nanos * 1e-6);
    }

    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
