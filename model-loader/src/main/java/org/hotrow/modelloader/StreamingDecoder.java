package org.hotrow.modelloader;

/**
 * Turns tokens into text as they come. A character may be spread over tokens, so the bytes of an unfinished one are
 * held back; the pieces together are what {@link Tokenizer#decode(int[], boolean)} gives for all tokens at once.
 *
 * <p>Bytes that are not UTF-8 become U+FFFD, one for each longest run that begins a character (the rule of the WHATWG
 * Encoding standard and of Rust; the JDK's own decoder counts encoded surrogates differently). Not thread-safe.
 */
public final class StreamingDecoder {
    private static final char REPLACEMENT = '\uFFFD';

    private final Vocabulary vocabulary;
    private final boolean skipSpecial;
    private final StringBuilder text = new StringBuilder();

    /** The unfinished character: bits so far, bytes missing, bounds of the next byte. */
    private int codePoint;

    private int missing;
    private int lowest;
    private int highest;

    StreamingDecoder(Vocabulary vocabulary, boolean skipSpecial) {
        this.vocabulary = vocabulary;
        this.skipSpecial = skipSpecial;
    }

    /** The text that one more token completes; empty while a character is unfinished. */
    public String push(int id) {
        add(id);
        return take();
    }

    /** The end of the text: U+FFFD if a character is unfinished, else empty. The decoder may then start anew. */
    public String finish() {
        if (missing > 0) {
            missing = 0;
            text.append(REPLACEMENT);
        }
        return take();
    }

    void add(int id) {
        if (skipSpecial && vocabulary.isSpecial(id)) {
            return;
        }
        for (byte b : vocabulary.bytes(id)) {
            add(b);
        }
    }

    private void add(byte b) {
        int unsigned = b & 0xFF;
        if (missing > 0 && unsigned >= lowest && unsigned <= highest) {
            codePoint = (codePoint << 6) | (unsigned & 0x3F);
            expect(missing - 1, 0x80, 0xBF);
            if (missing == 0) {
                text.appendCodePoint(codePoint);
            }
            return;
        }
        if (missing > 0) {
            text.append(REPLACEMENT);
        }
        begin(unsigned);
    }

    /** The first byte of a character. The bounds of the second one keep out overlong forms, surrogates and U+110000. */
    private void begin(int first) {
        expect(0, 0, 0);
        if (first < 0x80) {
            text.append((char) first);
        } else if (first >= 0xC2 && first <= 0xDF) {
            codePoint = first & 0x1F;
            expect(1, 0x80, 0xBF);
        } else if (first >= 0xE0 && first <= 0xEF) {
            codePoint = first & 0x0F;
            expect(2, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
        } else if (first >= 0xF0 && first <= 0xF4) {
            codePoint = first & 0x07;
            expect(3, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
        } else {
            text.append(REPLACEMENT);
        }
    }

    private void expect(int bytes, int from, int to) {
        missing = bytes;
        lowest = from;
        highest = to;
    }

    private String take() {
        String complete = text.toString();
        text.setLength(0);
        return complete;
    }
}
