package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A byte-level BPE tokenizer, as a {@code tokenizer.json} describes it. Immutable; threads may share it.
 *
 * <pre>
 * bytes of tokens --join--> UTF-8 --decode, invalid bytes become U+FFFD--> text
 * </pre>
 */
public final class Tokenizer {
    private final Vocabulary vocabulary;

    Tokenizer(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /**
     * Reads a {@code tokenizer.json} of at most 256 MiB.
     *
     * @throws ModelFormatException naming the field, if the file is broken or asks for something other than byte-level
     *     BPE as the families at hand use it
     */
    public static Tokenizer read(Path file) {
        return TokenizerFile.read(file);
    }

    /** The highest id + 1. Ids below may be unused: {@link #has}. */
    public int size() {
        return vocabulary.size();
    }

    /** Whether some token has this id. */
    public boolean has(int id) {
        return vocabulary.has(id);
    }

    /** The id of a token as the file writes it: an added token by its text, any other in the byte alphabet. */
    public OptionalInt id(String token) {
        return vocabulary.id(token);
    }

    /** Whether the file flags the token as special: markup that need not be shown. */
    public boolean isSpecial(int id) {
        return vocabulary.isSpecial(id);
    }

    /** The bytes that a token stands for; none for an id without a token. */
    public byte[] bytes(int id) {
        return vocabulary.bytes(id).clone();
    }

    /** The text of all tokens, special ones included. An id without a token adds nothing. */
    public String decode(int[] ids) {
        return decode(ids, false);
    }

    /** The text of the tokens, with or without special ones. */
    public String decode(int[] ids, boolean skipSpecial) {
        StreamingDecoder decoder = streamingDecoder(skipSpecial);
        for (int id : ids) {
            decoder.add(id);
        }
        return decoder.finish();
    }

    /** A decoder for tokens that come one by one. */
    public StreamingDecoder streamingDecoder(boolean skipSpecial) {
        return new StreamingDecoder(vocabulary, skipSpecial);
    }
}
