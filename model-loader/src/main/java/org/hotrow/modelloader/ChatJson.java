package org.hotrow.modelloader;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.JsonValue.JsonArray;
import org.hotrow.modelloader.JsonValue.JsonBool;
import org.hotrow.modelloader.JsonValue.JsonNull;
import org.hotrow.modelloader.JsonValue.JsonNumber;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.hotrow.modelloader.JsonValue.JsonString;
import org.hotrow.modelloader.template.TemplateValue;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * JSON as the values of a template: messages, tools, documents. Members keep their order, {@code 1} stays an integer and
 * {@code 1.0} a float, and all text is untrusted.
 */
public final class ChatJson {
    /** Longest document, in characters. */
    public static final long MAX_LENGTH = 64L << 20;

    static final int MAX_TEXT = 16 << 20;

    private ChatJson() {}

    /**
     * Reads a file with one JSON value.
     *
     * @throws ModelFormatException if it can't be read, is no JSON or is too large
     */
    public static TemplateValue read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(file, "", in);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads a text with one JSON value.
     *
     * @param source the file or other place that the text is from, for error messages
     * @param where the part of it that the text is; empty for all of it
     * @throws ModelFormatException if it is no JSON or too large
     */
    public static TemplateValue parse(String text, Path source, String where) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return read(source, where, new ByteArrayInputStream(bytes));
        } catch (CharacterCodingException e) {
            throw new ModelFormatException(source, where, "has half a character (a lone surrogate)", e);
        }
    }

    /**
     * Reads a file with a list of messages, each of which is an object.
     *
     * @throws ModelFormatException if it can't be read, is something else or is too large
     */
    public static List<Map<String, TemplateValue>> readMessages(Path file) {
        List<Map<String, TemplateValue>> messages = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            JsonText.read(file, "", in, MAX_LENGTH, MAX_TEXT, json -> messages(file, json, messages));
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + e.getMessage(), e);
        }
        return messages;
    }

    /** Messages that were read as plain JSON. */
    public static List<Map<String, TemplateValue>> messages(List<JsonObject> messages) {
        return messages.stream().map(ChatJson::members).toList();
    }

    private static Map<String, TemplateValue> members(JsonObject object) {
        Map<String, TemplateValue> members = new LinkedHashMap<>();
        object.fields().forEach((name, value) -> members.put(name, value(value)));
        return members;
    }

    private static TemplateValue value(JsonValue value) {
        return switch (value) {
            case JsonObject object -> TemplateValue.map(members(object));
            case JsonArray(var items) ->
                TemplateValue.list(items.stream().map(ChatJson::value).toList());
            case JsonString(var text) -> TemplateValue.text(text);
            case JsonNumber(var text) when text.matches("-?[0-9]+") -> TemplateValue.of(new BigInteger(text));
            case JsonNumber(var text) -> TemplateValue.of(Double.parseDouble(text));
            case JsonBool(var flag) -> TemplateValue.of(flag);
            case JsonNull() -> TemplateValue.none();
        };
    }

    private static void messages(Path file, JsonParser json, List<Map<String, TemplateValue>> messages) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw JsonText.refusal(file, "messages", json, "expected a list of messages");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw JsonText.refusal(file, "messages", json, "expected a message, which is an object");
            }
            messages.add(members(json));
        }
    }

    private static TemplateValue read(Path source, String where, InputStream in) {
        List<TemplateValue> values = new ArrayList<>();
        JsonText.read(source, where, in, MAX_LENGTH, MAX_TEXT, json -> values.add(value(json)));
        return values.getFirst();
    }

    private static TemplateValue value(JsonParser json) {
        return switch (json.currentToken()) {
            case START_OBJECT -> TemplateValue.map(members(json));
            case START_ARRAY -> array(json);
            case VALUE_STRING -> TemplateValue.text(json.getString());
            case VALUE_NUMBER_INT -> TemplateValue.of(json.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> TemplateValue.of(json.getDoubleValue());
            case VALUE_TRUE -> TemplateValue.of(true);
            case VALUE_FALSE -> TemplateValue.of(false);
            default -> TemplateValue.none();
        };
    }

    private static Map<String, TemplateValue> members(JsonParser json) {
        Map<String, TemplateValue> members = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            members.put(name, value(json));
        }
        return members;
    }

    private static TemplateValue array(JsonParser json) {
        List<TemplateValue> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(json));
        }
        return TemplateValue.list(items);
    }
}
