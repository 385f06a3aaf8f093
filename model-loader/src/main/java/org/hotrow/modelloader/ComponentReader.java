package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the small objects of a tokenizer file, a limited number of values in all. */
final class ComponentReader {
    private static final int MAX_VALUES = 1 << 20;

    private final Path file;
    private final JsonParser json;
    private int values;

    ComponentReader(Path file, JsonParser json) {
        this.file = file;
        this.json = json;
    }

    /** The object that the parser stands on; leaves the parser on its end. */
    Component read(String where) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw refusal(where, "is not an object");
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            fields.put(name, value(where + "." + name));
        }
        return new Component(file, where, fields);
    }

    private @Nullable Object value(String where) {
        if (++values > MAX_VALUES) {
            throw refusal(
                    where, "is one of more than " + MAX_VALUES + " values, the limit beside vocabulary and merges");
        }
        return switch (json.currentToken()) {
            case START_OBJECT -> read(where);
            case START_ARRAY -> list(where);
            case VALUE_STRING -> text(where);
            case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(where);
            default -> throw new IllegalStateException("not the start of a value: " + json.currentToken());
        };
    }

    private int number(String where) {
        if (atInt()) {
            return json.getIntValue();
        }
        throw refusal(where, "is not a whole number below 2^31");
    }

    private List<@Nullable Object> list(String where) {
        List<@Nullable Object> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(where + "[" + items.size() + "]"));
        }
        return items;
    }

    /** The text that the parser stands on. */
    String text(String where) {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw refusal(where, "is not a string");
        }
        return wellFormed(where, json.getString());
    }

    /** The name of the field that the parser stands on. */
    String name(String where) {
        return wellFormed(where, json.currentName());
    }

    private String wellFormed(String where, String text) {
        if (LoneSurrogates.in(text)) {
            throw refusal(where, "has half of a surrogate pair, which is no character");
        }
        return text;
    }

    /** Whether the parser stands on a whole number that an int holds. */
    boolean atInt() {
        return json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT;
    }

    /** A refusal of what the parser stands on. */
    ModelFormatException refusal(String where, String problem) {
        return JsonText.refusal(file, where, json, problem);
    }
}
