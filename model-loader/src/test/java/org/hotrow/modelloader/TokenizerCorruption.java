package org.hotrow.modelloader;

import static org.hotrow.modelloader.TokenizerJson.byteLevel;
import static org.hotrow.modelloader.TokenizerJson.isolate;
import static org.hotrow.modelloader.TokenizerJson.object;
import static org.hotrow.modelloader.TokenizerJson.split;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hotrow.modelloader.TokenizerJson.Raw;
import org.jspecify.annotations.Nullable;

/**
 * A way to spoil the valid file of {@link #valid}.
 *
 * @param where the place that the refusal must name
 * @param problem what it must say
 */
record TokenizerCorruption(String name, String where, Consumer<TokenizerJson> change, String problem) {
    /** Byte tokens, "ab" (256) merged of "a" and "b", and the special token {@code <s>} (257). */
    static TokenizerJson valid() {
        var json = new TokenizerJson().merge("a", "b");
        json.addedToken("<s>", true, false);
        return json;
    }

    static Stream<TokenizerCorruption> all() {
        return Stream.of(
                        ofTheFile(), ofTheModel(), ofIds(), ofMerges(), ofAddedTokens(), ofPreTokenizers(), ofTheRest())
                .flatMap(corruptions -> corruptions);
    }

    @Override
    public String toString() {
        return name;
    }

    private static Stream<TokenizerCorruption> ofTheFile() {
        return Stream.of(
                text("no object", "", text -> "[]", "is not an object"),
                text("truncated", "", text -> text.substring(0, text.length() / 2), "is not valid JSON"),
                text("text after it", "", text -> text + "x", "is not valid JSON"),
                text(
                        "a field twice",
                        "",
                        text -> text.replace("\"version\"", "\"version\":\"1.0\",\"version\""),
                        "uplicate"),
                text("nested deep", "", text -> text.replace("\"decoder\":", deep("\"decoder\":")), "depth"),
                text(
                        "a part nested deep",
                        "",
                        text -> text.replace("\"decoder\":{", deep("\"decoder\":{\"x\":")),
                        "depth"),
                text(
                        "too many values",
                        "",
                        text -> text.replace("\"padding\":null", "\"padding\":[" + "0,".repeat(1 << 20) + "0]"),
                        "too many values"),
                root("unknown field", "speed", 1, "expected no field but version, truncation"),
                root("other version", "version", "2.0", "is \"2.0\", expected \"1.0\""),
                root("version a number", "version", 1, "expected \"1.0\""),
                root("truncation", "truncation", object("max_length", 512), "Hotrow does not run it"),
                root("padding", "padding", object("strategy", "BatchLongest"), "Hotrow does not run it"));
    }

    private static Stream<TokenizerCorruption> ofTheModel() {
        return Stream.of(
                without("model", "missing"),
                root("model null", "model", null, "not an object"),
                model("type", "Unigram", "is \"Unigram\", expected \"BPE\""),
                model("type", null, "is null, expected a string"),
                model("vocab", List.of("a", "b"), "not an object"),
                model("merges", object("a", "b"), "not a list"),
                model("speed", 1, "expected no field but type, dropout"),
                model("dropout", 0.1, "expected null"),
                model("unk_token", "<unk>", "expected null"),
                model("continuing_subword_prefix", "##", "expected null or \"\""),
                model("end_of_word_suffix", "</w>", "expected null or \"\""),
                model("byte_fallback", true, "Hotrow does not run it"),
                model("ignore_merges", "true", "true or false"),
                withoutInModel("type"),
                withoutInModel("vocab"),
                withoutInModel("merges"),
                new TokenizerCorruption(
                        "byte tokens of another kind",
                        "model.byte_fallback",
                        json -> {
                            json.vocab.put("<0x-1>", 1000);
                            json.vocab.put("<0xZZ>", 1001);
                            json.model.put("byte_fallback", true);
                        },
                        "Hotrow does not run it"));
    }

