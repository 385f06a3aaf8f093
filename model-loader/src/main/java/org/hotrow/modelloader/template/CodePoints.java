package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/** Text by code point, which is how a template counts. */
final class CodePoints {
    private CodePoints() {}

    static int count(String chars) {
        return chars.codePointCount(0, chars.length());
    }

    /** The code points as texts of their own. */
    static List<TemplateText> list(Rendering run, TemplateText text) {
        int count = run.reserveItems(count(text.chars()));
        List<TemplateText> points = new ArrayList<>(count);
        for (int at = 0; at < text.length(); ) {
            int end = at + Character.charCount(text.chars().codePointAt(at));
            points.add(text.slice(at, end));
            at = end;
        }
        return points;
    }

    /** Offsets in the Java string of every code point and of the end. */
    static int[] offsets(String chars) {
        int[] offsets = new int[count(chars) + 1];
        int at = 0;
        for (int i = 0; i < offsets.length - 1; i++) {
            offsets[i] = at;
            at += Character.charCount(chars.codePointAt(at));
        }
        offsets[offsets.length - 1] = at;
        return offsets;
    }

    /** Whether a code point is one of those in {@code chars}, however many these are. */
    static IntPredicate isOneOf(String chars) {
        BitSet points = new BitSet();
        chars.codePoints().forEach(points::set);
        return points::get;
    }

    /** White space as Python sees it. */
    static boolean isSpace(int c) {
        return (c >= 0x09 && c <= 0x0d)
                || (c >= 0x1c && c <= 0x20)
                || c == 0x85
                || (c > 0x85 && Character.isSpaceChar(c));
    }

    /** Order by code point; a Java string's own order differs beyond U+FFFF. */
    static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean oneSurrogate = Character.isSurrogate(x) != Character.isSurrogate(y);
                return oneSurrogate ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
