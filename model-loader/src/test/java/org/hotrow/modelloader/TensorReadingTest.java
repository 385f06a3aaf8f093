package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of vectors and scales, at addresses that no type is aligned to. */
class TensorReadingTest {
    private static TensorView view(DType dtype, ByteBuffer bytes, Long... shape) {
        byte[] shifted = new byte[bytes.position() + 1];
        bytes.get(0, shifted, 1, bytes.position());
        MemorySegment data = MemorySegment.ofArray(shifted).asSlice(1).asReadOnly();
        return new TensorView("a.weight", dtype, List.of(shape), Path.of("shard.safetensors"), 9, data);
    }

    private static ByteBuffer littleEndian() {
        return ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static VectorTensor f32Vector(float... values) {
        ByteBuffer bytes = littleEndian();
        for (float value : values) {
            bytes.putFloat(value);
        }
        return new VectorTensor(view(DType.F32, bytes, (long) values.length), values.length);
    }

    private static VectorTensor vector16(DType dtype, int... bits) {
        ByteBuffer bytes = littleEndian();
        for (int value : bits) {
            bytes.putShort((short) value);
        }
        return new VectorTensor(view(dtype, bytes, (long) bits.length), bits.length);
    }

    private static MatrixTensor matrix(int rows, int cols, float... scales) {
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
                .hasMessage("shard.safetensors: a.weight: is -Infinity at [2], expected a finite number");
        assertThatThrownBy(vector16(DType.BF16, 0, 0x7FC0)::read)
                .isInstanceOf(ModelFormatException.class)
                .hasMessage("shard.safetensors: a.weight: is NaN at [1], expected a finite number");
        assertThatThrownBy(vector16(DType.F16, 0x7C00)::read)
                .isInstanceOf(ModelFormatException.class)
                .hasMessage("shard.safetensors: a.weight: is Infinity at [0], expected a finite number");
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
                .hasMessage("shard.safetensors: a.weight: is " + scale + " at [1, 1], expected above 0, up to 65536");
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
