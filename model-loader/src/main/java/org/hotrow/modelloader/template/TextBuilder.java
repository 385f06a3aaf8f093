package org.hotrow.modelloader.template;

import java.util.Arrays;

/** Puts text together, marks included, within a length that is checked before memory is taken. */
final class TextBuilder {
    /** Characters that are accounted for at once. */
    private static final int CHARGE_BATCH = 1024;

    private final Rendering run;
    private final int maxLength;
    private final String what;
    private final StringBuilder chars = new StringBuilder();
    private boolean firstTrusted;
    private boolean lastTrusted;
    private int[] flips = new int[4];
    private int flipCount;
    private long uncharged;

    private TextBuilder(Rendering run, int maxLength, String what) {
        this.run = run;
        this.maxLength = maxLength;
        this.what = what;
    }

    /** For a value, which may have as many characters as any value. */
    TextBuilder(Rendering run) {
        this(run, run.limits().valueChars(), "a value");
    }

    /** For the output of the whole template. */
    static TextBuilder output(Rendering run) {
        return new TextBuilder(run, run.limits().outputChars(), "the output");
    }

    TextBuilder append(TemplateText text) {
        return append(text, 0, text.length());
    }

    /** Appends the characters between two offsets of {@code text}. */
    TextBuilder append(TemplateText text, int from, int to) {
        if (from >= to) {
            return this;
        }
        mark(text.isTrustedAt(from), to - from);
        int flip = text.flipsUpTo(from);
        boolean trusted = lastTrusted;
        for (; flip < text.flipCount() && text.flipAt(flip) < to; flip++) {
            trusted = !trusted;
            addFlip(chars.length() + text.flipAt(flip) - from);
        }
        lastTrusted = trusted;
        chars.append(text.chars(), from, to);
        return this;
    }

    /** Appends characters that are not the template's. */
    TextBuilder append(String untrusted) {
        if (!untrusted.isEmpty()) {
            mark(false, untrusted.length());
            chars.append(untrusted);
        }
        return this;
    }

    /** Appends a run of one untrusted character. */
    TextBuilder fill(char c, long count) {
        if (count > 0) {
            mark(false, count);
            chars.repeat(c, (int) count);
        }
        return this;
    }

    TextBuilder appendCodePoint(int untrusted) {
        mark(false, Character.charCount(untrusted));
        chars.appendCodePoint(untrusted);
        return this;
    }

    int length() {
        return chars.length();
    }

    TemplateText build() {
        run.chargeChars(uncharged + 4L * flipCount);
        if (chars.isEmpty()) {
            return TemplateText.EMPTY;
        }
        return new TemplateText(chars.toString(), firstTrusted, Arrays.copyOf(flips, flipCount), false);
    }

    /** Makes sure of room for {@code added} characters and notes the mark that the next one has. */
    private void mark(boolean trusted, long added) {
        if (chars.length() + added > maxLength) {
            throw run.limit(what + " grew beyond " + maxLength + " characters");
        }
        uncharged += added;
        if (uncharged >= CHARGE_BATCH) {
            run.chargeChars(uncharged);
            uncharged = 0;
        }
        if (chars.isEmpty()) {
            firstTrusted = trusted;
        } else if (trusted != lastTrusted) {
            addFlip(chars.length());
        }
        lastTrusted = trusted;
    }

    private void addFlip(int offset) {
        if (flipCount == flips.length) {
            flips = Arrays.copyOf(flips, flipCount * 2);
        }
        flips[flipCount++] = offset;
    }
}
