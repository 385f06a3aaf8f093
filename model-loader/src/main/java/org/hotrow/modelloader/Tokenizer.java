package org.hotrow.modelloader;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A byte-level BPE tokenizer, as a {@code tokenizer.json} describes it. Immutable; threads may share it.
 *
 * <pre>
 * text --added tokens--> spans --NFC, if the file says so--> --pre-tokenizer--> pieces --UTF-8, BPE--> tokens
 * tokens --bytes--> UTF-8 --decode, invalid bytes become U+FFFD--> text
 * </pre>
 *
 * <p>Encoding gives the ids that the tokenizers library (0.21 to 0.23) gives, with these exceptions. Half a surrogate
 * pair, which no other language has in text, becomes U+FFFD. NFC is that of the JDK's Unicode 16, the library's that of
 * Unicode 9: characters that are newer and compose or have a combining class may differ. The pre-tokenizer Digits does
 * not know the 13 digits of Unicode 17, U+11DE0 to U+11DE9 and U+16FF4 to U+16FF6. An added token has the id that the
 * file says, also where the library would count on from the size of the vocabulary, and decodes to its own text.
 */
public final class Tokenizer {
    private final Vocabulary vocabulary;
    private final AddedTokens addedTokens;
    private final boolean nfc;
    private final PreTokenizer preTokenizer;
    private final Bpe bpe;
    private final TemplateTokens templateTokens;

    Tokenizer(
            Vocabulary vocabulary,
            AddedTokens addedTokens,
            boolean nfc,
            PreTokenizer preTokenizer,
            Bpe bpe,
            TemplateTokens templateTokens) {
        this.vocabulary = vocabulary;
        this.addedTokens = addedTokens;
        this.nfc = nfc;
        this.preTokenizer = preTokenizer;
        this.bpe = bpe;
        this.templateTokens = templateTokens;
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

    /** The tokens that the file's post-processor would put before a text; encoding never adds them. */
    public List<Integer> leadingTokens() {
        return templateTokens.leading();
    }

    /** The tokens that the file's post-processor would put after a text; encoding never adds them. */
    public List<Integer> trailingTokens() {
        return templateTokens.trailing();
    }

    /** The tokens of a text, all of it trusted: added tokens are recognised wherever they stand. */
    public int[] encode(String text) {
        return encode(List.of(new TextPart(text, true)));
    }

    /**
     * The tokens of a text in parts. The parts are joined first, so their borders leave no trace, except that an added
     * token is recognised only where all its characters are trusted.
     *
     * @throws ModelFormatException if a pattern of the pre-tokenizer takes too long on this text
     */
    public int[] encode(List<TextPart> parts) {
        StringBuilder joined = new StringBuilder();
        BitSet trusted = new BitSet();
        for (TextPart part : parts) {
            trusted.set(joined.length(), joined.length() + part.text().length(), part.trusted());
            joined.append(part.text());
        }
        String text = LoneSurrogates.replaced(joined.toString());
        IntStream.Builder ids = IntStream.builder();
        for (AddedTokens.Span span : addedTokens.spans(text, trusted)) {
            if (span.isText()) {
                String plain = text.substring(span.start(), span.end());
                preTokenizer.split(normalize(plain), piece -> bpe.encode(piece, ids));
            } else {
                ids.add(span.id());
            }
        }
        return ids.build().toArray();
    }

    private String normalize(String text) {
        return nfc ? Normalizer.normalize(text, Normalizer.Form.NFC) : text;
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
