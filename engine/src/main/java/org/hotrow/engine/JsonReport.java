package org.hotrow.engine;

import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A completion, or why there is none, as one JSON object on one line. */
final class JsonReport {
    private JsonReport() {}

    static void write(Console console, Completion completion, String text, CacheCounters kv, long loadNanos) {
        object(console, json -> {
            ids(json, "prompt_ids", completion.promptIds());
            ids(json, "output_ids", completion.outputIds());
            json.writeStringProperty("text", text);
            json.writeStringProperty("finish_reason", completion.finishReason().word());
            json.writeObjectPropertyStart("usage");
            json.writeNumberProperty("prompt_tokens", completion.promptIds().size());
            json.writeNumberProperty("completion_tokens", completion.outputIds().size());
            json.writeNumberProperty("cached_tokens", completion.cached());
            json.writeEndObject();
            json.writeObjectPropertyStart("timing");
            json.writeNumberProperty("load_ms", millis(loadNanos));
            json.writeNumberProperty("ttft_ms", millis(completion.firstTokenNanos()));
            json.writeNumberProperty("prefill_tokens_per_s", rounded(completion.prefillRate()));
            json.writeNumberProperty("decode_tokens_per_s", rounded(completion.decodeRate()));
            json.writeEndObject();
            counters(json, kv);
        });
    }

    private static void counters(JsonGenerator json, CacheCounters kv) {
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

    /** What there is to say of a request that failed while it ran. */
    static void writeError(Console console, Exception error) {
        object(console, json -> {
            json.writeStringProperty("finish_reason", FinishReason.ERROR.word());
            json.writeStringProperty("error", String.valueOf(error.getMessage()));
        });
    }

    private static void object(Console console, Consumer<JsonGenerator> properties) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), line)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        console.answer(line + "\n");
    }

    private static void ids(JsonGenerator json, String name, List<Integer> ids) {
        json.writeArrayPropertyStart(name);
        ids.forEach(json::writeNumber);
        json.writeEndArray();
    }

    private static double millis(long nanos) {
        return rounded(nanos * 1e-6);
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
