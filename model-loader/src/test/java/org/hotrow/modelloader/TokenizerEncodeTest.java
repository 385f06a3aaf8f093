package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.modelloader.TokenizerJson.byteLevel;
import static org.hotrow.modelloader.TokenizerJson.isolate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenizerEncodeTest {
    private static final Tokenizer TINY = Tokenizer.read(TokenizerFiles.file("glm-tiny"));

    @TempDir
    private Path folder;

    @Test
    void encodesGoldens() {
        assertThat(TokenizerFiles.goldens())
                .hasSize(36)
                .allSatisfy(golden -> assertThat(TINY.encode(golden.text())).isEqualTo(golden.ids()));
    }

    @Test
    void takesWholePiecesOnlyWhereTheFileSaysSo() {
        var json = new TokenizerJson();
        json.vocab.put("xyz", 256);
        assertThat(Tokenizer.read(json.write(folder)).encode("xyz")).containsExactly('x', 'y', 'z');
        json.model.put("ignore_merges", true);
        assertThat(Tokenizer.read(json.write(folder)).encode("xyz")).containsExactly(256);
    }

    @Test
    void encodesHalvesOfSurrogatePairsAsReplacement() {
        assertThat(TINY.encode("a\uD83Db")).isEqualTo(TINY.encode("a\uFFFDb"));
        assertThat(TINY.encode("\uDE00\uD83D")).isEqualTo(TINY.encode("\uFFFD\uFFFD"));
        assertThat(TINY.decode(TINY.encode("\uD83D\uD83D\uDE00"))).isEqualTo("\uFFFD\uD83D\uDE00");
    }

    @Test
    void encodesNul() {
        assertThat(TINY.decode(TINY.encode("a\u0000b"))).isEqualTo("a\u0000b");
    }

    /** Random merges of random rank, some of them twice, against the rule carried out step by step. */
    @Test
    void mergesLowestRankFirstThenLeftmost() {
        var random = new Random(30);
        for (int round = 0; round < 40; round++) {
            var json = new TokenizerJson();
            List<String> tokens = new ArrayList<>(List.of("a", "b", "c"));
            for (int i = 0; i < 40; i++) {
                String left = tokens.get(random.nextInt(tokens.size()));
                String right = tokens.get(random.nextInt(tokens.size()));
                json.merge(left, right);
                tokens.add(left + right);
            }
            Collections.shuffle(json.merges, random);
            Path file = json.write(folder);
            Tokenizer tokenizer = Tokenizer.read(file);
            try (var library = new TokenizersLibrary(file)) {
                for (int i = 0; i < 20; i++) {
                    String text = random.ints(random.nextInt(80), 'a', 'd')
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                            .toString();
                    int[] ids = tokenizer.encode(text);
                    assertThat(ids).as("%s", text).isEqualTo(merged(text, json));
                    assertThat(ids).as("%s", text).isEqualTo(library.encode(text));
                }
            }
        }
    }

    private static int[] merged(String text, TokenizerJson json) {
        List<String> tokens = new ArrayList<>(text.isEmpty() ? List.of() : Arrays.asList(text.split("")));
        while (true) {
            int best = -1;
            int bestRank = -1;
            for (int i = 0; i + 1 < tokens.size(); i++) {
                int rank = json.merges.lastIndexOf(List.of(tokens.get(i), tokens.get(i + 1)));
                if (rank >= 0 && (best < 0 || rank < bestRank)) {
                    best = i;
                    bestRank = rank;
                }
            }
            if (best < 0) {
                return tokens.stream().mapToInt(token -> json.id(token)).toArray();
            }
            tokens.set(best, tokens.get(best) + tokens.remove(best + 1));
        }
    }

    /** One piece of ten million characters: a method quadratic in its length would take days. */
    @Test
    void encodesALongPiece() {
        var json = new TokenizerJson()
                .preTokenizers(isolate("\\s*[\\r\\n]+|\\s+(?!\\S)|\\p{L}+"), byteLevel(false, false));
        for (int length = 1; length <= 8; length *= 2) {
            json.merge("a".repeat(length), "a".repeat(length));
        }
        Tokenizer tokenizer = Tokenizer.read(json.write(folder));
        int[] ids = tokenizer.encode("a".repeat(10_000_001));
        assertThat(ids).hasSize(625_001);
        assertThat(ids).startsWith(259, 259).endsWith(259, 'a');
        assertThat(tokenizer.encode(" ".repeat(1_000_000))).hasSize(1_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?:a+)+b", "(?:a+a+)+b", "(?:a+c?)+b", "a*a*a*a*a*a*b"})
    void givesUpAPatternThatBacktracksWithoutEnd(String regex) {
        Tokenizer tokenizer = Tokenizer.read(new TokenizerJson()
                .preTokenizers(isolate(regex), byteLevel(false, false))
                .write(folder));
        assertThat(tokenizer.encode("aab")).containsExactly('a', 'a', 'b');
        assertThatThrownBy(() -> tokenizer.encode("a".repeat(1000)))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("pre_tokenizer.pretokenizers[0].pattern.Regex: the pattern")
                .hasMessageContaining("text of 1000 characters");
    }

    @Test
    void givesUpAPatternThatIsQuadratic() {
        Tokenizer tokenizer = Tokenizer.read(new TokenizerJson()
                .preTokenizers(isolate("\\s*[\\r\\n]+"), byteLevel(false, false))
                .write(folder));
        assertThatThrownBy(() -> tokenizer.encode(" ".repeat(100_000))).isInstanceOf(ModelFormatException.class);
    }

    @Test
    void givesUpAPatternThatRecursesTooDeep() {
        Tokenizer tokenizer = Tokenizer.read(new TokenizerJson()
                .preTokenizers(isolate("(?:a|b)*c"), byteLevel(false, false))
                .write(folder));
        assertThatThrownBy(() -> tokenizer.encode("ab".repeat(1_000_000)))
                .isInstanceOf(ModelFormatException.class)
                .hasCauseInstanceOf(StackOverflowError.class);
    }
}
