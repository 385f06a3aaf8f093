package org.hotrow.modelloader;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A JSON value of a config-size file or of a line of requests, as it stands there: numbers keep their text. */
public sealed interface JsonValue {
    /** Fields in file order. */
    record JsonObject(Map<String, JsonValue> fields) implements JsonValue {
        public JsonObject {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** Items in order. */
    record JsonArray(List<JsonValue> items) implements JsonValue {
        public JsonArray {
            items = List.copyOf(items);
        }
    }

    /** A text of whole characters. */
    record JsonString(String text) implements JsonValue {}

    /** A number as it was written. */
    record JsonNumber(String text) implements JsonValue {}

    /** True or false. */
    record JsonBool(boolean value) implements JsonValue {}

    /** The value null. */
    record JsonNull() implements JsonValue {}

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
