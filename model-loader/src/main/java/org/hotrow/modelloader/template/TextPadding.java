package org.hotrow.modelloader.template;

import java.math.BigInteger;

/** Text filled up to a width, counted in code points. The filling is untrusted. */
final class TextPadding {
    private TextPadding() {}

    static TemplateText left(Rendering run, TemplateText text, BigInteger width, int fill) {
        return pad(run, text, 0, missing(run, text, width), fill);
    }

    static TemplateText right(Rendering run, TemplateText text, BigInteger width, int fill) {
        return pad(run, text, missing(run, text, width), 0, fill);
    }

    /** As in Python: of an odd number, the one more goes left if the width is odd. */
    static TemplateText center(Rendering run, TemplateText text, BigInteger width, int fill) {
        int missing = missing(run, text, width);
        int before = missing / 2 + (missing % 2 == 1 && width.testBit(0) ? 1 : 0);
        return pad(run, text, before, missing - before, fill);
    }

    /** Zeros between the sign and the rest. */
    static TemplateText zeros(Rendering run, TemplateText text, BigInteger width) {
        int signs = text.chars().startsWith("-") || text.chars().startsWith("+") ? 1 : 0;
        int missing = missing(run, text, width);
        return new TextBuilder(run)
                .append(text, 0, signs)
                .fill('0', missing)
                .append(text, signs, text.length())
                .build();
    }

    private static int missing(Rendering run, TemplateText text, BigInteger width) {
        BigInteger missing = width.subtract(BigInteger.valueOf(CodePoints.count(text.chars())));
        return run.repetitions(1, missing);
    }

    private static TemplateText pad(Rendering run, TemplateText text, int before, int after, int fill) {
        TextBuilder padded = new TextBuilder(run);
        for (int i = 0; i < before; i++) {
            padded.appendCodePoint(fill);
        }
        padded.append(text);
        for (int i = 0; i < after; i++) {
            padded.appendCodePoint(fill);
        }
        return padded.build();
    }
}
