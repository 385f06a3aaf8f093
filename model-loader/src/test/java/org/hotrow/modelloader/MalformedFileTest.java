package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MalformedFileTest {
    @TempDir
    private static Path folder;

    @BeforeAll
    static void loadClasses() throws IOException {
        // So that the first case is not charged with what the classes allocate once.
        Path file = Files.write(folder.resolve("valid"), ModelFiles.bytes(ModelFiles.HEADER, ModelFiles.data()));
        SafetensorsFile.open(file).close();
        Files.write(file, ModelFiles.bytes("{]", ModelFiles.data()));
        assertThatThrownBy(() -> SafetensorsFile.open(file)).isInstanceOf(ModelFormatException.class);
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedByNameWithinBounds(MalformedFile malformed) throws IOException {
        Path file = folder.resolve(malformed.name() + ".safetensors");
        malformed.write(file);
        try {
            long before = Footprint.allocatedBytes();
            var refusal = catchThrowableOfType(
                    ModelFormatException.class, () -> SafetensorsFile.open(file).close());
            long allocated = Footprint.allocatedBytes() - before;

            assertThat(refusal).as("refusal").isNotNull();
            assertThat(refusal.file()).isEqualTo(file);
            String start = file + ": " + malformed.where;
            assertThat(refusal).hasMessageStartingWith(start).hasMessageContaining(malformed.problem);
            assertThat(refusal.getMessage())
                    .as("one short printable line")
                    .hasSizeLessThan(file.toString().length() + 500)
                    .matches(ModelFormatException::isPrintable);
            assertThat(allocated).as("allocated bytes").isLessThan(malformed.allocationLimit);
            assertThat(Footprint.holdsFilesIn(folder)).as("file still open").isFalse();
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void theUnbentFileIsAccepted() throws IOException {
        Path file = Files.write(folder.resolve("good"), ModelFiles.bytes(ModelFiles.HEADER, ModelFiles.data()));
        try (SafetensorsFile open = SafetensorsFile.open(file)) {
            assertThat(open.tensors()).hasSize(5);
            assertThat(Footprint.holdsFilesIn(folder)).as("file open").isTrue();
        }
        assertThat(Footprint.holdsFilesIn(folder)).as("file still open").isFalse();
    }

    @Test
    void missingFilesAndFoldersAreRefused() {
        for (Path path : new Path[] {folder.resolve("none.safetensors"), folder}) {
            var refusal = catchThrowableOfType(ModelFormatException.class, () -> SafetensorsFile.open(path));
            assertThat(refusal).hasMessage(path + ": is missing or not a file");
        }
    }
}
