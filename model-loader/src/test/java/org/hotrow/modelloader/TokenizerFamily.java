package org.hotrow.modelloader;

import static org.hotrow.modelloader.TokenizerJson.byteLevel;
import static org.hotrow.modelloader.TokenizerJson.isolate;
import static org.hotrow.modelloader.TokenizerJson.object;
import static org.hotrow.modelloader.TokenizerJson.split;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The kinds of tokenizer files that are compared with the tokenizers library. */
enum TokenizerFamily {
    GLM_TINY,
    DEMO,

    /** As DeepSeek-V3: three patterns in a row, an empty normalizer, added tokens of both kinds. */
    DEEPSEEK {
        @Override
        TokenizerJson build() {
            var json = trained()
                    .preTokenizers(
                            isolate("\\p{N}{1,3}"),
                            isolate("[\u4E00-\u9FA5\u3040-\u309F\u30A0-\u30FF]+"),
                            isolate(
                                    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
                                            + "| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
                            byteLevel(false, false));
            json.set("normalizer", object("type", "Sequence", "normalizers", List.of()));
            json.addedToken("<\uFF5Cbegin\u2581of\u2581sentence\uFF5C>", true, false);
            json.addedToken("<\uFF5Cbegin\u2581", false, true);
            json.addedToken("<\uFF5CUser\uFF5C>", false, true);
            json.addedToken("sentence\uFF5C><", true, false);
            json.addedToken("they", false, false);
            json.addedToken("the", false, true).put("id", json.vocab.get("the"));
            return json;
        }
    },

    /** As Llama 3: whole pieces before merges, a beginning-of-text token in the post-processor. */
    LLAMA {
        @Override
        TokenizerJson build() {
            var json = trained().preTokenizers(isolate(WORDS.formatted("{1,3}")), byteLevel(false, false));
            json.model.put("ignore_merges", true);
            json.vocab.put("\u0120qzx", json.vocab.size());
            json.vocab.put("678", json.vocab.size());
            Object begin = json.addedToken("<|begin_of_text|>", true, false).get("id");
            json.addedToken("<|eot_id|>", true, false);
            json.set(
                    "post_processor",
                    object(
                            "type",
                            "Sequence",
                            "processors",
                            List.of(
                                    byteLevel(true, false),
                                    object(
                                            "type",
                                            "TemplateProcessing",
                                            "single",
                                            List.of(
                                                    object(
                                                            "SpecialToken",
                                                            object("id", "<|begin_of_text|>", "type_id", 0)),
                                                    object("Sequence", object("id", "A", "type_id", 0))),
                                            "pair",
                                            List.of(),
                                            "special_tokens",
                                            object(
                                                    "<|begin_of_text|>",
                                                    object(
                                                            "id", "<|begin_of_text|>",
                                                            "ids", Collections.singletonList(begin),
                                                            "tokens", List.of("<|begin_of_text|>")))))));
            return json;
        }
    },

    /** As Qwen 3: NFC, single digits. */
    QWEN {
        @Override
        TokenizerJson build() {
            var json = trained().preTokenizers(isolate(WORDS.formatted("")), byteLevel(false, false));
            json.set("normalizer", object("type", "NFC"));
            json.addedToken("<|im_start|>", true, false);
            json.addedToken("<think>", false, false);
            json.addedToken("e\u0301", false, false);
            return json;
        }
    },

    /** As o200k: cased words. */
    O200K {
        @Override
        TokenizerJson build() {
            String upper = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
            String lower = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
            String ending = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
            return trained()
                    .preTokenizers(
                            isolate("[^\\r\\n\\p{L}\\p{N}]?" + upper + "*" + lower + "+" + ending
                                    + "|[^\\r\\n\\p{L}\\p{N}]?"
                                    + upper + "+" + lower + "*" + ending
                                    + "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
                            byteLevel(false, false));
        }
    },

    /** As GPT-2: its own pattern, which is the default, and a space before each stretch of text. */
    GPT2 {
        @Override
        TokenizerJson build() {
            var byteLevel = byteLevel(true, true);
            byteLevel.remove("use_regex");
            var json = trained().set("pre_tokenizer", byteLevel);
            json.addedToken("<|endoftext|>", true, false);
            return json;
        }
    },

    /** Every kind of step and behaviour, with patterns that match nothing, too. */
    STEPS {
        @Override
        TokenizerJson build() {
            return trained()
                    .preTokenizers(
                            split("String", " (", "Isolated", false),
                            split("Regex", "[^\\p{N}\\p{M}]|\\S\\p{M}*?", "Isolated", true),
                            split("String", "\u0301", "Removed", false),
                            split("Regex", "[^\\t]*+(?=[\\s\\S])|(\\t\\t)+", "Removed", true),
                            isolate("x*|(?!\\d)"),
                            object("type", "Digits", "individual_digits", false),
                            object("type", "Digits", "individual_digits", true),
                            byteLevel(true, false));
        }
    };

    private static final String WORDS =
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}%s| ?[^\\s\\p{L}\\p{N}]+"
                    + "[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

    private static final String CORPUS = """
            The quick brown fox jumps over the lazy dog. It's what they'd say; we'll see 12345 times.

            def main(args):
                return args + 1
            hello hello world hello world the then there their other another weather
            caf\u00E9 na\u00EFve d\u00E9j\u00E0 vu \u2014 \u4F60\u597D\uFF0C\u4E16\u754C\u3002\u4ECA\u5929\u5929\u6C14\u600E\u4E48\u6837\uFF1F \u4F60\u597D \u4E16\u754C
            \uD83D\uDE00 \uD83D\uDE00\uD83D\uDC69\u200D\uD83D\uDCBB \u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627 \u0928\u092E\u0938\u094D\u0924\u0947 ... // == ();
            """;

    private static TokenizerJson trained() {
        return new TokenizerJson().train(CORPUS, 250);
    }

    TokenizerJson build() {
        throw new UnsupportedOperationException(this + " is a file");
    }

    Path file(Path folder) {
        return switch (this) {
            case GLM_TINY -> TokenizerFiles.file("glm-tiny");
            case DEMO -> TokenizerFiles.file("demo");
            default -> build().write(folder);
        };
    }

    /** How many random texts to compare. */
    int texts() {
        return this == GLM_TINY || this == DEMO ? 3_000 : 1_200;
    }

    /** Text to find in, or nearly in, what is encoded. */
    List<String> words() {
        List<String> words =
                new ArrayList<>(List.of("<|user|>", "[gMASK]", "<sop>", "/nothink", "<|endoftext|>", "<|reserved_1|>"));
        words.addAll(List.of(
                "<\uFF5Cbegin\u2581of\u2581sentence\uFF5C>",
                "<\uFF5CUser\uFF5C>",
                "they",
                "<|eot_id|>",
                "<|im_start|>"));
        return words;
    }
}
