package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RopeConfigTest {
    private static final String YARN = "\"factor\": 40, \"original_max_position_embeddings\": 64";

    @TempDir
    private Path folder;

    private RopeConfig read(String base, String... edits) {
        return TestModels.read(folder, TestModels.edited(base, edits)).rope();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            rope_theta = 5e3    | rope_parameters = null                   | rope_scaling = null
            rope_theta = 5000   | rope_parameters = {"rope_theta": 5000.0} | rope_scaling = null
            rope_theta = null   | rope_parameters = {"rope_theta": 5000}   | rope_scaling = {}
            rope_theta = null   | rope_parameters = null                   | rope_scaling = {"rope_theta": 5000, "type": "default"}
            rope_theta = 5000   | rope_parameters = {}                     | rope_scaling = {"rope_type": "default", "type": "default", "factor": null}
            rope_theta = null   | rope_parameters = {"rope_theta": 5000, "rope_type": "default"} | rope_scaling = {"rope_theta": 5000, "type": "default"}
            rope_theta = null   | rope_parameters = {"rope_theta": 5000, "partial_rotary_factor": 1.0} | partial_rotary_factor = 1
            """)
    void readsEverySpellingOfTheta(String theta, String parameters, String scaling) {
        assertThat(read(TestModels.GLM, theta, parameters, scaling)).isEqualTo(new RopeConfig(5000, null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            rope_scaling = {"type": "yarn", %s}      | rope_parameters = null
            rope_scaling = {"rope_type": "yarn", %s} | rope_parameters = {"rope_theta": 10000}
            rope_scaling = {"type": "yarn", "rope_type": "yarn", %s} | rope_parameters = {}
            rope_scaling = null                      | rope_parameters = {"rope_type": "yarn", %s, "rope_theta": 10000}
            rope_scaling = {"type": "yarn", %s}      | rope_parameters = {"rope_type": "yarn", %s, "beta_fast": 32}
            """)
    void readsEverySpellingOfYarn(String scaling, String parameters) {
        assertThat(read(TestModels.DEEPSEEK, scaling.replace("%s", YARN), parameters.replace("%s", YARN)))
                .isEqualTo(new RopeConfig(10_000, new Yarn(40, 64, 32, 1, null, null, null, true)));
    }

    @Test
    void readsEveryFieldOfYarn() {
        String yarn = "rope_scaling = {\"type\": \"yarn\", " + YARN
                + ", \"beta_fast\": 16.5, \"beta_slow\": 2, \"mscale\": 0.5, \"mscale_all_dim\": 2,"
                + " \"attention_factor\": 1.25, \"truncate\": false}";
        assertThat(read(TestModels.DEEPSEEK, yarn).yarn()).isEqualTo(new Yarn(40, 64, 16.5, 2, 0.5, 2.0, 1.25, false));
    }

    @Test
    void takesAMagnitudeOfZeroForNone() {
        String yarn = "rope_scaling = {\"type\": \"yarn\", " + YARN + ", \"mscale\": 0, \"mscale_all_dim\": 0.0}";
        assertThat(read(TestModels.DEEPSEEK, yarn).yarn()).isEqualTo(new Yarn(40, 64, 32, 1, null, null, null, true));
    }

    /** Expected values: the formulas of transformers 5.18.0, evaluated in Python. */
    @ParameterizedTest
    @CsvSource({
        "40,     ,     ,     , 1.3688879454113936, 0.10206207261596575",
        "40,    1,    1,     , 1.0,                0.19124944415602058",
        "40,  0.5,    2,     , 0.6815861463844435, 0.3082136856892568",
        "40,    1,     ,     , 1.3688879454113936, 0.10206207261596575",
        "40,     ,    1,     , 1.3688879454113936, 0.19124944415602058",
        "40,    1,    1, 1.25, 1.25,               0.19124944415602058",
        " 1,    1,    2,     , 1.0,                0.10206207261596575",
    })
    void scalesCosSinAndScores(
            double factor,
            @Nullable Double mscale,
            @Nullable Double mscaleAllDim,
            @Nullable Double attentionFactor,
            double cosSinFactor,
            double softmaxScale) {
        var rope = new RopeConfig(1e4, new Yarn(factor, 64, 32, 1, mscale, mscaleAllDim, attentionFactor, true));
        assertThat(rope.cosSinFactor()).isCloseTo(cosSinFactor, within(1e-14));
        assertThat(rope.softmaxScale(96)).isCloseTo(softmaxScale, within(1e-14));
    }

    @Test
    void scalesNothingWithoutYarn() {
        var rope = new RopeConfig(1e4, null);
        assertThat(rope.cosSinFactor()).isEqualTo(1);
        assertThat(rope.softmaxScale(256)).isEqualTo(0.0625);
    }
}
