package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
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
                assertThat(tokenizer.decode(ids)).isEqualTo(library.decode(ids, false));
                assertThat(tokenizer.decode(ids, true)).isEqualTo(library.decode(ids, true));
            }
        }
    }
}
