package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.JsonValue.JsonObject;
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
    private static final String VOCAB = "model.vocab";
    private static final String MERGES = "model.merges";
    private static final int MAX_MERGES = Vocabulary.MAX_IDS;

    /** Two tokens that become one. The rank of a merge is its index. */
    record Merge(String left, String right) {}

    private final Path file;
    private final JsonParser json;
    private final BitSet ids = new BitSet();
    private @Nullable Map<String, Integer> vocab;
    private @Nullable List<Merge> merges;
    private boolean ignoreMerges;

    private BpeSection(Path file, JsonParser json) {
        this.file = file;
        this.json = json;
    }

    /** Reads the object that the parser stands on; leaves the parser on its end. */
    static BpeSection read(Path file, JsonParser json) {
        var section = new BpeSection(file, json);
        section.require(json.currentToken() == JsonToken.START_OBJECT, "model", "is not an object");
        Map<String, JsonValue> settings = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "vocab" -> section.vocab = section.readVocab();
                case "merges" -> section.merges = section.readMerges();
                default -> settings.put(name, JsonText.value(json));
            }
        }
        section.readSettings(new JsonFields(file, "model.", new JsonObject(settings)));
        return section;
    }

    /** Ids by token, in the byte alphabet. */
    Map<String, Integer> vocab() {
        if (vocab == null) {
            throw new ModelFormatException(file, VOCAB, "is missing");
        }
        return vocab;
    }

    /** Merges, most urgent first. */
    List<Merge> merges() {
        if (merges == null) {
            throw new ModelFormatException(file, MERGES, "is missing");
        }
        return merges;
    }

    /** Whether a piece of text that is a token is taken whole, without looking at merges. */
    boolean ignoreMerges() {
        return ignoreMerges;
    }

    private void readSettings(JsonFields settings) {
        settings.allow(
                "type",
                "dropout",
                "unk_token",
                "continuing_subword_prefix",
                "end_of_word_suffix",
                "fuse_unk",
                "byte_fallback",
                "ignore_merges");
        if (!settings.text("type").equals("BPE")) {
            throw settings.refusal("type", "\"BPE\"");
        }
        for (String name : new String[] {"dropout", "unk_token"}) {
            if (settings.has(name)) {
                throw settings.refusal(name, "null");
            }
        }
        for (String name : new String[] {"continuing_subword_prefix", "end_of_word_suffix"}) {
            if (settings.has(name) && !settings.text(name).isEmpty()) {
                throw settings.refusal(name, "null or \"\"");
            }
        }
        settings.refuseIfSet("byte_fallback");
        ignoreMerges = settings.flag("ignore_merges", false);
    }

    private Map<String, Integer> readVocab() {
        require(json.currentToken() == JsonToken.START_OBJECT, VOCAB, "is not an object");
        Map<String, Integer> read = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String token = json.currentName();
            json.nextToken();
            read.put(token, readId(token));
        }
        return read;
    }

    private int readId(String token) {
        boolean whole =
                json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT;
        int id = whole ? json.getIntValue() : -1;
        if (id < 0 || id >= Vocabulary.MAX_IDS) {
            throw refusal(entry(token), "is not an id from 0 to " + (Vocabulary.MAX_IDS - 1));
        }
        if (ids.get(id)) {
            throw refusal(entry(token), "is " + id + ", the id of another token");
        }
        ids.set(id);
        return id;
    }

    private static String entry(String token) {
        return VOCAB + "[" + ModelFormatException.quote(token) + "]";
    }

    private List<Merge> readMerges() {
        require(json.currentToken() == JsonToken.START_ARRAY, MERGES, "is not a list");
        List<Merge> read = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            require(read.size() < MAX_MERGES, MERGES, "has more than " + MAX_MERGES + " merges");
            read.add(readMerge(read.size()));
        }
        return read;
    }

    private Merge readMerge(int rank) {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            json.nextToken();
            String left = text(rank);
            json.nextToken();
            String right = text(rank);
            if (json.nextToken() != JsonToken.END_ARRAY) {
                throw refusal(merge(rank), "has more than two tokens");
            }
            return new Merge(left, right);
        }
        String pair = text(rank);
        int space = pair.indexOf(' ');
        if (space <= 0 || space == pair.length() - 1 || pair.indexOf(' ', space + 1) >= 0) {
            throw refusal(merge(rank), "is not two tokens with one space between them");
        }
        return new Merge(pair.substring(0, space), pair.substring(space + 1));
    }

    private String text(int rank) {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw refusal(merge(rank), "is not a string or two of them");
        }
        return json.getString();
    }

    private static String merge(int rank) {
        return MERGES + "[" + rank + "]";
    }

    private void require(boolean condition, String where, String problem) {
        if (!condition) {
            throw refusal(where, problem);
        }
    }

    private ModelFormatException refusal(String where, String problem) {
        return JsonText.refusal(file, where, json, problem);
    }
}
