package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that the {@code post_processor} of a file puts around a single text, such as a beginning-of-text token.
 * ByteLevel adds none, TemplateProcessing those of its {@code single} template, Sequence what its steps add.
 */
record TemplateTokens(List<Integer> leading, List<Integer> trailing) {
    static final TemplateTokens NONE = new TemplateTokens(List.of(), List.of());

    TemplateTokens {
        leading = List.copyOf(leading);
        trailing = List.copyOf(trailing);
    }

    /** Reads a {@code post_processor}, null when there is none; its tokens have ids below {@code vocabSize}. */
    static TemplateTokens read(@Nullable JsonFields postProcessor, int vocabSize) {
        if (postProcessor == null) {
            return NONE;
        }
        return switch (postProcessor.text("type")) {
            case "ByteLevel" -> NONE;
            case "TemplateProcessing" -> readTemplate(postProcessor, vocabSize);
            case "Sequence" -> {
                TemplateTokens all = NONE;
                for (JsonFields step : postProcessor.children("processors")) {
                    all = read(step, vocabSize).around(all);
                }
                yield all;
            }
            default -> throw postProcessor.refusal("type", "ByteLevel, TemplateProcessing or Sequence");
        };
    }

    private TemplateTokens around(TemplateTokens inner) {
        List<Integer> first = new ArrayList<>(leading);
        first.addAll(inner.leading);
        List<Integer> last = new ArrayList<>(inner.trailing);
        last.addAll(trailing);
        return new TemplateTokens(first, last);
    }

    private static TemplateTokens readTemplate(JsonFields template, int vocabSize) {
        List<Integer> leading = new ArrayList<>();
        List<Integer> trailing = new ArrayList<>();
        boolean textSeen = false;
        for (JsonFields piece : template.children("single")) {
            JsonFields token = piece.child("SpecialToken");
            JsonFields text = piece.child("Sequence");
            if (token != null) {
                List<Integer> side = textSeen ? trailing : leading;
                side.addAll(ids(template, token.text("id"), vocabSize));
            } else if (!textSeen && text != null && text.text("id").equals("A")) {
                textSeen = true;
            } else {
                throw template.refusal("single", "one text A between special tokens");
            }
        }
        if (!textSeen) {
            throw template.refusal("single", "a text A");
        }
        return new TemplateTokens(leading, trailing);
    }

    private static List<Integer> ids(JsonFields template, String name, int vocabSize) {
        JsonFields tokens = template.child("special_tokens");
        JsonFields token = tokens == null ? null : tokens.child(name);
        if (token == null) {
            throw template.refusal("special_tokens", "an entry for " + ModelFormatException.quote(name));
        }
        return token.wholes("ids", 0, vocabSize - 1);
    }
}
