package org.hotrow.modelloader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A {@code tokenizer.json}, read in one pass.
 *
 * <pre>
 * {"version": "1.0", "truncation": null, "padding": null,
 *  "added_tokens": [...], "normalizer": ..., "pre_tokenizer": {...}, "post_processor": ..., "decoder": {...},
 *  "model": {...}}
 * </pre>
 */
final class TokenizerFile {
    private static final long MAX_BYTES = 256L << 20;
    private static final int MAX_TEXT = 1 << 16;
    private static final int MAX_ADDED_CHARACTERS = 1 << 20;

    private final Path file;
    private final List<AddedToken> addedTokens = new ArrayList<>();
    private final Map<String, Component> components = new HashMap<>();
    private @Nullable String version;
    private @Nullable BpeSection model;

    private TokenizerFile(Path file) {
        this.file = file;
    }

    static Tokenizer read(Path file) {
        var content = new TokenizerFile(file);
        try {
            long bytes = Files.size(file);
            if (bytes > MAX_BYTES) {
                throw new ModelFormatException(file, "", "is " + bytes + " bytes long, the limit is " + MAX_BYTES);
            }
            JsonText.read(file, "", Files.newInputStream(file), MAX_BYTES, MAX_TEXT, content::readRoot);
        } catch (NoSuchFileException e) {
            throw new ModelFormatException(file, "", "does not exist, expected a tokenizer.json", e);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + ModelFormatException.quote(e.toString()), e);
        }
        return content.tokenizer();
    }

    private void readRoot(JsonParser json) {
        var values = new ComponentReader(file, json);
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw values.refusal("", "is not an object, expected a tokenizer.json");
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "version" -> version = values.text(name);
                case "truncation", "padding" -> {
                    if (json.currentToken() != JsonToken.VALUE_NULL) {
                        throw values.refusal(name, "is set, expected null: Hotrow encodes the text as it is");
                    }
                }
                case "added_tokens" -> readAddedTokens(json, values);
                case "normalizer", "pre_tokenizer", "post_processor", "decoder" -> {
                    if (json.currentToken() != JsonToken.VALUE_NULL) {
                        components.put(name, values.read(name));
                    }
                }
                case "model" -> model = BpeSection.read(file, json, values);
                default -> throw values.refusal(name, "unknown field of a tokenizer.json");
            }
        }
    }

    private void readAddedTokens(JsonParser json, ComponentReader values) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw values.refusal("added_tokens", "is not a list");
        }
        int characters = 0;
        Set<String> contents = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Component entry = values.read("added_tokens[" + addedTokens.size() + "]");
            AddedToken token = AddedToken.of(entry);
            if (!contents.add(token.content())) {
                throw entry.refusal("content", "is that of another added token");
            }
            if (!ids.add(token.id())) {
                throw entry.refusal("id", "is " + token.id() + ", that of another added token");
            }
            characters += token.content().length();
            if (characters > MAX_ADDED_CHARACTERS) {
                throw entry.refusal(
                        "content", "brings the added tokens to more than " + MAX_ADDED_CHARACTERS + " characters");
            }
            addedTokens.add(token);
        }
    }

    private Tokenizer tokenizer() {
        if (version == null || !version.equals("1.0")) {
            throw new ModelFormatException(
                    file,
                    "version",
                    version == null
                            ? "is missing, expected \"1.0\""
                            : "is " + ModelFormatException.quote(version) + ", expected \"1.0\"");
        }
        if (model == null) {
            throw new ModelFormatException(file, "model", "is missing");
        }
        checkAgainst(model.vocab());
        checkDecoder();
        return new Tokenizer(new Vocabulary(model.vocab(), addedTokens));
    }

    /** An added token is either new or a token of the model under the same id. */
    private void checkAgainst(Map<String, Integer> vocab) {
        Set<Integer> ids = new HashSet<>(vocab.values());
        for (int i = 0; i < addedTokens.size(); i++) {
            AddedToken token = addedTokens.get(i);
            Integer id = vocab.get(token.content());
            if (id == null ? ids.contains(token.id()) : id != token.id()) {
                throw new ModelFormatException(
                        file,
                        "added_tokens[" + i + "].id",
                        "is " + token.id() + ", but model.vocab has "
                                + (id == null ? "another token there" : "this token at " + id));
            }
        }
    }

    private void checkDecoder() {
        Component decoder = components.get("decoder");
        if (decoder == null) {
            throw new ModelFormatException(file, "decoder", "is null or missing, expected type \"ByteLevel\"");
        }
        if (!decoder.type().equals("ByteLevel")) {
            throw decoder.unsupportedType("\"ByteLevel\"");
        }
    }
}
