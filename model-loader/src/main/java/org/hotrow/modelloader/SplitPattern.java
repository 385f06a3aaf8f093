package org.hotrow.modelloader;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern that cuts text into its matches and what lies between them. Matching is bounded: a pattern that reads more
 * than a fixed number of characters per character of text is given up, as is one that recurses too deeply.
 */
final class SplitPattern {
    /** The patterns of known families took at most 16 on text made to provoke them. */
    private static final int STEPS_PER_CHARACTER = 200;

    private static final int STEPS_AT_LEAST = 10_000;

    private final JsonFields fields;
    private final String name;
    private final Pattern pattern;

    /** Receives the pieces of a text, none of them empty, in order. */
    interface PieceSink {
        void accept(String piece, boolean match);
    }

    private SplitPattern(JsonFields fields, String name, Pattern pattern) {
        this.fields = fields;
        this.name = name;
        this.pattern = pattern;
    }

    /** The pattern of a regular expression, which the field {@code name} of {@code fields} asks for. */
    static SplitPattern regex(JsonFields fields, String name, String regex) {
        try {
            RegexSyntax.check(regex);
            return new SplitPattern(fields, name, Pattern.compile(regex, Pattern.UNICODE_CHARACTER_CLASS));
        } catch (PatternSyntaxException e) {
            throw fields.refusal(
                    name, "a pattern that Hotrow can run; at index " + e.getIndex() + ": " + e.getDescription());
        }
    }

    /** The pattern that matches {@code text} itself. */
    static SplitPattern literal(JsonFields fields, String name, String text) {
        if (text.isEmpty()) {
            throw fields.refusal(name, "text to split at");
        }
        return new SplitPattern(fields, name, Pattern.compile(text, Pattern.LITERAL));
    }

    /** Hands all of {@code text} over in pieces. */
    void split(String text, PieceSink sink) {
        try {
            split(text, pattern.matcher(new LimitedText(text)), sink);
        } catch (TooManyStepsException | StackOverflowError e) {
            throw new ModelFormatException(
                    fields.file(),
                    fields.path() + name,
                    "the pattern " + ModelFormatException.quote(pattern.pattern())
                            + " takes too long or nests too deep on a text of " + text.length() + " characters",
                    e);
        }
    }

    private static void split(String text, Matcher matcher, PieceSink sink) {
        int done = 0;
        int from = 0;
        while (from <= text.length() && matcher.find(from)) {
            int start = matcher.start();
            int end = matcher.end();
            if (done < start) {
                sink.accept(text.substring(done, start), false);
            }
            if (start < end) {
                sink.accept(text.substring(start, end), true);
            }
            done = end;
            // An empty match must not be found again, nor a surrogate pair be entered.
            from = start < end ? end : end == text.length() ? end + 1 : text.offsetByCodePoints(end, 1);
        }
        if (done < text.length()) {
            sink.accept(text.substring(done), false);
        }
    }

    private static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A text that can be read only so often. */
    private static final class LimitedText implements CharSequence {
        private final String text;
        private long left;

        LimitedText(String text) {
            this.text = text;
            this.left = STEPS_AT_LEAST + (long) STEPS_PER_CHARACTER * text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
