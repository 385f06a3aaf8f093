package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The {@code model} object of a tokenizer file, the only large one: a byte-level BPE model.
 *
 * <pre>
 * {"type": "BPE", "ignore_merges": ..., "vocab": {token: id, ...}, "merges": ["a b" or ["a", "b"], ...], ...}
 * </pre>
 *
 * The settings of other kinds of BPE (dropout, unknown token, byte fallback, affixes) are accepted only switched off.
 */
final class BpeSection {
    private static final String WHERE = "model";
    private static final int MAX_MERGES = Vocabulary.MAX_IDS;

    /** Two tokens that become one. The rank of a merge is its index. */
    record Merge(String left, String right) {}

    private final Path file;
    private final JsonParser json;
    private final ComponentReader values;
    private final BitSet ids = new BitSet();
    private @Nullable String type;
    private boolean ignoreMerges;
    private @Nullable Map<String, Integer> vocab;
    private @Nullable List<Merge> merges;

    private BpeSection(Path file, JsonParser json, ComponentReader values) {
        this.file = file;
        this.json = json;
        this.values = values;
    }

    /** Reads the object that the parser stands on; leaves the parser on its end. */
    static BpeSection read(Path file, JsonParser json, ComponentReader values) {
        var section = new BpeSection(file, json, values);
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw values.refusal(WHERE, "is not an object");
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            section.readField(name, WHERE + "." + name);
        }
        if (section.type == null) {
            throw new ModelFormatException(file, "model.type", "is missing, expected \"BPE\"");
        }
        return section;
    }

    /** Ids by token, in the byte alphabet. */
    Map<String, Integer> vocab() {
        if (vocab == null) {
            throw new ModelFormatException(file, "model.vocab", "is missing");
        }
        return vocab;
    }

    /** Merges, most urgent first. */
    List<Merge> merges() {
        if (merges == null) {
            throw new ModelFormatException(file, "model.merges", "is missing");
        }
        return merges;
    }

    /** Whether a piece of text that is a token is taken whole, without looking at merges. */
    boolean ignoreMerges() {
        return ignoreMerges;
    }

    private void readField(String name, String where) {
        switch (name) {
            case "type" -> {
                type = values.text(where);
                require(type.equals("BPE"), where, "is " + ModelFormatException.quote(type) + ", expected \"BPE\"");
            }
            case "dropout", "unk_token" ->
                require(json.currentToken() == JsonToken.VALUE_NULL, where, "is set, expected null");
            case "continuing_subword_prefix", "end_of_word_suffix" ->
                require(
                        json.currentToken() == JsonToken.VALUE_NULL
                                || values.text(where).isEmpty(),
                        where,
                        "is set, expected null or \"\"");
            case "byte_fallback" -> require(!flag(where), where, "is true, expected a byte-level model with false");
            case "fuse_unk" -> flag(where);
            case "ignore_merges" -> ignoreMerges = flag(where);
            case "vocab" -> vocab = readVocab(where);
            case "merges" -> merges = readMerges(where);
            default -> throw values.refusal(where, "unknown field of a BPE model");
        }
    }

    private boolean flag(String where) {
        JsonToken token = json.currentToken();
        require(token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE, where, "is not true or false");
        return token == JsonToken.VALUE_TRUE;
    }

    private Map<String, Integer> readVocab(String where) {
        require(json.currentToken() == JsonToken.START_OBJECT, where, "is not an object");
        Map<String, Integer> read = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String token = values.name(where);
            json.nextToken();
            read.put(token, readId(token, where));
        }
        return read;
    }

    private int readId(String token, String where) {
        int id = values.atInt() ? json.getIntValue() : -1;
        if (id < 0 || id >= Vocabulary.MAX_IDS) {
            throw values.refusal(entry(where, token), "is not an id from 0 to " + (Vocabulary.MAX_IDS - 1));
        }
        if (ids.get(id)) {
            throw values.refusal(entry(where, token), "is " + id + ", the id of another token");
        }
        ids.set(id);
        return id;
    }

    private static String entry(String where, String token) {
        return where + "[" + ModelFormatException.quote(token) + "]";
    }

    private List<Merge> readMerges(String where) {
        require(json.currentToken() == JsonToken.START_ARRAY, where, "is not a list");
        List<Merge> read = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            require(read.size() < MAX_MERGES, where, "has more than " + MAX_MERGES + " merges");
            read.add(readMerge(where + "[" + read.size() + "]"));
        }
        return read;
    }

    private Merge readMerge(String where) {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            json.nextToken();
            String left = values.text(where);
            json.nextToken();
            String right = values.text(where);
            require(json.nextToken() == JsonToken.END_ARRAY, where, "has more than two tokens");
            return new Merge(left, right);
        }
        String pair = values.text(where);
        int space = pair.indexOf(' ');
        require(
                space > 0 && space < pair.length() - 1 && pair.indexOf(' ', space + 1) < 0,
                where,
                "is " + ModelFormatException.quote(pair) + ", expected two tokens with one space between them");
        return new Merge(pair.substring(0, space), pair.substring(space + 1));
    }

    private void require(boolean condition, String where, String problem) {
        if (!condition) {
            throw values.refusal(where, problem);
        }
    }
}
