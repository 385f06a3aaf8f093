package org.hotrow.modelloader;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hotrow.modelloader.JsonValue.JsonArray;
import org.hotrow.modelloader.JsonValue.JsonBool;
import org.hotrow.modelloader.JsonValue.JsonNull;
import org.hotrow.modelloader.JsonValue.JsonNumber;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.hotrow.modelloader.JsonValue.JsonString;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON of a model file, read token by token within bounds: strict UTF-8, no duplicate names, limited length, depth,
 * names, strings and numbers (limits hold to within a parser buffer). Whatever is wrong becomes a {@link ModelFormatException} with line and column.
 */
final class JsonText {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_NUMBER_LENGTH = 64;
    private static final int MAX_VALUES = 1 << 20;

    private JsonText() {}

    /**
     * Feeds the one JSON value in {@code bytes} to {@code reader}, which must consume all of it: anything but white
     * space after it is refused. Closes {@code bytes}.
     *
     * @param where the part of the file that the text is; empty for the whole file
     * @param maxLength longest document, in characters
     * @param maxText longest name or string, in characters
     */
    static void read(
            Path file, String where, InputStream bytes, long maxLength, int maxText, Consumer<JsonParser> reader) {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxDocumentLength(maxLength)
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNumberLength(MAX_NUMBER_LENGTH)
                        .maxNameLength(maxText)
                        .maxStringLength(maxText)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        // The JDK's decoder refuses every malformed sequence, overlong ones too.
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        try (JsonParser json = factory.createParser(ObjectReadContext.empty(), new InputStreamReader(bytes, decoder))) {
            if (json.nextToken() == null) {
                throw new ModelFormatException(file, where, "is empty, expected JSON");
            }
            reader.accept(json);
            if (json.nextToken() != null) {
                throw refusal(file, where, json, "text after the JSON value");
            }
        } catch (JacksonException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                throw new ModelFormatException(file, where, "is not valid UTF-8", e);
            }
            String problem = e instanceof StreamConstraintsException ? "exceeds a limit: " : "is not valid JSON: ";
            throw new ModelFormatException(file, where, problem + describe(e), e);
        }
    }

    /**
     * The value that {@code json} stands on; leaves it on the value's last token. Strings are whole characters; 2^20
     * values in one are the limit; the depth is bounded by {@link #read}.
     */
    static JsonValue value(JsonParser json) {
        return value(json, new AtomicInteger(MAX_VALUES));
    }

    private static JsonValue value(JsonParser json, AtomicInteger left) {
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
                    fields.put(name, value(json, left));
                }
                yield new JsonObject(fields);
            }
            case START_ARRAY -> {
                List<JsonValue> items = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(json, left));
                }
                yield new JsonArray(items);
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

    /** A refusal of what the parser stands on, with its line and column. */
    static ModelFormatException refusal(Path file, String where, JsonParser json, String problem) {
        var at = json.currentTokenLocation();
        return new ModelFormatException(
                file, where, problem + " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")");
    }

    private static String describe(JacksonException e) {
        @Nullable String message = e.getOriginalMessage();
        var at = e.getLocation();
        String place = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return ModelFormatException.quote(message == null ? e.toString() : message) + place;
    }
}
