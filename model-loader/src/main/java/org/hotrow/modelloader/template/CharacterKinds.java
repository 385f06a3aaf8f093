package org.hotrow.modelloader.template;

import java.util.function.IntPredicate;

/** {@code isalpha}, {@code isdigit} and so on: whether there are characters and all are of one kind. */
final class CharacterKinds {
    private CharacterKinds() {}

    static TemplateValue isAlphabetic(Rendering run, TemplateText text, BoundArguments arguments) {
        return all(run, text, Character::isLetter);
    }

    static TemplateValue isAlphanumeric(Rendering run, TemplateText text, BoundArguments arguments) {
        return all(run, text, c -> Character.isLetterOrDigit(c) || isOtherNumber(c));
    }

    /** Of the numbers that are no decimal digits Python counts some; beyond Latin-1 that is refused. */
    static TemplateValue isDigit(Rendering run, TemplateText text, BoundArguments arguments) {
        return all(run, text, c -> {
            if (isOtherNumber(c) && c > 0xff) {
                throw run.runtime("isdigit is not supported for the character '" + Character.toString(c) + "'");
            }
            return Character.isDigit(c) || c == '²' || c == '³' || c == '¹';
        });
    }

    static TemplateValue isSpace(Rendering run, TemplateText text, BoundArguments arguments) {
        return all(run, text, CodePoints::isSpace);
    }

    static TemplateValue isLower(Rendering run, TemplateText text, BoundArguments arguments) {
        run.chargeChars(text.length());
        return BoolValue.of(CaseMapping.isAll(text.chars(), Character::isLowerCase));
    }

    static TemplateValue isUpper(Rendering run, TemplateText text, BoundArguments arguments) {
        run.chargeChars(text.length());
        return BoolValue.of(CaseMapping.isAll(text.chars(), Character::isUpperCase));
    }

    private static boolean isOtherNumber(int c) {
        int type = Character.getType(c);
        return type == Character.LETTER_NUMBER || type == Character.OTHER_NUMBER;
    }

    private static BoolValue all(Rendering run, TemplateText text, IntPredicate kind) {
        run.chargeChars(text.length());
        return BoolValue.of(text.isTrue() && text.chars().codePoints().allMatch(kind));
    }
}
