package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hotrow.modelloader.TokenizerJson.object;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerNfcTest {
    @TempDir
    private Path folder;

    @Test
    void composesTextBetweenAddedTokens() {
        var json = new TokenizerJson().set("normalizer", object("type", "NFC"));
        json.addedToken("e\u0301", false, false);
        Tokenizer tokenizer = Tokenizer.read(json.write(folder));
        assertThat(tokenizer.encode("a\u0301")).containsExactly(0xC3, 0xA1);
        assertThat(tokenizer.encode("e\u0301\u0301"))
                .as("the token comes first")
                .containsExactly(256, 0xCC, 0x81);
    }

    /** The exact difference between two versions of Unicode; see {@link NfcDifferences}. */
    @Test
    void differsFromTheLibraryOnlyInNewerCharacters() {
        Path file = new TokenizerJson().set("normalizer", object("type", "NFC")).write(folder);
        Tokenizer tokenizer = Tokenizer.read(file);
        BitSet marks = new BitSet();
        BitSet composites = new BitSet();
        try (var library = new TokenizersLibrary(file)) {
            for (int mark : RandomText.MARKS) {
                String text = Character.toString(mark);
                boolean differs = differ(tokenizer, library, "a\u0315" + text + "\u0300b")
                        || differ(tokenizer, library, "a\u0345" + text + "\u0334b");
                marks.set(mark, differs);
            }
            for (int c = 0; c < 0x110000; c++) {
                String decomposed = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFD);
                if (!decomposed.equals(Character.toString(c))) {
                    composites.set(c, differ(tokenizer, library, decomposed));
                }
            }
        }
        assertThat(marks).isEqualTo(NfcDifferences.MARKS);
        assertThat(composites).isEqualTo(NfcDifferences.COMPOSITES);
    }

    private static boolean differ(Tokenizer tokenizer, TokenizersLibrary library, String text) {
        return !Arrays.equals(tokenizer.encode(text), library.encode(text));
    }
}
