package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorViewTest {
    private static final int BYTES = 1 << 20;
    private static final String HEADER = "{\"x\":{\"dtype\":\"U8\",\"shape\":[1048576],\"data_offsets\":[0,1048576]}}";
    private static final int DATA_START = 8 + HEADER.length();

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofConfined();
    private Path path;
    private SafetensorsFile file;
    private TensorView tensor;

    @BeforeEach
    void open() throws IOException {
        byte[] data = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            data[i] = (byte) (i * 31 + 7);
        }
        path = Files.write(folder.resolve("x.safetensors"), ModelFiles.bytes(HEADER, data));
        file = SafetensorsFile.open(path);
        tensor = Objects.requireNonNull(file.tensors().get("x"));
    }

    @AfterEach
    void close() {
        file.close();
        arena.close();
    }

    private void cutTo(long length) throws IOException {
        try (var out = new RandomAccessFile(path.toFile(), "rw")) {
            out.setLength(length);
        }
    }

    private void assertRefuses(ThrowingCallable copy, long start, long end) {
        assertThatThrownBy(copy)
                .isInstanceOf(ModelFormatException.class)
                .hasMessageStartingWith(path + ": tensor x: bytes [" + start + ", " + end + ") of the file are gone");
    }

    @Test
    void copiesAnyPart() {
        for (int from : new int[] {0, 1, 4_095, 65_537, BYTES - 1_000}) {
            MemorySegment target = arena.allocate(1_000);
            tensor.copyTo(from, target);
            for (int i = 0; i < 1_000; i++) {
                assertThat(target.get(JAVA_BYTE, i)).isEqualTo((byte) ((from + i) * 31 + 7));
            }
        }
        tensor.copyTo(BYTES, arena.allocate(0));
    }

    @Test
    void refusesPartsThatItDoesNotHave() {
        MemorySegment target = arena.allocate(8);
        assertThatThrownBy(() -> tensor.copyTo(BYTES - 7, target)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> tensor.copyTo(-1, target)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesPagesThatAreGone() throws IOException {
        cutTo(DATA_START + 5_000);
        MemorySegment target = arena.allocate(BYTES);
        assertRefuses(() -> tensor.copyTo(0, target), DATA_START, DATA_START + BYTES);
        assertRefuses(() -> tensor.copyTo(500_000, target.asSlice(0, 8)), DATA_START + 500_000, DATA_START + 500_008);
        tensor.copyTo(0, target.asSlice(0, 5_000));
        assertThat(target.get(JAVA_BYTE, 4_999)).isEqualTo((byte) (4_999 * 31 + 7));
    }

    /**
     * Compiled code notices a fault late, so that its error can miss the catch. It takes many calls from one place with
     * one size until the copy is compiled that way.
     */
    @Test
    void refusesPagesThatAreGoneAlsoWhenCompiled() throws IOException {
        MemorySegment target = arena.allocate(100_000);
        for (int round = 0; round < 60_000; round++) {
            copyFromTheMiddle(target);
        }
        cutTo(100);
        assertRefuses(() -> copyFromTheMiddle(target), DATA_START + 500_000, DATA_START + 600_000);
        assertRefuses(() -> copyFromTheMiddle(target.asSlice(0, 8)), DATA_START + 500_000, DATA_START + 500_008);
    }

    private void copyFromTheMiddle(MemorySegment target) {
        tensor.copyTo(500_000, target);
    }

    /** The rest of the last page reads as zeros, without a fault. */
    @Test
    void refusesTheLastByteOfAPageThatIsCut() throws IOException {
        cutTo(DATA_START + BYTES - 1);
        MemorySegment target = arena.allocate(1);
        assertRefuses(() -> tensor.copyTo(BYTES - 1, target), DATA_START + BYTES - 1, DATA_START + BYTES);
        tensor.copyTo(BYTES - 2, target);
    }

    /** The mapping still has the old bytes, but what the path names now is no longer this model. */
    @Test
    void refusesAFileThatWasReplacedByAShorterOne() throws IOException {
        Path other = Files.write(folder.resolve("other"), new byte[BYTES / 2]);
        Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
        MemorySegment target = arena.allocate(BYTES);
        assertRefuses(() -> tensor.copyTo(0, target), DATA_START, DATA_START + BYTES);
    }

    @Test
    void refusesAFileThatWasRemoved() throws IOException {
        Files.delete(path);
        assertRefuses(() -> tensor.copyTo(0, arena.allocate(1)), DATA_START, DATA_START + 1);
    }
}
