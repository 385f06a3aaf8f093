package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.IdentityHashMap;
import java.util.List;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.VectorTensor;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The weights of a model that {@link GraphModel} lets pass, each loaded when an operation asks for it: codes as they lie in
 * the file, 8 of FP8 or 4 of BF16 to a long; vectors as f32; the experts of a layer behind each other. Codes go straight
 * from the file to the memory that the device, or its driver, reads.
 */
final class GraphWeights {
    /**
     * A matrix.
     *
     * @param scale of FP8 blocks; one value that nobody reads for BF16
     * @param bits of a code: 8 or 16
     */
    record Matrix(LongArray codes, FloatArray scale, int rows, int cols, int bits) {}

    /** The same matrix of all experts of a layer. */
    enum ExpertMatrix {
        GATE,
        UP,
        DOWN;

        MatrixTensor of(DenseMlp mlp) {
            return switch (this) {
                case GATE -> mlp.gate();
                case UP -> mlp.up();
                case DOWN -> mlp.down();
            };
        }
    }

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
    private static final long SEVEN_BITS = 0x7F7F7F7F7F7F7F7FL;

    private final DeviceArrays arrays;
    private final LoadProgress progress;
    private final long total;
    private final IdentityHashMap<MatrixTensor, Matrix> matrices = new IdentityHashMap<>();
    private final IdentityHashMap<VectorTensor, FloatArray> vectors = new IdentityHashMap<>();
    private long loaded;

    /** @param total bytes of all weights */
    GraphWeights(DeviceArrays arrays, long total, LoadProgress progress) {
        this.arrays = arrays;
        this.total = total;
        this.progress = progress;
    }

    /** @throws ModelFormatException if an FP8 code is NaN, a scale absurd, or the file was cut short */
    Matrix matrix(MatrixTensor tensor) {
        Matrix known = matrices.get(tensor);
        return known != null ? known : keep(tensor, load(List.of(tensor)));
    }

    /** A matrix of all experts. */
    Matrix experts(List<DenseMlp> mlps, ExpertMatrix which) {
        List<MatrixTensor> tensors = mlps.stream().map(which::of).toList();
        Matrix known = matrices.get(tensors.getFirst());
        return known != null ? known : keep(tensors.getFirst(), load(tensors));
    }

    private Matrix keep(MatrixTensor tensor, Matrix matrix) {
        matrices.put(tensor, matrix);
        return matrix;
    }

    private Matrix load(List<MatrixTensor> tensors) {
        MatrixTensor first = tensors.getFirst();
        int bits = first.quantised() ? Byte.SIZE : Short.SIZE;
        long bytes = (long) first.rows() * first.cols() * bits / Byte.SIZE;
        int scales = first.quantised() ? first.scaleRows() * first.scaleCols() : 0;
        FloatArray scale = new FloatArray(Math.max(1, tensors.size() * scales));
        LongArray codes = arrays.longs(Math.ceilDiv(bytes * tensors.size(), Long.BYTES));
        for (int i = 0; i < tensors.size(); i++) {
            MatrixTensor tensor = tensors.get(i);
            arrays.upload(
                    (from, piece) -> {
                        tensor.values().copyTo(from, piece);
                        if (scales > 0) {
                            requireNumbers(tensor, from, piece);
                        }
                    },
                    bytes,
                    codes,
                    i * bytes / Long.BYTES);
            if (scales > 0) {
                MemorySegment.copy(
                        tensor.readScales(), 0, scale.getSegment(), FLOAT, (long) i * scales * Float.BYTES, scales);
            }
            report(tensor.bytes());
        }
        return new Matrix(codes, arrays.adopt(scale), first.rows(), first.cols(), bits);
    }

    /** Eight codes at once: NaN is all ones but for the sign, and only what is nothing beside that carries to bit 7. */
    private static void requireNumbers(MatrixTensor tensor, long from, MemorySegment codes) {
        for (long at = 0; at < codes.byteSize(); at += Long.BYTES) {
            long rest = ~codes.get(ValueLayout.JAVA_LONG, at) & SEVEN_BITS;
            long nan = ~(rest + SEVEN_BITS) & ~SEVEN_BITS;
            if (nan != 0) {
                long element = from + at + Long.numberOfTrailingZeros(nan) / Byte.SIZE;
                String place = WeightPacker.place((int) (element / tensor.cols()), (int) (element % tensor.cols()));
                throw WeightPacker.nan(tensor, place, null);
            }
        }
    }

    FloatArray vector(VectorTensor tensor) {
        @Nullable FloatArray known = vectors.get(tensor);
        if (known != null) {
            return known;
        }
        FloatArray vector = arrays.adopt(FloatArray.fromArray(tensor.read()));
        vectors.put(tensor, vector);
        report(tensor.bytes());
        return vector;
    }

    private void report(long bytes) {
        loaded += bytes;
        progress.loaded(loaded, total);
    }
}
