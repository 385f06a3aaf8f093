package org.hotrow.modelloader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hotrow.modelloader.JsonValue.JsonObject;
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
    private final Map<String, JsonValue> parts = new LinkedHashMap<>();
    private @Nullable BpeSection model;

    private TokenizerFile(Path file) {
        this.file = file;
    }

    static Tokenizer read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ModelFormatException(file, "", "is not there or is no file, expected a tokenizer.json");
        }
        var content = new TokenizerFile(file);
        try {
            long bytes = Files.size(file);
            if (bytes > MAX_BYTES) {
                throw new ModelFormatException(file, "", "is " + bytes + " bytes long, the limit is " + MAX_BYTES);
            }
            JsonText.read(file, "", Files.newInputStream(file), MAX_BYTES, MAX_TEXT, content::readRoot);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + ModelFormatException.quote(e.toString()), e);
        }
        return content.tokenizer();
    }

    private void readRoot(JsonParser json) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw JsonText.refusal(file, "", json, "is not an object, expected a tokenizer.json");
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (name.equals("model")) {
                model = BpeSection.read(file, json);
            } else {
                parts.put(name, JsonText.value(json));
            }
        }
    }

    private Tokenizer tokenizer() {
        var root = new JsonFields(file, "", new JsonObject(parts));
        root.allow(
                "version",
                "truncation",
                "padding",
                "added_tokens",
                "normalizer",
                "pre_tokenizer",
                "post_processor",
                "decoder");
        root.word("version", "1.0");
        root.refuseIfSet("truncation");
        root.refuseIfSet("padding");
        JsonFields decoder = root.child("decoder");
        if (decoder == null || !decoder.text("type").equals("ByteLevel")) {
            throw root.refusal("decoder", "one of type ByteLevel");
        }
        JsonFields preTokenizer = root.child("pre_tokenizer");
        if (preTokenizer == null) {
            throw root.refusal("pre_tokenizer", "ByteLevel, or a Sequence that ends with it");
        }
        if (model == null) {
            throw new ModelFormatException(file, "model", "is missing");
        }
        boolean nfc = isNfc(root.child("normalizer"));
        List<AddedToken> addedTokens = readAddedTokens(root, model.vocab(), nfc);
        var vocabulary = new Vocabulary(model.vocab(), addedTokens);
        return new Tokenizer(
                vocabulary,
                new AddedTokens(addedTokens),
                nfc,
                PreTokenizer.read(preTokenizer),
                new Bpe(file, vocabulary, model.merges(), model.ignoreMerges()),
                TemplateTokens.read(root.child("post_processor"), vocabulary.size()));
    }

    /** Whether a normalizer is, or is made up of, NFC. One that does nothing will do, too. */
    private static boolean isNfc(@Nullable JsonFields normalizer) {
        if (normalizer == null) {
            return false;
        }
        return switch (normalizer.text("type")) {
            case "NFC" -> true;
            case "Sequence" -> {
                boolean nfc = false;
                for (JsonFields step : normalizer.children("normalizers")) {
                    nfc |= isNfc(step);
                }
                yield nfc;
            }
            default -> throw normalizer.refusal("type", "NFC or Sequence");
        };
    }

    /** An added token is either new or a token of the model under the same id. */
    private static List<AddedToken> readAddedTokens(JsonFields root, Map<String, Integer> vocab, boolean nfc) {
        List<AddedToken> tokens = new ArrayList<>();
        Set<String> contents = new HashSet<>();
        Set<Integer> ids = new HashSet<>(vocab.values());
        int characters = 0;
        for (JsonFields entry : root.children("added_tokens")) {
            AddedToken token = AddedToken.read(entry);
            if (!contents.add(token.content())) {
                throw entry.refusal("content", "another text than that of any added token before");
            }
            Integer modelId = vocab.get(token.content());
            if (modelId == null && !ids.add(token.id())) {
                throw entry.refusal("id", "an id that no other token has");
            }
            if (modelId != null && modelId != token.id()) {
                throw entry.refusal("id", modelId + ", the id of this token in model.vocab");
            }
            if (nfc && token.normalized()) {
                throw entry.refusal("normalized", "false beside the normalizer NFC");
            }
            characters += token.content().length();
            if (characters > MAX_ADDED_CHARACTERS) {
                throw root.refusal("added_tokens", "at most " + MAX_ADDED_CHARACTERS + " characters in them");
            }
            tokens.add(token);
        }
        return tokens;
    }
}
