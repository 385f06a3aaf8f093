package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsWriterTest {
    private static final List<Tensor> TENSORS = List.of(
            new Tensor("a", DType.I32, List.of(2L)),
            new Tensor("none", DType.U8, List.of(0L, 7L)),
            new Tensor("b \"quoted\"", DType.U8, List.of(3L, 1L)));

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("x.safetensors");
    }

    private static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void writesTheFormatToTheByte() throws IOException {
        try (SafetensorsWriter writer = SafetensorsWriter.create(file, Map.of("k", "v"), TENSORS)) {
            writer.write(bytes(1, 0, 0, 0, 2, 0, 0));
            writer.write(bytes(0, 7, 8));
            writer.write(bytes(9));
            writer.finish();
        }
        String json = "{\"__metadata__\":{\"k\":\"v\"},"
                + "\"a\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                + "\"none\":{\"dtype\":\"U8\",\"shape\":[0,7],\"data_offsets\":[8,8]},"
                + "\"b \\\"quoted\\\"\":{\"dtype\":\"U8\",\"shape\":[3,1],\"data_offsets\":[8,11]}}";
        String padded = json + " ".repeat(-json.length() & 7);
        byte[] written = Files.readAllBytes(file);
        assertThat(written).hasSize(8 + padded.length() + 11).startsWith(padded.length(), 0, 0, 0, 0, 0, 0, 0);
        assertThat(new String(written, 8, padded.length(), StandardCharsets.UTF_8))
                .isEqualTo(padded);
        assertThat(written).endsWith(1, 0, 0, 0, 2, 0, 0, 0, 7, 8, 9);
        assertThat(files()).containsExactly(file);
    }

    @Test
    void isReadBack() throws IOException {
        try (SafetensorsWriter writer = SafetensorsWriter.create(file, Map.of(), TENSORS)) {
            writer.write(bytes(1, 0, 0, 0, 2, 0, 0, 0, 7, 8, 9));
            writer.finish();
        }
        try (SafetensorsFile read = SafetensorsFile.open(file)) {
            assertThat(read.metadata()).isEmpty();
            assertThat(read.tensors().keySet()).containsExactly("a", "none", "b \"quoted\"");
            TensorView last = read.tensors().values().stream().toList().getLast();
            assertThat(last.shape()).containsExactly(3L, 1L);
            assertThat(last.data().toArray(ValueLayout.JAVA_BYTE)).containsExactly(7, 8, 9);
        }
    }

    @Test
    void leavesTheOldFileUntilAllIsWritten() throws IOException {
        Files.writeString(file, "old");
        try (SafetensorsWriter writer = SafetensorsWriter.create(file, Map.of(), TENSORS)) {
            writer.write(bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
            assertThat(file).hasContent("old");
            assertThatIllegalStateException().isThrownBy(writer::finish).withMessageContaining("bytes of");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.write(bytes(1, 2)))
                    .withMessageContaining("more bytes than");
        }
        assertThat(file).hasContent("old");
        assertThat(files()).containsExactly(file);
        try (SafetensorsWriter writer = SafetensorsWriter.create(file, Map.of(), TENSORS)) {
            writer.write(bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
            writer.finish();
        }
        SafetensorsFile.open(file).close();
    }

    @Test
    void needsTheFolder() {
        assertThatThrownBy(() -> SafetensorsWriter.create(folder.resolve("no/x"), Map.of(), TENSORS))
                .isInstanceOf(NoSuchFileException.class);
    }
}
