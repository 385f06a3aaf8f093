package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Text that knows for each character where it comes from: <em>trusted</em> characters were written by the template,
 * all others came in from outside.
 *
 * <pre>
 *   chars     &lt; | u s e r | &gt; h i &lt; | u s e r | &gt;
 *   trusted   x x x x x x x x . . . . . . . . . .        first run trusted, flips = [8]
 * </pre>
 *
 * <p>A character never changes its mark: cutting and joining carry the marks along, and an operation that makes new
 * characters out of marked ones gives untrusted text unless all of its input was trusted.
 *
 * <p>Offsets and lengths here are those of Java strings; templates count code points, which {@link CodePoints} does.
 */
public final class TemplateText implements TemplateValue {
    private static final int[] NO_FLIPS = {};

    static final TemplateText EMPTY = new TemplateText("", false, NO_FLIPS, false);

    private final String chars;
    private final boolean firstTrusted;
    private final int[] flips;
    private final boolean escaped;

    /**
     * @param firstTrusted the mark of the first run
     * @param flips offsets at which the mark changes, ascending, between 0 and the length, both excluded
     * @param escaped whether this is HTML already, and so is not to be made HTML again
     */
    TemplateText(String chars, boolean firstTrusted, int[] flips, boolean escaped) {
        this.chars = chars;
        this.firstTrusted = firstTrusted;
        this.flips = flips;
        this.escaped = escaped;
    }

    /** A run of characters with one mark. */
    public record Run(String chars, boolean trusted) {}

    static TemplateText untrusted(String chars) {
        return new TemplateText(chars, false, NO_FLIPS, false);
    }

    static TemplateText trusted(String chars) {
        return new TemplateText(chars, true, NO_FLIPS, false);
    }

    /** The characters without their marks. */
    public String chars() {
        return chars;
    }

    /** The text cut where the mark changes; no run is empty. */
    public List<Run> runs() {
        List<Run> runs = new ArrayList<>(flips.length + 1);
        int start = 0;
        boolean trusted = firstTrusted;
        for (int flip : flips) {
            runs.add(new Run(chars.substring(start, flip), trusted));
            start = flip;
            trusted = !trusted;
        }
        if (start < chars.length()) {
            runs.add(new Run(chars.substring(start), trusted));
        }
        return runs;
    }

    int length() {
        return chars.length();
    }

    boolean isEscaped() {
        return escaped;
    }

    /** The same characters and marks, taken as HTML. */
    TemplateText asEscaped() {
        return new TemplateText(chars, firstTrusted, flips, true);
    }

    /** The same characters and marks, taken as plain text. */
    TemplateText asPlain() {
        return escaped ? new TemplateText(chars, firstTrusted, flips, false) : this;
    }

    /** The plain text between two offsets. */
    TemplateText slice(int from, int to) {
        if (from >= to) {
            return EMPTY;
        }
        if (from == 0 && to == chars.length()) {
            return asPlain();
        }
        int first = flipsUpTo(from);
        int last = flipsUpTo(to - 1);
        int[] inside = NO_FLIPS;
        if (last > first) {
            inside = Arrays.copyOfRange(flips, first, last);
            for (int i = 0; i < inside.length; i++) {
                inside[i] -= from;
            }
        }
        return new TemplateText(chars.substring(from, to), isTrustedAt(from), inside, false);
    }

    /**
     * What becomes of this text when its characters are exchanged for others, such as capitals: the new text is trusted
     * only if all of this text was.
     */
    TemplateText replacedBy(String newChars) {
        return firstTrusted && flips.length == 0 ? trusted(newChars) : untrusted(newChars);
    }

    boolean isTrustedAt(int offset) {
        return firstTrusted ^ (flipsUpTo(offset) % 2 == 1);
    }

    /** Number of flips; {@code flipAt} gives them. */
    int flipCount() {
        return flips.length;
    }

    int flipAt(int index) {
        return flips[index];
    }

    /** How many flips lie at or before an offset. */
    int flipsUpTo(int offset) {
        int found = Arrays.binarySearch(flips, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    @Override
    public boolean isTrue() {
        return !chars.isEmpty();
    }

    @Override
    public String typeName() {
        return "str";
    }

    /** The characters, without their marks. */
    @Override
    public String toString() {
        return chars;
    }
}
