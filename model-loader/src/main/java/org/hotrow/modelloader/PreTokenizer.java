package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Cuts text into the pieces that BPE works on, one after the other: every step cuts the pieces of the step before.
 *
 * <pre>
 * Split      at the matches of a pattern; keeps all pieces, or drops matches or the rest
 * Digits     numeric characters from other text, each by itself or in runs
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

    private final Path file;
    private final List<Step> steps = new ArrayList<>();
    private boolean byteLevel;

    private PreTokenizer(Path file) {
        this.file = file;
    }

    /** Reads the {@code pre_tokenizer} of a file. */
    static PreTokenizer of(Component component) {
        var result = new PreTokenizer(component.file());
        result.add(component);
        if (!result.byteLevel) {
            throw component.refusal("type", "has no ByteLevel at the end; Hotrow runs byte-level models only");
        }
        return result;
    }

    /** Hands the pieces of {@code text}, none of them empty, to {@code sink} in order. */
    void split(String text, Consumer<String> sink) {
        if (!text.isEmpty()) {
            apply(0, text, sink);
        }
    }

    private void apply(int step, String piece, Consumer<String> sink) {
        if (step == steps.size()) {
            sink.accept(piece);
        } else {
            steps.get(step).apply(piece, part -> apply(step + 1, part, sink));
        }
    }

    private void add(Component component) {
        if (byteLevel) {
            throw component.refusal("type", "stands after ByteLevel, expected before it");
        }
        if (steps.size() >= MAX_STEPS) {
            throw component.refusal("type", "is one of more than " + MAX_STEPS + " steps");
        }
        switch (component.type()) {
            case "Sequence" -> {
                component.allow("type", "pretokenizers");
                component.children("pretokenizers").forEach(this::add);
            }
            case "Split" -> addSplit(component);
            case "Digits" -> {
                component.allow("type", "individual_digits");
                addSplit(component.where(), component.flag("individual_digits") ? "\\p{N}" : "\\p{N}+");
            }
            case "ByteLevel" -> {
                component.allow("type", "add_prefix_space", "trim_offsets", "use_regex");
                if (component.flag("add_prefix_space")) {
                    steps.add(new PrefixSpace());
                }
                if (component.flag("use_regex", true)) {
                    addSplit(component.where(), GPT2);
                }
                byteLevel = true;
            }
            default -> throw component.unsupportedType("Sequence, Split, Digits or ByteLevel");
        }
    }

    private void addSplit(String where, String regex) {
        steps.add(new Split(SplitPattern.regex(file, where, regex), true, true));
    }

    private void addSplit(Component component) {
        component.allow("type", "pattern", "behavior", "invert");
        Component pattern = component.child("pattern");
        SplitPattern compiled;
        if (pattern.fields().keySet().equals(Set.of("Regex"))) {
            compiled = SplitPattern.regex(file, pattern.where() + ".Regex", pattern.text("Regex"));
        } else {
            pattern.allow("String");
            String literal = pattern.text("String");
            if (literal.isEmpty()) {
                throw pattern.refusal("String", "is empty, expected text to split at");
            }
            compiled = SplitPattern.literal(file, pattern.where() + ".String", literal);
        }
        boolean removed = switch (component.text("behavior")) {
            case "Isolated" -> false;
            case "Removed" -> true;
            default ->
                throw component.refusal(
                        "behavior",
                        "is " + ModelFormatException.quote(component.text("behavior"))
                                + ", expected Isolated or Removed");
        };
        boolean invert = component.flag("invert");
        steps.add(new Split(compiled, !removed || invert, !removed || !invert));
    }
}
