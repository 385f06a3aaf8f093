package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerDecodeTest {
    private static final Tokenizer TINY = Tokenizer.read(TokenizerFiles.file("glm-tiny"));

    /** The id of each byte's token: the vocabulary of both files begins with the alphabet in the order of characters. */
    private static int byteId(int b) {
        return TINY.id(ByteAlphabet.write((byte) b)).orElseThrow();
    }

    private static int[] byteIds(byte... bytes) {
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = byteId(bytes[i]);
        }
        return ids;
    }

    @Test
    void decodesGoldens() {
        assertThat(TokenizerFiles.goldens()).hasSize(36).allSatisfy(golden -> {
            assertThat(TINY.decode(golden.ids())).isEqualTo(golden.text());
            assertThat(TINY.decode(golden.ids(), true)).isEqualTo(golden.shown());
        });
    }

    @Test
    void knowsTokensByIdAndByText() {
        assertThat(TINY.size()).isEqualTo(384);
        assertThat(TINY.id("<|user|>")).hasValue(355);
        assertThat(TINY.id("\u0120qzx")).hasValue(347);
        assertThat(TINY.id(" qzx")).isEmpty();
        assertThat(TINY.bytes(347)).isEqualTo(" qzx".getBytes(StandardCharsets.UTF_8));
        assertThat(TINY.bytes(355)).isEqualTo("<|user|>".getBytes(StandardCharsets.UTF_8));
        assertThat(TINY.isSpecial(355)).isTrue();
        assertThat(TINY.isSpecial(369)).as("<think> is shown").isFalse();
        assertThat(TINY.has(383)).isTrue();
        for (int id : new int[] {-1, 384, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(TINY.has(id)).isFalse();
            assertThat(TINY.isSpecial(id)).isFalse();
            assertThat(TINY.bytes(id)).isEmpty();
        }
    }

    @Test
    void writesEveryByteInItsOwnCharacter() {
        for (int b = 0; b < 256; b++) {
            assertThat(TINY.bytes(byteId(b))).containsExactly(b);
        }
    }

    @Test
    void callersCannotChangeATokenThroughItsBytes() {
        TINY.bytes(355)[0] = 'X';
        assertThat(TINY.decode(new int[] {355})).isEqualTo("<|user|>");
    }

    @Test
    void holdsACharacterBackUntilItsLastByte() {
        StreamingDecoder decoder = TINY.streamingDecoder(false);
        int[] ids = byteIds("\uD83D\uDE00x".getBytes(StandardCharsets.UTF_8));
        assertThat(decoder.push(ids[0])).isEmpty();
        assertThat(decoder.push(ids[1])).isEmpty();
        assertThat(decoder.push(ids[2])).isEmpty();
        assertThat(decoder.push(ids[3])).isEqualTo("\uD83D\uDE00");
        assertThat(decoder.push(ids[4])).isEqualTo("x");
        assertThat(decoder.push(ids[0])).isEmpty();
        assertThat(decoder.finish()).isEqualTo("\uFFFD");
        assertThat(decoder.push(ids[4])).as("starts anew").isEqualTo("x");
        assertThat(decoder.finish()).isEmpty();
    }

    @Test
    void streamsWhatTheWholeDecodes() {
        var random = new Random(29);
        for (int round = 0; round < 2_000; round++) {
            int[] ids = random.ints(random.nextInt(40), 0, TINY.size() + 3).toArray();
            boolean skipSpecial = random.nextBoolean();
            StreamingDecoder decoder = TINY.streamingDecoder(skipSpecial);
            StringBuilder pieces = new StringBuilder();
            for (int id : ids) {
                pieces.append(decoder.push(id));
            }
            assertThat(pieces.append(decoder.finish())).hasToString(TINY.decode(ids, skipSpecial));
        }
    }

    @Test
    void hidesOnlySpecialTokensWhenAsked() {
        StreamingDecoder decoder = TINY.streamingDecoder(true);
        assertThat(decoder.push(355)).isEmpty();
        assertThat(decoder.push(369)).isEqualTo("<think>");
        assertThat(TINY.streamingDecoder(false).push(355)).isEqualTo("<|user|>");
    }

    /** Chains of bytes that begin, continue or break characters, against the library: as many U+FFFD, in the same places. */
    @Test
    void replacesInvalidBytesAsTheLibrary() {
        int[] bytes = {
            0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4,
            0xF5, 0xFF
        };
        int[] ids = IntStream.of(bytes).map(TokenizerDecodeTest::byteId).toArray();
        try (var library = new TokenizersLibrary(TokenizerFiles.file("glm-tiny"))) {
            for (int length = 1; length <= 4; length++) {
                int step = length < 4 ? 1 : 7;
                for (int chain = 0; chain < Math.pow(ids.length, length); chain += step) {
                    int[] chained = new int[length];
                    for (int i = 0, rest = chain; i < length; i++, rest /= ids.length) {
                        chained[i] = ids[rest % ids.length];
                    }
                    assertThat(TINY.decode(chained)).isEqualTo(library.decode(chained, false));
                }
            }
        }
    }

    /** Valid text whose bytes are cut into tokens anywhere. */
    @Test
    void joinsCharactersCutAnywhere(@TempDir Path folder) {
        var random = new Random(34);
        var texts = new RandomText(34, List.of(), c -> true);
        for (int round = 0; round < 50; round++) {
            String text = texts.next() + texts.next();
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            var json = new TokenizerJson();
            List<String> tokens = new ArrayList<>();
            for (int at = 0; at < bytes.length; at += tokens.getLast().length()) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(5));
                String token = ByteAlphabet.write(Arrays.copyOfRange(bytes, at, end));
                json.vocab.putIfAbsent(token, json.vocab.size());
                tokens.add(token);
            }
            Tokenizer tokenizer = Tokenizer.read(json.write(folder));
            StreamingDecoder decoder = tokenizer.streamingDecoder(false);
            StringBuilder pieces = new StringBuilder();
            for (String token : tokens) {
                String piece = decoder.push(tokenizer.id(token).orElseThrow());
                assertThat(LoneSurrogates.in(piece)).isFalse();
                pieces.append(piece);
            }
            assertThat(pieces).hasToString(text);
            assertThat(decoder.finish()).isEmpty();
        }
    }
}