    private static Stream<TokenizerCorruption> ofIds() {
        return Stream.of(
                id(-1, "not an id"),
                id(1 << 21, "not an id from 0 to 2097151"),
                id(1L << 31, "not an id"),
                id(1L << 32, "not an id"),
                id(new Raw("1".repeat(30)), "not an id"),
                id(new Raw("2e2"), "not an id"),
                id(256.0, "not an id"),
                id("256", "not an id"),
                id(null, "not an id"),
                id(List.of(256), "not an id"),
                id(5, "is 5, the id of another token"),
                new TokenizerCorruption(
                        "lacks a byte", "model.vocab", json -> json.vocab.remove("\u0100"), "byte 0x00"),
                text("a token twice", "", text -> text.replace("\"ab\"", "\"!\""), "uplicate"),
                text("half a character", "", text -> text.replace("\"ab\"", "\"a\\ud800b\""), "surrogate"));
    }

    private static Stream<TokenizerCorruption> ofMerges() {
        return Stream.of(
                merge(List.of("a", "xyz"), "needs the token \"xyz\""),
                merge(List.of("xyz", "a"), "needs the token \"xyz\""),
                merge(List.of("b", "a"), "needs the token \"ba\""),
                merge(List.of("ab", "ab"), "needs the token \"abab\""),
                merge(List.of("ab"), "not a string"),
                merge(List.of("a", "b", "c"), "more than two"),
                merge(List.of(1, 2), "not a string"),
                merge(1, "not a string"),
                merge("ab", "one space"),
                merge("a b c", "one space"),
                merge(" b", "one space"),
                merge("a ", "one space"));
    }

    private static Stream<TokenizerCorruption> ofAddedTokens() {
        return Stream.of(
                text("half a character in an added token", "", text -> text.replace("<s>", "\\udc00"), "surrogate"),
                root("added tokens a map", "added_tokens", object(), "expected a list"),
                root("an added token no object", "added_tokens", List.of("<s>"), "expected an object"),
                added("content", "", "expected 1 to 256 characters"),
                added("content", "x".repeat(257), "expected 1 to 256 characters"),
                added("content", "<s>", "expected another text"),
                added("content", "a", "id: is 258, expected 97"),
                added("content", 1, "is 1, expected a string"),
                added("id", 257, "an id that no other token has"),
                added("id", 5, "an id that no other token has"),
                added("id", -1, "is -1, expected a whole number from 0 to 2097151"),
                added("id", 1 << 21, "from 0 to 2097151"),
                added("id", 1L << 31, "is 2147483648, expected"),
                added("id", null, "is null, expected a whole number"),
                added("single_word", true, "expected false"),
                added("lstrip", true, "expected false"),
                added("rstrip", true, "expected false"),
                added("special", "yes", "expected true or false"),
                added("rank", 1, "expected no field but id"),
                new TokenizerCorruption(
                        "an added token without flag",
                        "added_tokens[1].special",
                        json -> json.addedToken("<t>", true, false).remove("special"),
                        "missing"),
                new TokenizerCorruption(
                        "normalized beside NFC",
                        "added_tokens[1].normalized",
                        json -> json.set("normalizer", object("type", "NFC")).addedToken("<t>", true, true),
                        "NFC"),
                new TokenizerCorruption(
                        "added tokens long in all",
                        "added_tokens",
                        json -> {
                            for (int i = 0; i < 1 << 12; i++) {
                                json.addedToken("%0256d".formatted(i), true, false);
                            }
                        },
                        "at most 1048576 characters"));
    }

    private static Stream<TokenizerCorruption> ofPreTokenizers() {
        return Stream.of(
                root("no pre-tokenizer", "pre_tokenizer", null, "is null, expected ByteLevel"),
                steps("", "ByteLevel", isolate("a")),
                steps("[1].type", "nothing after ByteLevel", byteLevel(false, false), isolate("a")),
                steps("[1].type", "nothing after ByteLevel", byteLevel(false, false), byteLevel(false, false)),
                steps("[0].type", "\"Metaspace\"", object("type", "Metaspace")),
                steps("[0].type", "missing", object("add_prefix_space", false)),
                steps("[0].speed", "expected no field but", object("type", "ByteLevel", "speed", 1)),
                steps(
                        "[32].type",
                        "at most 32",
                        Collections.nCopies(33, isolate("a")).toArray()),
                steps("[0].behavior", "\"MergedWithNext\"", split("Regex", "a", "MergedWithNext", false)),
                steps("[0].pattern.String", "text to split at", split("String", "", "Isolated", false)),
                steps("[0].pattern.Glob", "expected no field but Regex, String", split("Glob", "*", "Isolated", false)),
                steps(
                        "[0].pattern.Regex",
                        "is \"\\w+\", expected a pattern that Hotrow can run; at index 1: unsupported syntax",
                        isolate("\\w+")),
                steps("[0].pattern.Regex", "at index 2: unfinished", isolate("[a")),
                steps("[0].individual_digits", "missing", object("type", "Digits")),
                root("a normalizer", "normalizer", object("type", "NFKC"), "\"NFKC\""),
                root(
                        "a normalizer in a sequence",
                        "normalizer",
                        object("type", "Sequence", "normalizers", List.of(object("type", "Lowercase"))),
                        "\"Lowercase\""));
    }

