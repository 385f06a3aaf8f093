package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.modelloader.ModelFiles.HEADER;
import static org.hotrow.modelloader.ModelFiles.bytes;
import static org.hotrow.modelloader.ModelFiles.data;
import static org.hotrow.modelloader.ModelFiles.swap;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsFileTest {
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @TempDir
    private Path folder;

    private SafetensorsFile open(byte[] content) throws IOException {
        return SafetensorsFile.open(Files.write(folder.resolve("x.safetensors"), content));
    }

    private static TensorView tensor(SafetensorsFile file, String name) {
        return Objects.requireNonNull(file.tensors().get(name), name);
    }

    @Test
    void readsNamesTypesShapesAndBytes() throws IOException {
        try (var file = open(bytes(HEADER, data()))) {
            assertThat(file.file()).isEqualTo(folder.resolve("x.safetensors"));
            assertThat(file.metadata()).isEqualTo(Map.of("format", "pt"));
            assertThat(file.tensors().keySet())
                    .containsExactly("a.weight", "b.weight", "c.empty", "d.scalar", "e.nibbles");

            TensorView b = tensor(file, "b.weight");
            assertThat(b.name()).isEqualTo("b.weight");
            assertThat(b.dtype()).isEqualTo(DType.BF16);
            assertThat(b.shape()).containsExactly(4L);
            assertThat(b.file()).isEqualTo(file.file());
            assertThat(b.fileOffset()).isEqualTo(8 + HEADER.length() + 24);
            assertThat(b.data().toArray(JAVA_BYTE)).containsExactly(25, 26, 27, 28, 29, 30, 31, 32);
            assertThat(b.data().isReadOnly()).isTrue();
        }
    }

    @Test
    void readsTensorsWithoutElementsAndWithoutDimensions() throws IOException {
        try (var file = open(bytes(HEADER, data()))) {
            assertThat(tensor(file, "c.empty").shape()).containsExactly(0L, 5L);
            assertThat(tensor(file, "c.empty").data().byteSize()).isZero();
            assertThat(tensor(file, "d.scalar").shape()).isEmpty();
            assertThat(tensor(file, "d.scalar").data().toArray(JAVA_BYTE)).containsExactly(33, 34, 35, 36);
            assertThat(tensor(file, "e.nibbles").data().toArray(JAVA_BYTE)).containsExactly(37, 38, 39);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void readsDataAtAnyAlignment(int padding) throws IOException {
        try (var file = open(bytes(HEADER + " ".repeat(padding), data()))) {
            float first = tensor(file, "a.weight").data().get(FLOAT, 0);
            assertThat(Float.floatToRawIntBits(first)).isEqualTo(0x04030201);
        }
    }

    @Test
    void acceptsTensorsInAnyOrderOfOffsets() throws IOException {
        String header = swap("[0,24]", "[8,32]").replace("[24,32]", "[0,8]");
        try (var file = open(bytes(header, data()))) {
            assertThat(file.tensors().keySet()).startsWith("a.weight", "b.weight");
            assertThat(tensor(file, "a.weight").data().get(JAVA_BYTE, 0)).isEqualTo((byte) 9);
            assertThat(tensor(file, "b.weight").data().get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
        }
    }

    @Test
    void acceptsFilesWithoutTensorsOrMetadata() throws IOException {
        try (var file = open(bytes("{}", new byte[0]))) {
            assertThat(file.tensors()).isEmpty();
            assertThat(file.metadata()).isEmpty();
        }
    }

    @Test
    void acceptsEveryDTypeUnderItsName() throws IOException {
        for (DType dtype : DType.values()) {
            String header = "{\"x\":{\"dtype\":\"" + dtype.name() + "\",\"shape\":[8],\"data_offsets\":[0,"
                    + dtype.bits() + "]}}";
            try (var file = open(bytes(header, new byte[dtype.bits()]))) {
                assertThat(tensor(file, "x").dtype()).isEqualTo(dtype);
            }
        }
    }

    @Test
    void acceptsTheLongestNameAndTheHighestRank() throws IOException {
        String name = "n".repeat(1_024);
        String header = swap("a.weight", name).replace("[2,3]", "[1,1,1,1,1,1,2,3]");
        try (var file = open(bytes(header, data()))) {
            assertThat(tensor(file, name).shape()).containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 2L, 3L);
        }
    }

    @Test
    void acceptsNamesOutsideOfAscii() throws IOException {
        try (var file = open(bytes(swap("a.weight", "gewicht-\u00FC-\uD83D\uDE00-\\u4e2d"), data()))) {
            assertThat(file.tensors()).containsKey("gewicht-\u00FC-\uD83D\uDE00-\u4E2D");
        }
    }

    @Test
    void acceptsAsManyTensorsAsTheLimit() throws IOException {
        Path path = folder.resolve("many.safetensors");
        ModelFiles.writeEmptyTensors(path, 262_144);
        assertThat(Files.size(path)).as("header of many mebibytes").isGreaterThan(10 << 20);
        long before = Footprint.allocatedBytes();
        try (var file = SafetensorsFile.open(path)) {
            assertThat(Footprint.allocatedBytes() - before).isLessThan(384 << 20);
            assertThat(file.tensors()).hasSize(262_144).containsKey("t262143");
        }
    }

    @Test
    void acceptsMetadataOfManyMebibytes() throws IOException {
        Path path = folder.resolve("large.safetensors");
        ModelFiles.writePadded(path, "{\"__metadata__\":{\"x\":\"", 5 << 20, 'x', "\"}}");
        try (var file = SafetensorsFile.open(path)) {
            assertThat(file.metadata().get("x")).hasSize(5 << 20);
        }
    }

    @Test
    void acceptsHeadersUpToTheLimit() throws IOException {
        Path path = folder.resolve("padded.safetensors");
        ModelFiles.writePadded(path, "{}", 100_000_000 - 2, ' ', "");
        long before = Footprint.allocatedBytes();
        try (var file = SafetensorsFile.open(path)) {
            assertThat(file.tensors()).isEmpty();
        }
        assertThat(Footprint.allocatedBytes() - before).isLessThan(4 << 20);
    }

    @Test
    void doesNotLetItsMapsBeChanged() throws IOException {
        try (var file = open(bytes(HEADER, data()))) {
            assertThatThrownBy(() -> file.tensors().clear()).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> file.metadata().clear()).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void refusesAccessAfterClose() throws IOException {
        var file = open(bytes(HEADER, data()));
        TensorView tensor = tensor(file, "a.weight");
        file.close();
        file.close();
        assertThatThrownBy(() -> tensor.data().get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void keepsTheOrderOfTheMetadata() throws IOException {
        String header = "{\"__metadata__\":{\"z\":\"1\",\"a\":\"\",\"m\":\"\\n\"}}";
        try (var file = open(bytes(header, new byte[0]))) {
            assertThat(List.copyOf(file.metadata().keySet())).isEqualTo(Arrays.asList("z", "a", "m"));
            assertThat(file.metadata()).containsEntry("m", "\n");
        }
    }
}
