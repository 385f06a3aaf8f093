package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hotrow.modelloader.ShardedFiles.INDEX;
import static org.hotrow.modelloader.ShardedFiles.ONE;
import static org.hotrow.modelloader.ShardedFiles.TWO;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorStoreTest {
    @TempDir
    private Path root;

    private Path folder;

    @BeforeEach
    void createFolder() throws IOException {
        folder = Files.createDirectories(root.resolve("hub/repo/snapshot-1"));
    }

    @ParameterizedTest
    @EnumSource
    void malformedCheckpointsAreRefusedByNameAndClosed(MalformedCheckpoint malformed) throws IOException {
        malformed.write(folder);
        long before = Footprint.allocatedBytes();
        var refusal = catchThrowableOfType(
                ModelFormatException.class, () -> TensorStore.open(folder).close());
        long allocated = Footprint.allocatedBytes() - before;

        assertThat(refusal).as("refusal").isNotNull();
        String place = malformed.where.isEmpty() ? "" : malformed.where + ": ";
        assertThat(refusal)
                .hasMessageStartingWith(folder.resolve(malformed.file) + ": " + place)
                .hasMessageContaining(malformed.problem);
        assertThat(refusal.getMessage()).matches(ModelFormatException::isPrintable);
        assertThat(allocated).as("allocated bytes").isLessThan(128 << 20);
        assertThat(Footprint.holdsFilesIn(root)).as("files still open").isFalse();
    }

    @Test
    void opensTheShardsOfTheIndex() throws IOException {
        ShardedFiles.write(folder);
        try (TensorStore store = TensorStore.open(folder)) {
            assertThat(store.names()).containsExactly("a", "b", "c");
            assertThat(store.files()).containsExactly(folder.resolve(ONE), folder.resolve(TWO));
            assertThat(store.bytes()).isEqualTo(16);
            assertThat(store.find("b").orElseThrow().data().toArray(JAVA_BYTE)).containsExactly(9, 10, 11);
            assertThat(store.find("c").orElseThrow().data().toArray(JAVA_BYTE)).containsExactly(12, 13, 14, 15, 16);
            assertThat(store.find("d")).isEmpty();
            assertThatThrownBy(() -> store.names().clear()).isInstanceOf(UnsupportedOperationException.class);
            assertThat(Footprint.holdsFilesIn(root)).isTrue();
        }
        assertThat(Footprint.holdsFilesIn(root)).isFalse();
    }

    @Test
    void opensASingleFileWithoutIndex() throws IOException {
        ShardedFiles.writeShard(folder.resolve("model.safetensors"), "x");
        ShardedFiles.writeShard(folder.resolve("other.safetensors"), "y");
        try (TensorStore store = TensorStore.open(folder)) {
            assertThat(store.names()).containsExactly("x");
            assertThat(store.files()).containsExactly(folder.resolve("model.safetensors"));
            assertThat(store.bytes()).isEqualTo(5);
        }
        assertThat(Footprint.holdsFilesIn(root)).isFalse();
    }

    @Test
    void prefersTheIndexToASingleFile() throws IOException {
        ShardedFiles.write(folder);
        ShardedFiles.writeShard(folder.resolve("model.safetensors"), "x");
        try (TensorStore store = TensorStore.open(folder)) {
            assertThat(store.names()).containsExactly("a", "b", "c");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"16.0", "1.6e1", "16"})
    void acceptsTheTotalSizeInAnySpelling(String total) throws IOException {
        ShardedFiles.write(folder);
        ShardedFiles.index("16", total).apply(folder);
        TensorStore.open(folder).close();
    }

    @Test
    void acceptsAnIndexWithoutMetadataAndWithOtherFields() throws IOException {
        ShardedFiles.write(folder);
        ShardedFiles.index("\"metadata\":{\"total_size\":16,\"format\":\"pt\"}", "\"x\":[{\"y\":null}]")
                .apply(folder);
        TensorStore.open(folder).close();
        ShardedFiles.index("\"total_size\":16", "\"x\":[{\"total_size\":3}]").apply(folder);
        TensorStore.open(folder).close();
    }

    @Test
    void followsLinksWithinTheFolder() throws IOException {
        ShardedFiles.write(folder);
        ShardedFiles.linked(TWO, "shards/two").apply(folder);
        try (TensorStore store = TensorStore.open(folder)) {
            assertThat(store.names()).containsExactly("a", "b", "c");
        }
    }

    /** The layout of the hub cache: each file of the snapshot is a link into the blobs beside the snapshots. */
    @Test
    void followsLinksOfAHubCache() throws IOException {
        Path snapshot = Files.createDirectories(root.resolve("models--x--y/snapshots/1a2b"));
        ShardedFiles.write(snapshot);
        ShardedFiles.linked(ONE, "../../blobs/11").apply(snapshot);
        ShardedFiles.linked(TWO, "../../blobs/22").apply(snapshot);
        ShardedFiles.linked(INDEX, "../../blobs/33").apply(snapshot);
        Path link = Files.createSymbolicLink(root.resolve("current"), snapshot);
        for (Path path : new Path[] {snapshot, link}) {
            try (TensorStore store = TensorStore.open(path)) {
                assertThat(store.names()).containsExactly("a", "b", "c");
                assertThat(store.files()).containsExactly(path.resolve(ONE), path.resolve(TWO));
            }
        }

        ShardedFiles.writeShard(root.resolve("models--x--y/secret"), "c");
        ShardedFiles.second(path -> Files.createSymbolicLink(path, Path.of("../../secret")))
                .apply(snapshot);
        assertThatThrownBy(() -> TensorStore.open(snapshot))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageStartingWith(snapshot.resolve(TWO) + ": is a link that leaves the folder of the model");
    }

    @Test
    void refusesASingleFileThatIsALinkOut() throws IOException {
        ShardedFiles.writeShard(folder.resolve("model.safetensors"), "x");
        ShardedFiles.linked("model.safetensors", "../x.safetensors").apply(folder);
        assertThatThrownBy(() -> TensorStore.open(folder))
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("model.safetensors: is a link that leaves");
    }

    @Test
    void refusesWhatIsNoFolder() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        for (Path path : new Path[] {file, root.resolve("missing")}) {
            assertThatThrownBy(() -> TensorStore.open(path))
                    .isInstanceOf(ModelFormatException.class)
                    .hasMessageStartingWith(path + ": is missing or not a folder");
        }
    }
}
