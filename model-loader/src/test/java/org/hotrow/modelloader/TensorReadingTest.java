package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of vectors and scales, at addresses that no type is aligned to. */
class TensorReadingTest {
    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofShared();

    @AfterEach
    void unmap() {
        arena.close();
    }

    private TensorView view(DType dtype, ByteBuffer bytes, Long... shape) {
        byte[] shifted = new byte[bytes.position() + 1];
        bytes.get(0, shifted, 1, bytes.position());
        Path file = folder.resolve(dtype + ".safetensors");
        try {
            Files.write(file, shifted);
            try (FileChannel channel = FileChannel.open(file)) {
                MemorySegment data = channel.map(MapMode.READ_ONLY, 1, bytes.position(), arena);
                return new TensorView("a.weight", dtype, List.of(shape), file, 1, data);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void cut(TensorView view) throws IOException {
        try (FileChannel channel = FileChannel.open(view.file(), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    private static ByteBuffer littleEndian() {
        return ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    }

    private VectorTensor f32Vector(float... values) {
        ByteBuffer bytes = littleEndian();
        for (float value : values) {
            bytes.putFloat(value);
        }
        return new VectorTensor(view(DType.F32, bytes, (long) values.length), values.length);
    }

    private VectorTensor vector16(DType dtype, int... bits) {
        ByteBuffer bytes = littleEndian();
        for (int value : bits) {
            bytes.putShort((short) value);
        }
        return new VectorTensor(view(dtype, bytes, (long) bits.length), bits.length);
    }

    private MatrixTensor matrix(int rows, int cols, float... scales) {
        TensorView values = view(DType.F8_E4M3, littleEndian(), (long) rows, (long) cols);
        return new MatrixTensor(values, f32Vector(scales).values(), rows, cols);
    }

    @Test
    void readsVectorsOfEveryType() {
        assertThat(f32Vector(1.5f, -0f, Float.MIN_VALUE, Float.MAX_VALUE).read())
                .containsExactly(1.5f, -0f, Float.MIN_VALUE, Float.MAX_VALUE);
        assertThat(vector16(DType.BF16, 0x3F80, 0xC040, 0x0001, 0x7F7F).read())
                .containsExactly(1, -3, Float.intBitsToFloat(0x10000), Float.intBitsToFloat(0x7F7F0000));
        assertThat(vector16(DType.F16, 0x3C00, 0xC200, 0x0001, 0x7BFF).read()).containsExactly(1, -3, 0x1p-24f, 65504);
    }

    @Test
    void refusesVectorsThatAreNotFinite() {
        assertThatThrownBy(f32Vector(1, 2, Float.NEGATIVE_INFINITY)::read)
                .isInstanceOf(ModelFormatException.class)
                .hasMessageEndingWith(".safetensors: a.weight: is -Infinity at [2], expected a finite number");
        assertThatThrownBy(vector16(DType.BF16, 0, 0x7FC0)::read)
                .isInstanceOf(ModelFormatException.class)
                .hasMessageEndingWith(".safetensors: a.weight: is NaN at [1], expected a finite number");
        assertThatThrownBy(vector16(DType.F16, 0x7C00)::read)
                .isInstanceOf(ModelFormatException.class)
                .hasMessageEndingWith(".safetensors: a.weight: is Infinity at [0], expected a finite number");
    }

    @Test
    void refusesAFileThatWasCutWhileItIsOpen() throws IOException {
        VectorTensor vector = f32Vector(1, 2, 3);
        MatrixTensor matrix = matrix(128, 256, 1, 2);
        cut(vector.values());
        cut(Objects.requireNonNull(matrix.scales()));
        for (ThrowingCallable read : new ThrowingCallable[] {vector::read, matrix::readScales}) {
            assertThatThrownBy(read)
                    .isInstanceOf(ModelFormatException.class)
                    .hasMessageContaining("tensor a.weight: bytes [1, ")
                    .hasMessageContaining("are gone");
        }
    }

    @Test
    void readsScalesOfPartialBlocks() {
        assertThat(matrix(129, 257, 1, 2, 3, 4, Float.MIN_VALUE, 65_536).readScales())
                .containsExactly(1, 2, 3, 4, Float.MIN_VALUE, 65_536);
        assertThat(matrix(128, 128, 0.25f).readScales()).containsExactly(0.25f);
    }

    @ParameterizedTest
    @ValueSource(floats = {0, -0f, -1, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 65_536.01f})
    void refusesAbsurdScalesByElement(float scale) {
        assertThatThrownBy(matrix(129, 257, 1, 2, 3, 4, scale, 6)::readScales)
                .isInstanceOf(ModelFormatException.class)
                .hasMessageEndingWith(
                        ".safetensors: a.weight: is " + scale + " at [1, 1], expected above 0, up to 65536");
    }

    @Test
    void hasNoScalesToReadUnlessQuantised() {
        var matrix = new MatrixTensor(view(DType.BF16, littleEndian(), 2L, 3L), null, 2, 3);
        assertThat(matrix.quantised()).isFalse();
        assertThat(matrix.bytes()).isEqualTo(12);
        assertThat(matrix(129, 257, 1, 2, 3, 4, 5, 6).bytes()).isEqualTo(129 * 257 + 24);
        assertThatThrownBy(matrix::readScales).isInstanceOf(IllegalStateException.class);
    }
}
