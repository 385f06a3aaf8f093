package org.hotrow.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A JSON object that our own programs wrote: objects are maps, arrays lists, numbers longs or doubles. */
final class JsonTree {
    private JsonTree() {}

    /** @throws IllegalArgumentException if it isn't one object */
    static Map<String, Object> object(String text) {
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("expected a JSON object, got: " + text);
            }
            return object(json);
        }
    }

    private static Map<String, Object> object(JsonParser json) {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            fields.put(name, value(json));
        }
        return fields;
    }

    private static Object value(JsonParser json) {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            default -> json.getString();
        };
    }

    private static List<Object> array(JsonParser json) {
        List<Object> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(json));
        }
        return values;
    }
}
