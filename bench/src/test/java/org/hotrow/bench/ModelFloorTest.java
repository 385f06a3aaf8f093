package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.hotrow.engine.Model;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.SafetensorsFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The demo model, counted by hand: bytes from the names and sizes in its safetensors file, multiply-adds from its
 * config.json. It has 5 layers, three of them with an indexer, layer 0 dense, 2 of 8 experts, top-k 256.
 */
class ModelFloorTest {
    private static final Path FOLDER = Path.of("../engine/demo-model");
    private static final Pattern MATRIX = Pattern.compile("model\\.layers\\.[0-4]\\."
            + "(self_attn|mlp)\\.(.*_proj|kv_a_proj_with_mqa|indexer\\.wq_b|indexer\\.wk|gate)\\.weight(_scale_inv)?");
    private static final Pattern INDEX_QUERY = Pattern.compile(".*\\.indexer\\.(wq_b|weights_proj)\\..*");

    /** qA, qB, kvA, kvB, output; of five layers. */
    private static final long ATTENTION = 5 * (256 * 128 + 128 * 512 + 256 * 576 + 512 * 512 + 256 * 256);
    /** wk; of three layers. */
    private static final long INDEX_KEY = 3 * 256 * 128;
    /** wq_b, weights_proj; of three layers. */
    private static final long INDEX_QUERIES = 3 * (128 * 512 + 256 * 4);
    /** A dense layer, and four of a router, two experts and the shared one. */
    private static final long MLP = 3 * 256 * 512 + 4 * (256 * 8 + 3 * 3 * 256 * 128);

    private static final long HEAD = 256 * 3072;
    /** A query row with a stored row, 4 heads, scores over 576 and sum over 512; of five layers. */
    private static final long PAIR = 5 * 4 * (576 + 512);
    /** An index query with a key, 4 heads of 128; of three layers. */
    private static final long SCORE = 3 * 4 * 128;

    private static final long ROW = 5 * 656;
    private static final long KEY = 3 * 132;

    private static Model model;
    private static ModelFloor floor;

    @BeforeAll
    static void open() {
        model = Model.open(FOLDER);
        floor = new ModelFloor(model.config(), model.weights(), KvDtype.FP8);
    }

    @AfterAll
    static void close() {
        model.close();
    }

    @Test
    void countsMultiplyAddsOfADecodeStep() {
        assertThat(floor.step(255, 1, 1).multiplyAdds()).isEqualTo(ATTENTION + INDEX_KEY + MLP + HEAD + 256 * PAIR);
        assertThat(floor.step(256, 1, 1).multiplyAdds())
                .isEqualTo(ATTENTION + INDEX_KEY + INDEX_QUERIES + MLP + HEAD + 256 * PAIR + 257 * SCORE);
        assertThat(floor.step(9, 1, 0).multiplyAdds()).isEqualTo(ATTENTION + INDEX_KEY + MLP + 10 * PAIR);
    }

    @Test
    void countsBytesOfADecodeStep() {
        long chosen = tensors(name -> !unchosen(name, 2));
        assertThat(floor.step(299, 1, 1).bytes()).isEqualTo(chosen + 256 * ROW + 300 * KEY);
        assertThat(floor.step(255, 1, 1).bytes())
                .isEqualTo(tensors(name ->
                                !unchosen(name, 2) && !INDEX_QUERY.matcher(name).matches())
                        + 256 * ROW);
        assertThat(floor.step(299, 1, 0).bytes()).isEqualTo(chosen - 2 * HEAD + 256 * ROW + 300 * KEY);
    }

    @Test
    void countsAPrompt() {
        // Tokens 1 to 256 attend over themselves and those before, the other 256 over 256 each.
        long pairs = 256 * 257 / 2 + 256 * 256;
        long scores = 512 * 513 / 2 - 256 * 257 / 2;
        Floor prefill = floor.prefill(512, 512);
        assertThat(prefill.multiplyAdds())
                .isEqualTo(512 * (ATTENTION + INDEX_KEY + MLP)
                        + 256 * INDEX_QUERIES
                        + HEAD
                        + pairs * PAIR
                        + scores * SCORE);
        assertThat(prefill.bytes()).isEqualTo(tensors(name -> true) + 512 * ROW + 512 * KEY);
    }

    @Test
    void chunksReadWeightsAgainAndComputeTheSame() {
        Floor whole = floor.prefill(200, 200);
        Floor chunks = floor.prefill(200, 150);
        assertThat(chunks.multiplyAdds()).isEqualTo(whole.multiplyAdds() + HEAD);
        assertThat(chunks.bytes()).isEqualTo(2 * whole.bytes() + (150 + 200 - 2 * 200) * ROW);
    }

    @Test
    void touchesNoMoreExpertsThanItsTokensChoose() {
        long three = floor.step(0, 3, 0).bytes();
        assertThat(floor.step(0, 4, 0).bytes() - three)
                .isEqualTo(tensors(name -> name.matches("model\\.layers\\.[1-4]\\.mlp\\.experts\\.[67]\\..*"))
                        - 2 * HEAD
                        + ROW);
        assertThat(floor.step(0, 5, 0).bytes() - floor.step(0, 4, 0).bytes()).isEqualTo(ROW);
    }

    @Test
    void sumsDecodeSteps() {
        assertThat(floor.decode(254, 3))
                .isEqualTo(floor.step(254, 1, 1).plus(floor.step(255, 1, 1)).plus(floor.step(256, 1, 1)));
    }

    private static boolean unchosen(String name, int chosen) {
        var expert = Pattern.compile(".*\\.experts\\.(\\d+)\\..*").matcher(name);
        return expert.matches() && Integer.parseInt(expert.group(1)) >= chosen;
    }

    /** Bytes of the head and of those matrices of the main layers whose names are wanted. */
    private static long tensors(Predicate<String> wanted) {
        try (SafetensorsFile file = SafetensorsFile.open(FOLDER.resolve("model.safetensors"))) {
            return file.tensors().entrySet().stream()
                    .filter(entry -> entry.getKey().equals("lm_head.weight")
                            || (MATRIX.matcher(entry.getKey()).matches() && wanted.test(entry.getKey())))
                    .mapToLong(entry -> entry.getValue().data().byteSize())
                    .sum();
        }
    }
}
