package org.hotrow.modelloader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The index of a checkpoint in several shards, {@code model.safetensors.index.json}:
 *
 * <pre>
 * {"metadata": {"total_size": 755617140416},
 *  "weight_map": {"lm_head.weight": "model-00141-of-00141.safetensors", ...}}
 * </pre>
 *
 * The index is read within limits and by itself; {@link TensorStore} compares it with the shards.
 */
final class ShardIndex {
    private static final long MAX_BYTES = 64 << 20;
    private static final int MAX_SHARDS = 4_096;

    // No separator and nothing that a file system treats specially; ".." is no match because of the suffix.
    private static final Pattern SHARD_NAME = Pattern.compile("[\\w. +-]{1,200}\\.safetensors");
    private static final String WEIGHT_MAP = "weight_map";
    private static final String METADATA = "metadata";
    private static final String TOTAL_SIZE = "total_size";

    private final Path file;
    private final Map<String, String> shardOf = new LinkedHashMap<>();
    private final SortedSet<String> shards = new TreeSet<>();
    private @Nullable Double totalSize;

    private ShardIndex(Path file) {
        this.file = file;
    }

    /**
     * Reads an index.
     *
     * @throws ModelFormatException if it can't be read, is no index, or names a shard outside of its folder
     */
    static ShardIndex read(Path file) {
        var index = new ShardIndex(file);
        try {
            long bytes = Files.size(file);
            if (bytes > MAX_BYTES) {
                throw new ModelFormatException(file, "", "is " + bytes + " bytes long, the limit is " + MAX_BYTES);
            }
            JsonText.read(file, "", Files.newInputStream(file), MAX_BYTES, HeaderJson.MAX_NAME, index::readIndex);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + ModelFormatException.quote(e.toString()), e);
        }
        return index;
    }

    Path file() {
        return file;
    }

    /** The shard that holds each tensor, by tensor name. */
    Map<String, String> shardOf() {
        return Collections.unmodifiableMap(shardOf);
    }

    /** The file names of the shards, sorted. */
    SortedSet<String> shards() {
        return Collections.unmodifiableSortedSet(shards);
    }

    /** Bytes of all tensors, if the index tells; some writers spell it as a float. */
    OptionalDouble totalSize() {
        return totalSize == null ? OptionalDouble.empty() : OptionalDouble.of(totalSize);
    }

    private void readIndex(JsonParser json) {
        requireObject(json, "");
        boolean mapped = false;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case WEIGHT_MAP -> {
                    readWeightMap(json);
                    mapped = true;
                }
                case METADATA -> readMetadata(json);
                default -> json.skipChildren();
            }
        }
        if (!mapped) {
            throw new ModelFormatException(file, WEIGHT_MAP, "is missing");
        }
    }

    private void readWeightMap(JsonParser json) {
        requireObject(json, WEIGHT_MAP);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String tensor = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_STRING) {
                throw refusal(json, tensor, "is not the name of a shard");
            }
            String shard = json.getString();
            if (shards.add(shard) && !SHARD_NAME.matcher(shard).matches()) {
                throw refusal(
                        json,
                        tensor,
                        ModelFormatException.quote(shard) + " is not the plain name of a .safetensors file");
            }
            shardOf.put(tensor, shard);
            if (shards.size() > MAX_SHARDS || shardOf.size() > HeaderJson.MAX_TENSORS) {
                throw refusal(
                        json,
                        tensor,
                        "exceeds the limit of " + MAX_SHARDS + " shards or " + HeaderJson.MAX_TENSORS + " tensors");
            }
        }
    }

    private void readMetadata(JsonParser json) {
        requireObject(json, METADATA);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isTotal = json.currentName().equals(TOTAL_SIZE);
            JsonToken value = json.nextToken();
            if (!isTotal) {
                json.skipChildren();
            } else if (value == JsonToken.VALUE_NUMBER_INT || value == JsonToken.VALUE_NUMBER_FLOAT) {
                totalSize = json.getDoubleValue();
            } else {
                throw JsonText.refusal(file, METADATA + "." + TOTAL_SIZE, json, "is not a number");
            }
        }
    }

    private void requireObject(JsonParser json, String where) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw JsonText.refusal(file, where, json, "is not a JSON object");
        }
    }

    private ModelFormatException refusal(JsonParser json, String tensor, String problem) {
        return JsonText.refusal(file, WEIGHT_MAP + ": " + TensorView.where(tensor), json, problem);
    }
}
