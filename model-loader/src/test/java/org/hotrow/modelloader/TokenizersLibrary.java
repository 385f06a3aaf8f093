package org.hotrow.modelloader;

import static ai.djl.huggingface.tokenizers.jni.TokenizersLibrary.LIB;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;

/** The tokenizers library, as an oracle. Asks its native part itself, for ids alone: that is many times faster. */
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
        long encoding = LIB.encode(tokenizer.getHandle(), text, false);
        try {
            return Arrays.stream(LIB.getTokenIds(encoding))
                    .mapToInt(Math::toIntExact)
                    .toArray();
        } finally {
            LIB.deleteEncoding(encoding);
        }
    }

    String decode(int[] ids, boolean skipSpecial) {
        return LIB.decode(
                tokenizer.getHandle(), Arrays.stream(ids).asLongStream().toArray(), skipSpecial);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
