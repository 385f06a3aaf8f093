package org.hotrow.modelloader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A tokenizer file in the making: byte tokens only and the ByteLevel pre-tokenizer, until a test changes that. Objects
 * are maps, lists are lists; a test may put anything anywhere.
 */
final class TokenizerJson {
    final Map<String, @Nullable Object> root = new LinkedHashMap<>();
    final Map<String, @Nullable Object> model = new LinkedHashMap<>();
    final Map<String, @Nullable Object> vocab = new LinkedHashMap<>();
    final List<Object> merges = new ArrayList<>();
    final List<Object> addedTokens = new ArrayList<>();
    private UnaryOperator<String> edit = UnaryOperator.identity();

    TokenizerJson() {
        for (int b = 0; b < 256; b++) {
            vocab.put(ByteAlphabet.write((byte) b), b);
        }
        root.put("version", "1.0");
        root.put("truncation", null);
        root.put("padding", null);
        root.put("added_tokens", addedTokens);
        root.put("normalizer", null);
        root.put("pre_tokenizer", byteLevel(false, false));
        root.put("post_processor", null);
        root.put("decoder", byteLevel(true, true));
        root.put("model", model);
        model.put("type", "BPE");
        for (String absent : List.of("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")) {
            model.put(absent, null);
        }
        for (String off : List.of("fuse_unk", "byte_fallback", "ignore_merges")) {
            model.put(off, false);
        }
        model.put("vocab", vocab);
        model.put("merges", merges);
    }

    TokenizerJson merge(String left, String right) {
        vocab.putIfAbsent(left + right, vocab.size());
        merges.add(List.of(left, right));
        return this;
    }

    /** The id of a token of the model. */
    int id(String token) {
        if (vocab.get(token) instanceof Integer id) {
            return id;
        }
        throw new IllegalArgumentException(token);
    }

    TokenizerJson set(String field, @Nullable Object value) {
        root.put(field, value);
        return this;
    }

    TokenizerJson preTokenizers(Object... steps) {
        return set("pre_tokenizer", object("type", "Sequence", "pretokenizers", List.of(steps)));
    }

    /** Adds a token under the next free id; returns its object. */
    Map<String, @Nullable Object> addedToken(String content, boolean special, boolean normalized) {
        Map<String, @Nullable Object> token = object(
                "id",
                vocab.size() + addedTokens.size(),
                "content",
                content,
                "single_word",
                false,
                "lstrip",
                false,
                "rstrip",
                false,
                "normalized",
                normalized,
                "special",
                special);
        addedTokens.add(token);
        return token;
    }

    static Map<String, @Nullable Object> byteLevel(boolean addPrefixSpace, boolean useRegex) {
        return object(
                "type", "ByteLevel", "add_prefix_space", addPrefixSpace, "trim_offsets", true, "use_regex", useRegex);
    }

    static Map<String, @Nullable Object> split(String kind, String pattern, String behavior, boolean invert) {
        return object("type", "Split", "pattern", object(kind, pattern), "behavior", behavior, "invert", invert);
    }

    static Map<String, @Nullable Object> isolate(String regex) {
        return split("Regex", regex, "Isolated", false);
    }

    static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /** Changes the finished JSON text. */
    void edit(UnaryOperator<String> change) {
        edit = change;
    }

    Path write(Path folder) {
        try {
            return Files.writeString(folder.resolve("tokenizer.json"), edit.apply(json(root)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** JSON text as a value. */
    record Raw(String json) {
        @Override
        public String toString() {
            return json;
        }
    }

    private static String json(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(field -> json(field.getKey()) + ":" + json(field.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(TokenizerJson::json).collect(Collectors.joining(",", "[", "]"));
            case String text -> '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
            default -> value.toString();
        };
    }

    /** Learns merges from {@code corpus}, the most frequent pair of neighbours first, of equals the first by text. */
    TokenizerJson train(String corpus, int count) {
        List<List<String>> words = Arrays.stream(corpus.split("(?=[ \\n])", -1))
                .map(word -> ByteAlphabet.write(word.getBytes(StandardCharsets.UTF_8)))
                .map(word -> new ArrayList<>(Arrays.asList(word.split(""))))
                .collect(Collectors.toList());
        for (int i = 0; i < count; i++) {
            Map<String, Integer> pairs = new TreeMap<>();
            for (List<String> word : words) {
                for (int at = 0; at + 1 < word.size(); at++) {
                    pairs.merge(word.get(at) + " " + word.get(at + 1), 1, Integer::sum);
                }
            }
            if (pairs.isEmpty()) {
                break;
            }
            String best = Collections.max(pairs.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            String left = best.substring(0, best.indexOf(' '));
            String right = best.substring(left.length() + 1);
            merge(left, right);
            for (List<String> word : words) {
                for (int at = 0; at + 1 < word.size(); at++) {
                    if (word.get(at).equals(left) && word.get(at + 1).equals(right)) {
                        word.set(at, left + right);
                        word.remove(at + 1);
                    }
                }
            }
        }
        return this;
    }
}
