package org.hotrow.modelloader.template;

import java.util.function.IntPredicate;

/** {@code strip} and its kin: cuts characters off the ends, white space unless others are named. */
final class TextStripping {
    private TextStripping() {}

    static TemplateText both(Rendering run, TemplateText text, BoundArguments arguments) {
        return strip(run, text, arguments, true, true);
    }

    static TemplateText start(Rendering run, TemplateText text, BoundArguments arguments) {
        return strip(run, text, arguments, true, false);
    }

    static TemplateText end(Rendering run, TemplateText text, BoundArguments arguments) {
        return strip(run, text, arguments, false, true);
    }

    private static TemplateText strip(
            Rendering run, TemplateText text, BoundArguments arguments, boolean start, boolean end) {
        IntPredicate cut = CodePoints::isSpace;
        if (arguments.findSome(0) != null) {
            String chars = arguments.text(0).chars();
            run.chargeChars((long) chars.length());
            cut = CodePoints.isOneOf(chars);
        }
        run.chargeChars(text.length());
        String chars = text.chars();
        int from = 0;
        int to = chars.length();
        while (start && from < to && cut.test(chars.codePointAt(from))) {
            from += Character.charCount(chars.codePointAt(from));
        }
        while (end && to > from && cut.test(chars.codePointBefore(to))) {
            to -= Character.charCount(chars.codePointBefore(to));
        }
        return text.slice(from, to);
    }

    static TemplateText removePrefix(Rendering run, TemplateText text, BoundArguments arguments) {
        String prefix = arguments.text(0).chars();
        run.chargeChars(text.length());
        return text.chars().startsWith(prefix) ? text.slice(prefix.length(), text.length()) : text;
    }

    static TemplateText removeSuffix(Rendering run, TemplateText text, BoundArguments arguments) {
        String suffix = arguments.text(0).chars();
        run.chargeChars(text.length());
        return text.chars().endsWith(suffix) ? text.slice(0, text.length() - suffix.length()) : text;
    }
}
