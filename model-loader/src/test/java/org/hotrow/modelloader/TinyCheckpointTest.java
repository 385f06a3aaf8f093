package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small GLM checkpoint that the reference implementation of the format wrote, FP8 with block scales. */
class TinyCheckpointTest {

    private static TensorStore open() throws URISyntaxException {
        var index = TinyCheckpointTest.class.getResource("/glm-tiny-fp8/model.safetensors.index.json");
        return TensorStore.open(Path.of(Objects.requireNonNull(index).toURI()).resolveSibling(""));
    }

    @Test
    void holdsAllTensors() throws Exception {
        try (TensorStore store = open()) {
            assertThat(store.names()).hasSize(278);
            assertThat(store.bytes()).isEqualTo(2_637_948);
            assertThat(store.files().stream().map(Path::getFileName).map(Path::toString))
                    .containsExactly("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors");
            var counts = store.names().stream()
                    .collect(Collectors.groupingBy(
                            name -> store.find(name).orElseThrow().dtype(), Collectors.counting()));
            assertThat(counts)
                    .containsEntry(DType.F32, 121L)
                    .containsEntry(DType.F8_E4M3, 118L)
                    .containsEntry(DType.BF16, 39L);
        }
    }

    /** Offsets and checksums were computed from the files with Python's struct, json and zlib. */
    @ParameterizedTest
    @CsvSource({
        "model.embed_tokens.weight, 1, BF16, 384 128, 5452, ae8bdaab",
        "model.layers.0.self_attn.kv_a_proj_with_mqa.weight, 1, F8_E4M3, 576 128, 306508, 1221933e",
        "model.layers.0.self_attn.kv_a_proj_with_mqa.weight_scale_inv, 1, F32, 5 1, 5304, a409c52d",
        "lm_head.weight, 2, BF16, 384 128, 26680, 6c7f25b9",
        "model.layers.3.mlp.gate.e_score_correction_bias, 2, F32, 8, 26288, f3050c6c",
        "model.norm.weight, 2, BF16, 128, 207928, e7c4fd95"
    })
    void holdsTheRightBytes(String name, int shard, DType dtype, String shape, long offset, String crc)
            throws Exception {
        try (TensorStore store = open()) {
            TensorView tensor = store.find(name).orElseThrow();
            assertThat(tensor.dtype()).isEqualTo(dtype);
            assertThat(tensor.shape())
                    .isEqualTo(List.of(shape.split(" ")).stream()
                            .map(Long::valueOf)
                            .toList());
            assertThat(tensor.file()).isEqualTo(store.files().get(shard - 1));
            assertThat(tensor.fileOffset()).isEqualTo(offset);
            var checksum = new CRC32();
            checksum.update(tensor.data().toArray(JAVA_BYTE));
            assertThat(checksum.getValue()).isEqualTo(Long.parseLong(crc, 16));
        }
    }
}
