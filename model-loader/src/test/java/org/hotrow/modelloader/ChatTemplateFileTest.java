package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hotrow.modelloader.template.TemplateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChatTemplateFileTest {
    @TempDir
    private Path folder;

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void prefersTheFileAndTakesTokensFromTheConfiguration() throws IOException {
        write("chat_template.jinja", "{{ bos_token }}é");
        write("tokenizer_config.json", """
            {"chat_template": "other", "added_tokens_decoder": {"0": {"content": "<pad>", "special": true}},
             "bos_token": "<s>", "eos_token": {"__type": "AddedToken", "content": "</s>", "lstrip": false},
             "pad_token": null, "add_bos_token": true, "additional_special_tokens": ["<x>"], "model_max_length": 1e30}
            """);
        ChatTemplateFile file = ChatTemplateFile.read(folder);
        assertThat(file.source()).isEqualTo("{{ bos_token }}é");
        assertThat(file.origin()).isEqualTo(folder.resolve("chat_template.jinja"));
        assertThat(file.tokens()).isEqualTo(Map.of("bos_token", "<s>", "eos_token", "</s>"));
    }

    @Test
    void readsTheFileWithoutConfiguration() throws IOException {
        write("chat_template.jinja", "a");
        assertThat(ChatTemplateFile.read(folder))
                .isEqualTo(new ChatTemplateFile("a", folder.resolve("chat_template.jinja"), Map.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '^', textBlock = """
        "plain"                                                                               # plain
        [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]         # d
        [{"template": "d", "more": [1, {}], "name": "default"}]                               # d
        """)
    void readsTheTemplateOfTheConfiguration(String field, String expected) throws IOException {
        write("tokenizer_config.json", "{\"chat_template\": " + field + "}");
        assertThat(ChatTemplateFile.read(folder))
                .isEqualTo(new ChatTemplateFile(expected, folder.resolve("tokenizer_config.json"), Map.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '^', textBlock = """
        {"chat_template": 5}                                       # chat_template: expected a text or a list of templates
        {"chat_template": {}}                                      # chat_template: expected a text or a list of templates
        {"chat_template": ["x"]}                                   # chat_template: expected an object with name and template
        {"chat_template": [{"name": "a", "template": "b"}]}        # chat_template: has no template named "default"
        {"chat_template": [{"name": "default"}]}                   # chat_template: has no template named "default"
        {"chat_template": "x", "bos_token": {"content": 1}}        # bos_token: has no text "content"
        []                                                         # expected an object
        {                                                          # is not valid JSON
        """)
    void refusesAConfigurationOfAnotherShape(String text, String problem) throws IOException {
        write("tokenizer_config.json", text);
        assertThatThrownBy(() -> ChatTemplateFile.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("tokenizer_config.json: " + problem);
    }

    @Test
    void refusesAModelWithoutTemplate() throws IOException {
        assertThatThrownBy(() -> ChatTemplateFile.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining(
                        "has no chat template; expected a file chat_template.jinja or a field chat_template");
        write("tokenizer_config.json", "{\"chat_template\": null}");
        assertThatThrownBy(() -> ChatTemplateFile.read(folder)).hasMessageContaining("has no chat template");
    }

    @Test
    void refusesFilesThatAreTooLargeOrNoText() throws IOException {
        write("chat_template.jinja", "x".repeat((1 << 20) + 1));
        assertThatThrownBy(() -> ChatTemplateFile.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("chat_template.jinja: has more than 1048576 bytes");
        Files.write(folder.resolve("chat_template.jinja"), new byte[] {'a', (byte) 0xc3});
        assertThatThrownBy(() -> ChatTemplateFile.read(folder))
                .hasMessageContaining("chat_template.jinja: is not UTF-8");
        Files.delete(folder.resolve("chat_template.jinja"));
        write("tokenizer_config.json", "{\"chat_template\": \"" + "x".repeat((1 << 20) + 100_000) + "\"}");
        assertThatThrownBy(() -> ChatTemplateFile.read(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("tokenizer_config.json: exceeds a limit");
        write("tokenizer_config.json", "{\"x\": [" + "0,".repeat(17 << 20) + "0]}");
        assertThatThrownBy(() -> ChatTemplateFile.read(folder)).isInstanceOf(ModelFormatException.class);
    }

    @Test
    void readsAFileOfTheLargestSize() throws IOException {
        write("chat_template.jinja", "x".repeat(1 << 20));
        assertThat(ChatTemplateFile.read(folder).source()).hasSize(1 << 20);
    }

    @Test
    void namesTheFileOfABrokenTemplate() throws IOException {
        write("chat_template.jinja", "\n{% if %}");
        assertThatThrownBy(() -> ChatTemplate.read(folder))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("chat_template.jinja:2: ");
    }
}
