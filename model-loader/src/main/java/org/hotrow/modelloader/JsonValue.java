package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

/** A JSON value of a config-size file, as it stands there: numbers keep their text. */
sealed interface JsonValue {
    /** Fields in file order; unmodifiable. */
    record JsonObject(Map<String, JsonValue> fields) implements JsonValue {}

    record JsonArray(List<JsonValue> items) implements JsonValue {}

    record JsonString(String text) implements JsonValue {}

    record JsonNumber(String text) implements JsonValue {}

    record JsonBool(boolean value) implements JsonValue {}

    record JsonNull() implements JsonValue {}

    /**
     * The value that {@code json} stands on; leaves it on the value's last token. Strings are whole characters; 2^20
     * values in one are the limit; {@link JsonText} bounds the depth.
     */
    static JsonValue parse(JsonParser json) {
        return parse(json, new AtomicInteger(1 << 20));
    }

    private static JsonValue parse(JsonParser json, AtomicInteger left) {
        if (left.decrementAndGet() < 0) {
            throw new StreamConstraintsException("too many values", json.currentLocation());
        }
        JsonToken token = json.currentToken();
        return switch (token) {
            case START_OBJECT -> {
                Map<String, JsonValue> fields = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    fields.put(name, parse(json, left));
                }
                yield new JsonObject(Collections.unmodifiableMap(fields));
            }
            case START_ARRAY -> {
                List<JsonValue> items = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    items.add(parse(json, left));
                }
                yield new JsonArray(Collections.unmodifiableList(items));
            }
            case VALUE_STRING -> {
                String text = json.getString();
                if (LoneSurrogates.in(text)) {
                    throw new StreamReadException(json, "half of a surrogate pair in a string");
                }
                yield new JsonString(text);
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(json.getString());
            case VALUE_TRUE, VALUE_FALSE -> new JsonBool(token == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> new JsonNull();
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("not the start of a value: " + token);
        };
    }

    /** The value as an error message shows it: one short, safe line. */
    default String shown() {
        return switch (this) {
            case JsonObject(var fields) -> "an object of " + fields.size() + " fields";
            case JsonArray(var items)
            when items.size() <= 4 && items.stream().allMatch(JsonNumber.class::isInstance) ->
                items.stream().map(JsonValue::shown).collect(Collectors.joining(", ", "[", "]"));
            case JsonArray(var items) -> "a list of " + items.size();
            case JsonString(var text) -> ModelFormatException.quote(text);
            case JsonNumber(var text) -> text;
            case JsonBool(var value) -> Boolean.toString(value);
            case JsonNull() -> "null";
        };
    }
}
