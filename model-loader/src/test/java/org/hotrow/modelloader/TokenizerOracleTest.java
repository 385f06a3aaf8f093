package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hotrow.modelloader.TokenizerJson.byteLevel;
import static org.hotrow.modelloader.TokenizerJson.object;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares with the tokenizers library on random text. */
class TokenizerOracleTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void encodesAndDecodesAsTheLibrary(TokenizerFamily family) {
        Path file = family.file(folder);
        Tokenizer tokenizer = Tokenizer.read(file);
        var texts =
                new RandomText(31, family.words(), c -> family != TokenizerFamily.QWEN || !NfcDifferences.concerns(c));
        try (var library = new TokenizersLibrary(file)) {
            for (int i = 0; i < family.texts(); i++) {
                String text = texts.next();
                int[] ids = tokenizer.encode(text);
                assertThat(ids)
                        .as(() -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)))
                        .isEqualTo(library.encode(text));
                boolean skipSpecial = i % 2 == 0;
                assertThat(tokenizer.decode(ids, skipSpecial)).isEqualTo(library.decode(ids, skipSpecial));
            }
        }
    }

    /** Digits asks the standard library of Rust, which is ahead of Unicode 16: the exact difference. */
    @Test
    void takesForDigitsWhatTheLibraryDoesButForNewerOnes() {
        Path file = new TokenizerJson()
                .preTokenizers(object("type", "Digits", "individual_digits", true), byteLevel(true, false))
                .write(folder);
        Tokenizer tokenizer = Tokenizer.read(file);
        BitSet different = new BitSet();
        try (var library = new TokenizersLibrary(file)) {
            for (int from = 0; from < 0x110000; from += 0x400) {
                if (differ(tokenizer, library, from, from + 0x400)) {
                    for (int c = from; c < from + 0x400; c++) {
                        different.set(c, differ(tokenizer, library, c, c + 1));
                    }
                }
            }
        }
        BitSet unicode17 = new BitSet();
        unicode17.set(0x11DE0, 0x11DEA);
        unicode17.set(0x16FF4, 0x16FF7);
        assertThat(different).isEqualTo(unicode17);
    }

    private static boolean differ(Tokenizer tokenizer, TokenizersLibrary library, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int c = from; c < to; c++) {
            if (Character.getType(c) != Character.SURROGATE) {
                text.append('a').appendCodePoint(c);
            }
        }
        return !Arrays.equals(tokenizer.encode(text.toString()), library.encode(text.toString()));
    }
}
