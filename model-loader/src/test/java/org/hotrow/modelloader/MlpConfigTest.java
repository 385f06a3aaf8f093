package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlpConfigTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            first_k_dense_replace = 0    | moe_layer_freq = 1 | SSSSSS
            first_k_dense_replace = 2    | moe_layer_freq = 1 | DDSSSS
            first_k_dense_replace = null | moe_layer_freq = 2 | DDDDSD
            first_k_dense_replace = 1    | moe_layer_freq = 3 | DDDSDD
            first_k_dense_replace = 99   | moe_layer_freq = 1 | DDDDDD
            first_k_dense_replace = 2    | mlp_layer_types = ["sparse", "dense", "dense", "sparse", "sparse", "dense"] | SDDSSD
            """)
    void followsTheListOrTheRule(String first, String second, String expected) {
        var types = TestModels.read(folder, TestModels.edited(TestModels.GLM, first, second))
                .mlp()
                .types();
        assertThat(types.stream().map(type -> type.name().substring(0, 1)).collect(Collectors.joining()))
                .isEqualTo(expected);
    }
}
