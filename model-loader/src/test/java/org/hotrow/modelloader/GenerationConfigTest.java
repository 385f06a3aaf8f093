package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerationConfigTest {
    @TempDir
    private Path folder;

    private static GenerationConfig golden(String name) {
        return GenerationConfig.read(TestModels.folder(name), TestModels.config(name));
    }

    private GenerationConfig read(String json) throws IOException {
        Files.writeString(folder.resolve("generation_config.json"), json);
        return readFolder();
    }

    private GenerationConfig readFolder() {
        return GenerationConfig.read(
                folder, TestModels.read(folder, TestModels.edited(TestModels.GLM, "eos_token_id = [9, 5]")));
    }

    @Test
    void readsTheGoldens() {
        var glm = new GenerationConfig(List.of(348, 355, 357), true, 1, 0.95, 0, 0, 1);
        assertThat(golden("glm-tiny-bf16")).isEqualTo(glm);
        assertThat(golden("glm-tiny-fp8")).isEqualTo(glm);
        assertThat(golden("dsv32-tiny-fp8")).isEqualTo(new GenerationConfig(List.of(348), true, 0.6, 0.95, 0, 0, 1));
        assertThat(golden("demo"))
                .isEqualTo(new GenerationConfig(List.of(3040, 3047, 3049), false, 0.7, 0.95, 0, 0, 1));
    }

    @Test
    void isGreedyWithTheConfigsEosWithoutAFile() {
        assertThat(readFolder()).isEqualTo(new GenerationConfig(List.of(5, 9), false, 1, 1, 0, 0, 1));
    }

    @Test
    void readsEveryFieldAndIgnoresTheRest() throws IOException {
        assertThat(read("""
                {"eos_token_id": [8, 2, 8], "do_sample": true, "temperature": 0, "top_p": 0.5, "top_k": 50,
                 "min_p": 0.125, "repetition_penalty": 1.25, "max_new_tokens": 256, "transformers_version": "5.18.0"}
                """)).isEqualTo(new GenerationConfig(List.of(2, 8), true, 0, 0.5, 50, 0.125, 1.25));
    }

    @Test
    void takesNullForAbsent() throws IOException {
        assertThat(read("""
                {"eos_token_id": null, "do_sample": null, "temperature": null, "top_p": null, "top_k": null,
                 "min_p": null, "repetition_penalty": null}
                """)).isEqualTo(new GenerationConfig(List.of(5, 9), false, 1, 1, 0, 0, 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "eos_token_id": 384        | eos_token_id: is 384, expected a whole number from 0 to 383
            "eos_token_id": [1, "2"]   | eos_token_id[1]: is "2", expected a whole number from 0 to 383
            "do_sample": 1             | do_sample: is 1, expected true or false
            "temperature": -0.1        | temperature: is -0.1, expected a number from 0 to 1000.0
            "temperature": "1"         | temperature: is "1", expected a number from 0 to 1000.0
            "temperature": 1e999       | temperature: is 1e999, expected a number from 0 to 1000.0
            "top_p": 0                 | top_p: is 0, expected a positive number up to 1.0
            "top_p": 1.01              | top_p: is 1.01, expected a positive number up to 1.0
            "top_k": -1                | top_k: is -1, expected a whole number from 0 to 2147483647
            "top_k": 2.5               | top_k: is 2.5, expected a whole number from 0 to 2147483647
            "min_p": 1.5               | min_p: is 1.5, expected a number from 0 to 1.0
            "repetition_penalty": 0    | repetition_penalty: is 0, expected a positive number up to 1000.0
            """)
    void refusesABadValue(String field, String message) {
        assertThatThrownBy(() -> read("{" + field + "}"))
                .isInstanceOf(ModelFormatException.class)
                .hasMessage(folder.resolve("generation_config.json") + ": " + message);
    }

    @Test
    void refusesALinkToNowhere() throws IOException {
        Files.createSymbolicLink(folder.resolve("generation_config.json"), Path.of("gone.json"));
        assertThatThrownBy(this::readFolder)
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("generation_config.json: does not exist");
    }
}
