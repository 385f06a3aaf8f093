package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexerConfigTest {
    @TempDir
    private Path folder;

    /** The schedule of six layers as letters. */
    private String schedule(String... edits) {
        return TestModels.read(folder, TestModels.edited(TestModels.GLM, edits)).indexer().types().stream()
                .map(type -> type.name().substring(0, 1))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            -                       | -                          | FFFFFF
            index_topk_freq = 1     | index_skip_topk_offset = 9 | FFFFFF
            index_topk_freq = null  | index_skip_topk_offset = 0 | FFFFFF
            index_topk_freq = 4     | index_skip_topk_offset = 3 | FFFSSS
            index_topk_freq = 3     | index_skip_topk_offset = 1 | FSSFSS
            index_topk_freq = 2     | -                          | FFSFSF
            index_topk_freq = 2     | index_skip_topk_offset = 6 | FFFFFF
            """)
    void followsTheRule(String frequency, String offset, String expected) {
        String[] edits = Arrays.asList(frequency, offset).stream()
                .filter(edit -> edit != null)
                .toArray(String[]::new);
        assertThat(schedule(edits)).isEqualTo(expected);
    }

    @Test
    void prefersThePatternToTheRuleAndTheListToBoth() {
        String rule = "index_topk_freq = 4";
        String pattern = "index_topk_pattern = \"FSFSSF\"";
        String list = "indexer_types = [\"full\", \"shared\", \"shared\", \"full\", \"full\", \"shared\"]";
        assertThat(schedule(rule)).isEqualTo("FFSSSF");
        assertThat(schedule(rule, pattern)).isEqualTo("FSFSSF");
        assertThat(schedule(rule, pattern, list)).isEqualTo("FSSFFS");
        assertThat(schedule(rule, pattern, "indexer_types = null")).isEqualTo("FSFSSF");
        assertThat(schedule(rule, "index_topk_pattern = null")).isEqualTo("FFSSSF");
        assertThat(schedule(rule, list.replace("indexer_types", "index_topk_pattern")))
                .isEqualTo("FSSFFS");
    }

    @Test
    void followsTheRuleOfGlm53ToTheScheduleThatItLists() {
        String rule = TestModels.edited(TestModels.GLM, "num_hidden_layers = 78", "index_topk_freq = 4");
        assertThat(TestModels.read(folder, TestModels.edited(rule, "index_skip_topk_offset = 3"))
                        .indexer()
                        .types())
                .isEqualTo(TestModels.config("glm-5.3").indexer().types());
    }

    @Test
    void anchorsALayerAtTheNearestIndexer() {
        IndexerConfig glm = TestModels.config("glm-5.3").indexer();
        assertThat(List.of(0, 1, 2, 3, 5, 6, 7, 9, 10, 73, 74, 77).stream().map(glm::anchor))
                .containsExactly(0, 1, 2, 2, 2, 6, 6, 6, 10, 70, 74, 74);
        IndexerConfig tiny = TestModels.config("glm-tiny-fp8").indexer();
        assertThat(List.of(0, 1, 2, 3).stream().map(tiny::anchor)).containsExactly(0, 0, 0, 3);
    }
}
