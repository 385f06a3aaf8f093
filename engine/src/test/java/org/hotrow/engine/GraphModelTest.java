package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.ModelFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What devices of task graphs refuse, by file and tensor, before and while weights are loaded. */
class GraphModelTest {
    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);
    private static final LoadProgress NOTHING_IS_LOADED = (loaded, total) -> {
        throw new AssertionError("weights are loaded");
    };

    @TempDir
    private Path folder;

    private static void load(Path model, LoadProgress progress) {
        try (Model opened = Model.open(model)) {
            CacheConfig cache = CacheConfig.resident(opened.config(), FP32, 64);
            GraphDevices.emulated(opened, FP32, progress)
                    .device(cache, 1, false)
                    .close();
        }
    }

    @Test
    void refusesBf16Experts() {
        assertThatThrownBy(() -> load(Golden.resource("glm-tiny/tiny-bf16"), NOTHING_IS_LOADED))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageMatching(".*safetensors: model\\.layers\\.\\d+\\.mlp\\.experts\\.0\\.gate_proj\\.weight:"
                        + " is BF16, expected FP8 in blocks: no kernel takes that, only --device cpu");
    }

    @Test
    void refusesGroupsOfExperts() {
        assertThatThrownBy(() -> load(Golden.resource("dsv32-tiny/tiny-fp8"), NOTHING_IS_LOADED))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageMatching(".*config\\.json: topk_group: is \\d+ of n_group = \\d+, expected all of them: no"
                        + " kernel takes that, only --device cpu");
    }

    @Test
    void refusesF32MatricesByTheCommand() throws IOException {
        ZeroModel.write(folder, 16, 8);
        CommandRun run = CommandRun.hotrow(
                "generate",
                "--device",
                "emulated",
                "--kv-dtype",
                "fp32",
                "--model",
                folder.toString(),
                "--prompt-ids",
                "5");
        assertThat(run.code()).isEqualTo(Hotrow.MODEL_REFUSED);
        assertThat(run.err())
                .contains("model.safetensors: model.embed_tokens.weight: is F32, expected BF16: no kernel takes that");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void refusesShapesThatNoKernelHas() throws IOException {
        ZeroModel.write(folder, 520, 8);
        assertThatThrownBy(() -> load(folder, NOTHING_IS_LOADED))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("config.json: sparse MLA of 1 tokens, 1 heads, latent 520")
                .hasMessageContaining("only --device cpu");
    }

    /** The eighth code of a row, and the last of all: codes are looked at eight at once. */
    @Test
    void bothDevicesNameTheFirstWeightThatIsNan() throws IOException {
        for (String at : List.of("first", "last")) {
            Path damaged = Files.createDirectory(folder.resolve(at));
            copy(Golden.resource("glm-tiny/tiny-fp8"), damaged);
            String tensor = "model.layers.1.self_attn.o_proj.weight";
            String place = damage(damaged, tensor, at.equals("first"));
            String expected = tensor + ": is NaN at " + place + ", expected numbers: the file is damaged";
            assertThatThrownBy(() -> load(damaged, LoadProgress.NONE))
                    .isInstanceOf(ModelFormatException.class)
                    .hasMessageContaining(expected);
            try (Model model = Model.open(damaged)) {
                assertThatThrownBy(() -> CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE))
                        .isInstanceOf(ModelFormatException.class)
                        .hasMessageContaining(expected);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName().toString()));
            }
        }
    }

    /** Makes an element of a tensor NaN, and says where it is. */
    private static String damage(Path model, String tensor, boolean first) throws IOException {
        try (Stream<Path> files = Files.list(model)) {
            for (Path file : files.filter(name -> name.toString().endsWith(".safetensors"))
                    .toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int header = (int)
                        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
                String text = new String(bytes, Long.BYTES, header, StandardCharsets.UTF_8);
                Matcher found = Pattern.compile(
                                "\"" + Pattern.quote(tensor)
                                        + "\": ?\\{[^}]*\"shape\": ?\\[(\\d+), ?(\\d+)][^}]*\"data_offsets\": ?\\[(\\d+), ?(\\d+)]")
                        .matcher(text);
                if (found.find()) {
                    int rows = Integer.parseInt(found.group(1));
                    int cols = Integer.parseInt(found.group(2));
                    int element = first ? 7 : rows * cols - 1;
                    bytes[Long.BYTES + header + Integer.parseInt(found.group(3)) + element] =
                            (byte) (first ? 0xFF : 0x7F);
                    Files.write(file, bytes);
                    return "[" + element / cols + ", " + element % cols + "]";
                }
            }
        }
        throw new AssertionError(tensor + " is in no file of " + model);
    }
}
