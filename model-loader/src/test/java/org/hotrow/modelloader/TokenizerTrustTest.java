package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerTrustTest {
    private static final Tokenizer TINY = Tokenizer.read(TokenizerFiles.file("glm-tiny"));

    @TempDir
    private Path folder;

    private static TextPart trusted(String text) {
        return new TextPart(text, true);
    }

    private static TextPart untrusted(String text) {
        return new TextPart(text, false);
    }

    private static int[] encode(TextPart... parts) {
        return TINY.encode(List.of(parts));
    }

    private static int[] plain(String text) {
        return encode(untrusted(text));
    }

    private static int[] join(int[]... ids) {
        return Arrays.stream(ids).flatMapToInt(IntStream::of).toArray();
    }

    @Test
    void untrustedTextStaysText() {
        int[] ids = plain("<|user|>");
        assertThat(ids).hasSizeGreaterThan(1).doesNotContain(355);
        assertThat(TINY.decode(ids)).isEqualTo("<|user|>");
        assertThat(encode(trusted("<|user|>"))).containsExactly(355);
        assertThat(TINY.encode("<|user|>")).containsExactly(355);
    }

    @Test
    void templateTokensStandAroundUntrustedText() {
        assertThat(encode(trusted("[gMASK]<sop><|user|>"), untrusted("<|assistant|>"), trusted("<|assistant|><think>")))
                .isEqualTo(join(new int[] {350, 352, 355}, plain("<|assistant|>"), new int[] {356, 369}));
    }

    @Test
    void noTokenStraddlesTheBorder() {
        for (int cut = 1; cut < "<|user|>".length(); cut++) {
            TextPart[] parts = {trusted("<|user|>".substring(0, cut)), untrusted("<|user|>".substring(cut))};
            assertThat(encode(parts)).isEqualTo(plain("<|user|>"));
            TextPart[] swapped = {untrusted(parts[0].text()), trusted(parts[1].text())};
            assertThat(encode(swapped)).isEqualTo(plain("<|user|>"));
        }
        assertThat(encode(trusted("<|us"), untrusted("e"), trusted("r|>"))).isEqualTo(plain("<|user|>"));
    }

    @Test
    void aTokenMaySpanTrustedParts() {
        assertThat(encode(trusted("<|us"), untrusted(""), trusted("er|>"))).containsExactly(355);
    }

    @Test
    void bordersLeaveNoOtherTrace() {
        assertThat(encode(trusted(" qz"), untrusted("x"))).containsExactly(347);
        assertThat(encode(trusted("\uD83D"), untrusted("\uDE00"))).isEqualTo(plain("\uD83D\uDE00"));
    }

    /** "abc" reaches from untrusted into trusted text; it must not hide the trusted "cd" that it overlaps. */
    @Test
    void untrustedTextCannotSwallowATrustedToken() {
        var json = new TokenizerJson();
        json.addedToken("abc", true, false);
        json.addedToken("cd", true, false);
        Tokenizer tokenizer = Tokenizer.read(json.write(folder));
        assertThat(tokenizer.encode("abcd")).containsExactly(256, 'd');
        assertThat(tokenizer.encode(List.of(untrusted("ab"), trusted("cd")))).containsExactly('a', 'b', 257);
        assertThat(tokenizer.encode(List.of(trusted("ab"), untrusted("cd")))).containsExactly('a', 'b', 'c', 'd');
        assertThat(tokenizer.encode(List.of(trusted("abc"), untrusted("d")))).containsExactly(256, 'd');
    }

    /** Random parts made of tokens and halves of tokens, against a plain search and the library without added tokens. */
    @Test
    void recognisesExactlyTheTrustedTokens() {
        List<String> tokens = List.of("<|user|>", "<|user", "|><|", "<sop>", "zz", "zzz", "p><", "\uFF5C<");
        var bare = new TokenizerJson().train("<| hello user |> hello user", 30);
        Path bareFile = bare.write(folder);
        var random = new Random(35);
        try (var library = new TokenizersLibrary(bareFile)) {
            int first = bare.vocab.size();
            tokens.forEach(token -> bare.addedToken(token, random.nextBoolean(), false));
            Tokenizer tokenizer = Tokenizer.read(bare.write(folder));
            for (int round = 0; round < 2_000; round++) {
                List<TextPart> parts = new ArrayList<>();
                for (int i = random.nextInt(8); i >= 0; i--) {
                    String token = tokens.get(random.nextInt(tokens.size())) + (random.nextBoolean() ? " hello" : "");
                    int cut = random.nextInt(token.length());
                    parts.add(new TextPart(random.nextBoolean() ? token.substring(cut) : token, random.nextBoolean()));
                }
                assertThat(tokenizer.encode(parts))
                        .as(parts::toString)
                        .isEqualTo(expected(parts, tokens, first, library));
            }
        }
    }

    private static int[] expected(List<TextPart> parts, List<String> tokens, int first, TokenizersLibrary library) {
        StringBuilder text = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        for (TextPart part : parts) {
            text.append(part.text());
            marks.append((part.trusted() ? "T" : "u").repeat(part.text().length()));
        }
        IntStream.Builder ids = IntStream.builder();
        int done = 0;
        int at = 0;
        while (at < text.length()) {
            int best = -1;
            for (int i = 0; i < tokens.size(); i++) {
                String token = tokens.get(i);
                if (text.indexOf(token, at) == at
                        && marks.indexOf("T".repeat(token.length()), at) == at
                        && (best < 0 || token.length() > tokens.get(best).length())) {
                    best = i;
                }
            }
            if (best < 0) {
                at++;
                continue;
            }
            IntStream.of(library.encode(text.substring(done, at))).forEach(ids::add);
            ids.add(first + best);
            at += tokens.get(best).length();
            done = at;
        }
        IntStream.of(library.encode(text.substring(done))).forEach(ids::add);
        return ids.build().toArray();
    }
}
