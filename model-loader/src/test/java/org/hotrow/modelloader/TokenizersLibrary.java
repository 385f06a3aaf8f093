package org.hotrow.modelloader;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;

/** The tokenizers library, as an oracle. */
final class TokenizersLibrary implements AutoCloseable {
    private final HuggingFaceTokenizer tokenizer;

    TokenizersLibrary(Path file) {
        try {
            tokenizer = HuggingFaceTokenizer.builder()
                    .optTokenizerPath(file)
                    .optAddSpecialTokens(false)
                    .optTruncation(false)
                    .optPadding(false)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int[] encode(String text) {
        return Arrays.stream(tokenizer.encode(text).getIds())
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    String decode(int[] ids, boolean skipSpecial) {
        return tokenizer.decode(Arrays.stream(ids).asLongStream().toArray(), skipSpecial);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
