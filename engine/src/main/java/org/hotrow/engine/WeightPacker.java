package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.hotrow.engine.lanes.MatrixPacker;
import org.hotrow.engine.lanes.PackedMatrix;
import org.hotrow.engine.lanes.Packing;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.Fp8;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.TensorView;
import org.jspecify.annotations.Nullable;

/** Packs the matrices of a checkpoint. F16, which no loop reads, becomes F32. */
final class WeightPacker {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MatrixPacker packer;

    WeightPacker(SegmentAllocator memory) {
        packer = new MatrixPacker(memory);
    }

    /** @throws ModelFormatException if an FP8 code is NaN, a scale absurd, or the file was cut short */
    PackedMatrix pack(MatrixTensor tensor) {
        return rows(tensor, scales(tensor), 0, tensor.rows());
    }

    /** As {@link #pack}, for the key-value up-projection {@code [heads * (nope + value), latent]}. */
    HeadMatrices packHeads(MatrixTensor kvB, AttentionConfig config) {
        float[] scales = scales(kvB);
        List<PackedMatrix> absorb = new ArrayList<>();
        List<PackedMatrix> expand = new ArrayList<>();
        int nope = config.nopeDim();
        for (int h = 0; h < config.heads(); h++) {
            int first = h * (nope + config.valueDim());
            absorb.add(transposed(kvB, scales, first, nope));
            expand.add(rows(kvB, scales, first + nope, config.valueDim()));
        }
        return new HeadMatrices(List.copyOf(absorb), List.copyOf(expand));
    }

    private static float[] scales(MatrixTensor tensor) {
        return tensor.quantised() ? tensor.readScales() : new float[0];
    }

    /** Rows {@code first} to {@code first + count - 1} of a tensor. */
    private PackedMatrix rows(MatrixTensor tensor, float[] scales, int first, int count) {
        return pack(
                tensor,
                count,
                tensor.cols(),
                0,
                (row, block) -> scales[(first + row) / Fp8.BLOCK * tensor.scaleCols() + block],
                (from, n, to) -> copy(tensor, first + from, n, to),
                (row, col) -> place(first + row, col));
    }

    /** The transpose of rows {@code first} to {@code first + count - 1} of a tensor: {@code [cols, count]}. */
    private PackedMatrix transposed(MatrixTensor tensor, float[] scales, int first, int count) {
        int size = packing(tensor).bytes();
        byte[] rows = new byte[Math.multiplyExact(Math.multiplyExact(count, tensor.cols()), size)];
        copy(tensor, first, count, MemorySegment.ofArray(rows));
        byte[] turned = new byte[rows.length];
        for (int at = 0; at < rows.length; at++) {
            int element = at / size;
            int r = element / tensor.cols();
            int c = element % tensor.cols();
            turned[(c * count + r) * size + at % size] = rows[at];
        }
        int rowBytes = count * size;
        int firstBlock = first / Fp8.BLOCK;
        return pack(
                tensor,
                tensor.cols(),
                count,
                first % Fp8.BLOCK,
                (row, block) -> scales[(firstBlock + block) * tensor.scaleCols() + row / Fp8.BLOCK],
                (from, n, to) ->
                        MemorySegment.copy(turned, from * rowBytes, to, ValueLayout.JAVA_BYTE, 0, n * rowBytes),
                (row, col) -> place(first + col, row));
    }

    /** Where an element of a packed matrix lies in its tensor, for messages. */
    private interface Place {
        String of(int row, int col);
    }

    static String place(int row, int col) {
        return "[" + row + ", " + col + "]";
    }

    private PackedMatrix pack(
            MatrixTensor tensor,
            int rows,
            int cols,
            int phase,
            MatrixPacker.Scales scales,
            MatrixPacker.Source source,
            Place place) {
        if (!tensor.quantised()) {
            return packer.pack(packing(tensor), rows, cols, source);
        }
        try {
            return packer.packE4m3(rows, cols, phase, scales, source);
        } catch (MatrixPacker.NanException e) {
            throw nan(tensor, place.of(e.row, e.col), e);
        }
    }

    /** What says that an element is NaN. */
    static ModelFormatException nan(MatrixTensor tensor, String place, @Nullable Throwable cause) {
        return new ModelFormatException(
                tensor.values().file(),
                tensor.values().name(),
                "is NaN at " + place + ", expected numbers: the file is damaged, download it again",
                cause);
    }

    private static Packing packing(MatrixTensor tensor) {
        return switch (tensor.values().dtype()) {
            case F8_E4M3 -> Packing.E4M3;
            case BF16 -> Packing.BF16;
            case F16, F32 -> Packing.F32;
            default ->
                throw new IllegalStateException(
                        "no weights of type " + tensor.values().dtype());
        };
    }

    private static void copy(MatrixTensor tensor, int first, int count, MemorySegment to) {
        TensorView values = tensor.values();
        long rowBytes = (long) tensor.cols() * values.dtype().bits() / Byte.SIZE;
        if (values.dtype() != DType.F16) {
            values.copyTo(first * rowBytes, to);
            return;
        }
        MemorySegment halves = MemorySegment.ofArray(new byte[Math.toIntExact(count * rowBytes)]);
        values.copyTo(first * rowBytes, halves);
        for (long i = 0; i < halves.byteSize() / Short.BYTES; i++) {
            to.set(FLOAT, i * Float.BYTES, Float.float16ToFloat(halves.get(SHORT, i * Short.BYTES)));
        }
    }
}
