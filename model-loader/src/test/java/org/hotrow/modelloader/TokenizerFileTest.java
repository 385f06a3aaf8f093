package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.modelloader.TokenizerCorruption.template;
import static org.hotrow.modelloader.TokenizerCorruption.valid;
import static org.hotrow.modelloader.TokenizerJson.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenizerFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("org.hotrow.modelloader.TokenizerCorruption#all")
    void refusesByTheNameOfTheField(TokenizerCorruption corruption) {
        var json = valid();
        corruption.change().accept(json);
        Path file = json.write(folder);
        assertThatThrownBy(() -> Tokenizer.read(file))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageStartingWith(file + ": " + corruption.where())
                .hasMessageContaining(corruption.problem());
    }

    @Test
    void readsTheFileThatTheCorruptionsSpoil() {
        Tokenizer tokenizer = Tokenizer.read(valid().write(folder));
        assertThat(tokenizer.encode("<s>abc")).containsExactly(257, 256, 'c');
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatThrownBy(() -> Tokenizer.read(folder.resolve("none.json")))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("none.json: is not there or is no file");
        assertThatThrownBy(() -> Tokenizer.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("is no file");
    }

    @Test
    void refusesAFileOverTheLimitUnread() throws IOException {
        Path file = folder.resolve("tokenizer.json");
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {' '}), 256L << 20);
        }
        assertThatThrownBy(() -> Tokenizer.read(file))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("268435457 bytes long, the limit is 268435456");
    }

    @Test
    void refusesInvalidUtf8() throws IOException {
        Path file = valid().write(folder);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] = (byte) 0xFF;
        Files.write(file, bytes);
        assertThatThrownBy(() -> Tokenizer.read(file)).isInstanceOf(ModelFormatException.class);
    }

    /** Cuts a valid file after every byte: nothing but a refusal may come of it. */
    @Test
    void refusesEveryPrefix() throws IOException {
        byte[] bytes = Files.readAllBytes(valid().write(folder));
        Path file = folder.resolve("cut.json");
        for (int length = 0; length < bytes.length; length += length < 300 ? 1 : 13) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> Tokenizer.read(file)).isInstanceOf(ModelFormatException.class);
        }
    }

    /** Changes single bytes at random: the file is read or refused, whatever it says now. */
    @Test
    void survivesDamage() throws IOException {
        byte[] bytes = Files.readAllBytes(valid().write(folder));
        Path file = folder.resolve("damaged.json");
        var random = new Random(33);
        for (int round = 0; round < 400; round++) {
            byte[] damaged = bytes.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(256) : "0,:{}[]\"".charAt(random.nextInt(8)));
            }
            Files.write(file, damaged);
            try {
                Tokenizer.read(file).encode("ab<s>c");
            } catch (ModelFormatException e) {
                assertThat(e.file()).isEqualTo(file);
            }
        }
    }

    @Test
    void readsMergesInEitherForm() {
        var json = valid();
        json.vocab.put("abc", 300);
        json.merges.add("ab c");
        assertThat(Tokenizer.read(json.write(folder)).encode("abc")).containsExactly(300);
    }

    @Test
    void readsFieldsInAnyOrder() {
        var json = valid();
        for (String name : List.of("vocab", "type")) {
            json.model.put(name, json.model.remove(name));
        }
        for (String name : List.of("added_tokens", "pre_tokenizer", "version")) {
            json.root.put(name, json.root.remove(name));
        }
        assertThat(Tokenizer.read(json.write(folder)).encode("<s>abc")).containsExactly(257, 256, 'c');
    }

    @Test
    void leavesGapsBetweenIds() {
        var json = valid();
        json.vocab.put("ab", 1000);
        json.addedToken("<t>", false, false).put("id", 5000);
        Tokenizer tokenizer = Tokenizer.read(json.write(folder));
        assertThat(tokenizer.size()).isEqualTo(5001);
        assertThat(tokenizer.encode("ab<t>")).containsExactly(1000, 5000);
        assertThat(tokenizer.has(1001)).isFalse();
        assertThat(tokenizer.bytes(1001)).isEmpty();
        assertThat(tokenizer.decode(new int[] {'a', 1001, 'b'})).isEqualTo("ab");
    }

    @Test
    void namesTokensOfTheTemplateButAddsNone() {
        var json = valid();
        template(json, 257, "A");
        Tokenizer tokenizer = Tokenizer.read(json.write(folder));
        assertThat(tokenizer.leadingTokens()).containsExactly(257);
        assertThat(tokenizer.trailingTokens()).isEmpty();
        assertThat(tokenizer.encode("ab")).containsExactly(256);
    }

    /** In a sequence a later template goes around what an earlier one made. */
    @Test
    void nestsTheTemplatesOfASequence() {
        Object text = object("Sequence", object("id", "A", "type_id", 0));
        Object ids = object("a", object("ids", List.of(97)), "b", object("ids", List.of(98)));
        Object token = object("SpecialToken", object("id", "a", "type_id", 0));
        Object other = object("SpecialToken", object("id", "b", "type_id", 0));
        Object inner =
                object("type", "TemplateProcessing", "single", List.of(token, text, token), "special_tokens", ids);
        Object outer =
                object("type", "TemplateProcessing", "single", List.of(other, text, other), "special_tokens", ids);
        var json = valid().set("post_processor", object("type", "Sequence", "processors", List.of(inner, outer)));
        Tokenizer tokenizer = Tokenizer.read(json.write(folder));
        assertThat(tokenizer.leadingTokens()).containsExactly(98, 97);
        assertThat(tokenizer.trailingTokens()).containsExactly(97, 98);
    }
}
