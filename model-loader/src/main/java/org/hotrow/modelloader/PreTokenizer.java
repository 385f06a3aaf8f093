package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Cuts text into the pieces that BPE works on, one after the other: every step cuts the pieces of the step before.
 *
 * <pre>
 * Split      at the matches of a pattern; keeps all pieces, or drops matches or the rest
 * Digits     numeric characters (Unicode 16) from other text, each by itself or in runs
 * ByteLevel  last; may put a space before each piece, may then split as GPT-2 does
 * </pre>
 */
final class PreTokenizer {
    private static final int MAX_STEPS = 32;
    private static final String GPT2 =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    private sealed interface Step permits Split, PrefixSpace {
        void apply(String piece, Consumer<String> sink);
    }

    private record Split(SplitPattern pattern, boolean keepMatches, boolean keepRest) implements Step {
        @Override
        public void apply(String piece, Consumer<String> sink) {
            pattern.split(piece, (part, match) -> {
                if (match ? keepMatches : keepRest) {
                    sink.accept(part);
                }
            });
        }
    }

    private record PrefixSpace() implements Step {
        @Override
        public void apply(String piece, Consumer<String> sink) {
            sink.accept(piece.startsWith(" ") ? piece : " " + piece);
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private boolean byteLevel;

    private PreTokenizer() {}

    /** Reads a {@code pre_tokenizer}. */
    static PreTokenizer read(JsonFields fields) {
        var result = new PreTokenizer();
        result.add(fields);
        if (!result.byteLevel) {
            throw fields.refusal("type", "ByteLevel, or a Sequence that ends with it: Hotrow runs byte-level models");
        }
        return result;
    }

    /** Hands the pieces of {@code text}, which is not empty, to {@code sink} in order; none of them is empty. */
    void split(String text, Consumer<String> sink) {
        apply(0, text, sink);
    }

    private void apply(int step, String piece, Consumer<String> sink) {
        if (step == steps.size()) {
            sink.accept(piece);
        } else {
            steps.get(step).apply(piece, part -> apply(step + 1, part, sink));
        }
    }

    private void add(JsonFields fields) {
        if (byteLevel) {
            throw fields.refusal("type", "nothing after ByteLevel");
        }
        if (steps.size() >= MAX_STEPS) {
            throw fields.refusal("type", "at most " + MAX_STEPS + " steps");
        }
        switch (fields.text("type")) {
            case "Sequence" -> {
                fields.allow("type", "pretokenizers");
                fields.children("pretokenizers").forEach(this::add);
            }
            case "Split" -> addSplit(fields);
            case "Digits" -> {
                fields.allow("type", "individual_digits");
                String regex = fields.flag("individual_digits") ? "\\p{N}" : "\\p{N}+";
                isolate(SplitPattern.regex(fields, "individual_digits", regex));
            }
            case "ByteLevel" -> {
                fields.allow("type", "add_prefix_space", "trim_offsets", "use_regex");
                if (fields.flag("add_prefix_space")) {
                    steps.add(new PrefixSpace());
                }
                if (fields.flag("use_regex", true)) {
                    isolate(SplitPattern.regex(fields, "use_regex", GPT2));
                }
                byteLevel = true;
            }
            default -> throw fields.refusal("type", "Sequence, Split, Digits or ByteLevel");
        }
    }

    private void isolate(SplitPattern pattern) {
        steps.add(new Split(pattern, true, true));
    }

    private void addSplit(JsonFields fields) {
        fields.allow("type", "pattern", "behavior", "invert");
        JsonFields pattern = fields.child("pattern");
        if (pattern == null) {
            throw fields.refusal("pattern", "a Regex or a String");
        }
        pattern.allow("Regex", "String");
        SplitPattern compiled = pattern.has("Regex")
                ? SplitPattern.regex(pattern, "Regex", pattern.text("Regex"))
                : SplitPattern.literal(pattern, "String", pattern.text("String"));
        boolean invert = fields.flag("invert");
        switch (fields.text("behavior")) {
            case "Isolated" -> isolate(compiled);
            case "Removed" -> steps.add(new Split(compiled, invert, !invert));
            default -> throw fields.refusal("behavior", "Isolated or Removed");
        }
    }
}
