package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;

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

    /** Reads a {@code post_processor}. */
    static TemplateTokens of(Component component) {
        return switch (component.type()) {
            case "ByteLevel" -> NONE;
            case "TemplateProcessing" -> template(component);
            case "Sequence" -> {
                TemplateTokens all = NONE;
                for (Component step : component.children("processors")) {
                    all = of(step).around(all);
                }
                yield all;
            }
            default -> throw component.unsupportedType("ByteLevel, TemplateProcessing or Sequence");
        };
    }

    private TemplateTokens around(TemplateTokens inner) {
        List<Integer> first = new ArrayList<>(leading);
        first.addAll(inner.leading);
        List<Integer> last = new ArrayList<>(inner.trailing);
        last.addAll(trailing);
        return new TemplateTokens(first, last);
    }

    private static TemplateTokens template(Component component) {
        Component specialTokens = component.child("special_tokens");
        List<Integer> leading = new ArrayList<>();
        List<Integer> trailing = new ArrayList<>();
        boolean textSeen = false;
        for (Component piece : component.children("single")) {
            if (piece.fields().containsKey("SpecialToken")) {
                String name = piece.child("SpecialToken").text("id");
                (textSeen ? trailing : leading).addAll(specialTokens.child(name).numbers("ids"));
            } else if (textSeen || !piece.child("Sequence").text("id").equals("A")) {
                throw component.refusal("single", "is not one text A between special tokens");
            } else {
                textSeen = true;
            }
        }
        if (!textSeen) {
            throw component.refusal("single", "has no text A");
        }
        return new TemplateTokens(leading, trailing);
    }
}
