package org.hotrow.modelloader;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;

/**
 * The JSON of a safetensors header, read within limits. Here each value is checked by itself; whether the tensors fit
 * together and into the file is checked by {@link SafetensorsHeader}.
 *
 * <pre>
 * {"__metadata__": {"any": "text"},
 *  "a.tensor": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
 * </pre>
 */
final class HeaderJson {
    /** Most tensors of a file, and of a checkpoint. */
    static final int MAX_TENSORS = 262_144;

    /** Longest tensor name, in characters. */
    static final int MAX_NAME = 1_024;

    private static final int MAX_RANK = 8;
    private static final int MAX_METADATA_ENTRIES = 4_096;

    /** Longest metadata, in characters: all names and values together. */
    private static final int MAX_METADATA_TEXT = 8 << 20;

    private static final String METADATA = "__metadata__";

    private final Path file;
    private final List<TensorEntry> tensors = new ArrayList<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();

    private HeaderJson(Path file) {
        this.file = file;
    }

    /** Reads one JSON object from {@code bytes}, which must hold nothing else, and closes them. */
    static HeaderJson read(Path file, InputStream bytes) {
        var header = new HeaderJson(file);
        JsonText.read(
                file,
                SafetensorsHeader.WHERE,
                bytes,
                SafetensorsHeader.MAX_JSON_BYTES,
                MAX_METADATA_TEXT,
                header::readHeader);
        return header;
    }

    /** The tensors in the order of the text. */
    List<TensorEntry> tensors() {
        return Collections.unmodifiableList(tensors);
    }

    /** The metadata in the order of the text; empty if there is none. */
    Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    private void readHeader(JsonParser json) {
        requireObject(json, SafetensorsHeader.WHERE);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            if (name.equals(METADATA)) {
                readMetadata(json);
            } else {
                tensors.add(readTensor(json, name));
            }
        }
    }

    private void readMetadata(JsonParser json) {
        requireObject(json, METADATA);
        long characters = 0;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_STRING) {
                throw JsonText.refusal(
                        file, METADATA, json, "the value of " + ModelFormatException.quote(name) + " must be a string");
            }
            String value = json.getString();
            metadata.put(name, value);
            characters += name.length() + value.length();
            if (metadata.size() > MAX_METADATA_ENTRIES || characters > MAX_METADATA_TEXT) {
                throw JsonText.refusal(
                        file,
                        METADATA,
                        json,
                        "has more than " + MAX_METADATA_ENTRIES + " entries or " + MAX_METADATA_TEXT + " characters");
            }
        }
    }

    private TensorEntry readTensor(JsonParser json, String name) {
        requirePlainName(json, name);
        if (tensors.size() == MAX_TENSORS) {
            throw refusal(json, name, "is one more than the limit of " + MAX_TENSORS + " tensors");
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw refusal(json, name, "is not a JSON object");
        }
        @Nullable DType dtype = null;
        @Nullable List<Long> shape = null;
        @Nullable List<Long> offsets = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "dtype" -> dtype = readDType(json, name);
                case "shape" -> shape = readCounts(json, name, field, MAX_RANK);
                case "data_offsets" -> offsets = readCounts(json, name, field, 2);
                default -> throw refusal(json, name, "has an unknown field " + ModelFormatException.quote(field));
            }
        }
        if (dtype == null || shape == null || offsets == null) {
            throw refusal(json, name, "needs dtype, shape and data_offsets");
        }
        if (offsets.size() != 2 || offsets.getFirst() > offsets.getLast()) {
            throw refusal(json, name, "data_offsets " + offsets + " must be [begin, end] with begin <= end");
        }
        return new TensorEntry(name, dtype, shape, offsets.getFirst(), offsets.getLast());
    }

    private void requirePlainName(JsonParser json, String name) {
        if (name.length() > MAX_NAME) {
            throw refusal(json, name, "the name is longer than the limit of " + MAX_NAME + " characters");
        }
        if (!ModelFormatException.isPrintable(name)) {
            throw refusal(json, name, "the name has unprintable characters");
        }
    }

    private DType readDType(JsonParser json, String tensor) {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw refusal(json, tensor, "dtype is not a string");
        }
        String name = json.getString();
        return DType.named(name)
                .orElseThrow(() -> refusal(json, tensor, "dtype " + ModelFormatException.quote(name) + " is unknown"));
    }

    private List<Long> readCounts(JsonParser json, String tensor, String field, int limit) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw refusal(json, tensor, field + " is not an array");
        }
        var counts = new ArrayList<Long>(2);
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (counts.size() == limit) {
                throw refusal(json, tensor, field + " has more than " + limit + " numbers");
            }
            counts.add(readCount(json, tensor, field));
        }
        return List.copyOf(counts);
    }

    private long readCount(JsonParser json, String tensor, String field) {
        // By its spelling, so that -0 is refused too.
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
                || json.getStringCharacters()[json.getStringOffset()] == '-') {
            throw refusal(
                    json,
                    tensor,
                    field + " holds " + ModelFormatException.quote(json.getString())
                            + ", expected whole numbers that are not negative");
        }
        if (json.getNumberType() == NumberType.BIG_INTEGER) {
            throw refusal(json, tensor, field + " holds " + json.getString() + ", which overflows 64 bits");
        }
        return json.getLongValue();
    }

    private void requireObject(JsonParser json, String where) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw JsonText.refusal(file, where, json, "is not a JSON object");
        }
    }

    private ModelFormatException refusal(JsonParser json, String tensor, String problem) {
        return JsonText.refusal(file, TensorView.where(tensor), json, problem);
    }
}
