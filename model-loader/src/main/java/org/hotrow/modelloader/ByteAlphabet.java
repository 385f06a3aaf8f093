package org.hotrow.modelloader;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The alphabet in which a byte-level vocabulary writes bytes as characters. The printable bytes of Latin-1 stand for
 * themselves; the other 68 are numbered upwards from U+0100.
 *
 * <pre>
 * 00-20      21-7E      7F-A0      A1-AC      AD       AE-FF     byte
 * 0100-0120  0021-007E  0121-0142  00A1-00AC  0143     00AE-00FF character
 * </pre>
 */
final class ByteAlphabet {
    private static final int NONE = -1;
    private static final char[] CHARACTERS = new char[256];
    private static final int[] BYTES = new int[0x144];

    static {
        Arrays.fill(BYTES, NONE);
        char next = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean printable = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b != 0xAD);
            CHARACTERS[b] = printable ? (char) b : next++;
            BYTES[CHARACTERS[b]] = b;
        }
    }

    private ByteAlphabet() {}

    /** The characters that stand for {@code bytes}. */
    static String write(byte... bytes) {
        char[] text = new char[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            text[i] = CHARACTERS[bytes[i] & 0xFF];
        }
        return new String(text);
    }

    /** The bytes that a vocabulary entry stands for; an entry with any other character stands for its own UTF-8. */
    static byte[] read(String token) {
        byte[] bytes = new byte[token.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = token.charAt(i);
            if (c >= BYTES.length || BYTES[c] == NONE) {
                return token.getBytes(StandardCharsets.UTF_8);
            }
            bytes[i] = (byte) BYTES[c];
        }
        return bytes;
    }
}