    private static Stream<TokenizerCorruption> ofTheRest() {
        return Stream.of(
                root("a post-processor", "post_processor", object("type", "BertProcessing"), "\"BertProcessing\""),
                new TokenizerCorruption(
                        "a template with an unknown token",
                        "post_processor.special_tokens.<s>.ids[0]",
                        json -> template(json, 9999, "A"),
                        "is 9999, expected a whole number from 0 to 257"),
                new TokenizerCorruption(
                        "a template without text", "post_processor.single", json -> template(json, 257, "B"), "text A"),
                root("no decoder", "decoder", null, "is null, expected one of type ByteLevel"),
                root("a decoder", "decoder", object("type", "Fuse"), "expected one of type ByteLevel"),
                root("a decoder without type", "decoder", object(), "type: is missing"));
    }

    /** A post-processor that puts a token before the text. */
    static void template(TokenizerJson json, int id, String text) {
        Object token = object("SpecialToken", object("id", "<s>", "type_id", 0));
        Object sequence = object("Sequence", object("id", text, "type_id", 0));
        Object specialTokens = object("<s>", object("id", "<s>", "ids", List.of(id), "tokens", List.of("<s>")));
        json.set(
                "post_processor",
                object(
                        "type",
                        "TemplateProcessing",
                        "single",
                        List.of(token, sequence),
                        "special_tokens",
                        specialTokens));
    }

    private static TokenizerCorruption text(String name, String where, UnaryOperator<String> edit, String problem) {
        return new TokenizerCorruption(name, where, json -> json.edit(edit), problem);
    }

    private static String deep(String text) {
        return text + "[".repeat(10_000);
    }

    private static TokenizerCorruption root(String name, String field, @Nullable Object value, String problem) {
        return new TokenizerCorruption(name, field, json -> json.set(field, value), problem);
    }

    private static TokenizerCorruption without(String field, String problem) {
        return new TokenizerCorruption("no " + field, field, json -> json.root.remove(field), problem);
    }

    private static TokenizerCorruption model(String field, @Nullable Object value, String problem) {
        return new TokenizerCorruption(
                field + " " + value, "model." + field, json -> json.model.put(field, value), problem);
    }

    private static TokenizerCorruption withoutInModel(String field) {
        return new TokenizerCorruption("no " + field, "model." + field, json -> json.model.remove(field), "is missing");
    }

    private static TokenizerCorruption id(@Nullable Object value, String problem) {
        return new TokenizerCorruption(
                "id " + value, "model.vocab[\"ab\"]", json -> json.vocab.put("ab", value), problem);
    }

    private static TokenizerCorruption merge(Object value, String problem) {
        return new TokenizerCorruption("merge " + value, "model.merges[0]", json -> json.merges.set(0, value), problem);
    }

    private static TokenizerCorruption added(String field, @Nullable Object value, String problem) {
        String name = "added token's " + field + " " + value;
        return new TokenizerCorruption(
                name.substring(0, Math.min(name.length(), 40)),
                "added_tokens[1].",
                json -> json.addedToken("<t>", true, false).put(field, value),
                problem);
    }

    private static TokenizerCorruption steps(String where, String problem, Object... steps) {
        return new TokenizerCorruption(
                "steps " + where,
                "pre_tokenizer" + (where.isEmpty() ? "" : ".pretokenizers" + where),
                json -> json.preTokenizers(steps),
                problem);
    }
}
