package org.hotrow.engine;

import java.util.IdentityHashMap;
import java.util.List;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.VectorTensor;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The weights of a model on a device, each loaded when an operation asks for it: codes as they lie in the file, 8 of FP8
 * or 4 of BF16 to a long; vectors as f32; the experts of a layer behind each other.
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

    /** @throws ModelFormatException if the matrix is neither FP8 nor BF16, a scale is absurd, or the file was cut short */
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
        int bits = bits(first);
        long bytes = (long) first.rows() * first.cols() * bits / Byte.SIZE;
        int scales = first.quantised() ? first.scaleRows() * first.scaleCols() : 0;
        FloatArray scale = new FloatArray(Math.max(1, tensors.size() * scales));
        LongArray codes = arrays.longs(Math.ceilDiv(bytes * tensors.size(), Long.BYTES));
        for (int i = 0; i < tensors.size(); i++) {
            MatrixTensor tensor = tensors.get(i);
            if (bits(tensor) != bits) {
                throw refusal(tensor, "of the type of " + first.values().name());
            }
            arrays.upload(tensor.values()::copyTo, bytes, codes, i * bytes / Long.BYTES);
            float[] own = scales == 0 ? new float[0] : tensor.readScales();
            for (int s = 0; s < own.length; s++) {
                scale.set(i * scales + s, own[s]);
            }
            report(tensor.bytes());
        }
        return new Matrix(codes, arrays.adopt(scale), first.rows(), first.cols(), bits);
    }

    private static int bits(MatrixTensor tensor) {
        DType dtype = tensor.values().dtype();
        if (tensor.quantised()) {
            return 8;
        }
        if (dtype != DType.BF16) {
            throw refusal(tensor, "FP8 or BF16: only the device cpu multiplies other matrices");
        }
        return 16;
    }

    private static ModelFormatException refusal(MatrixTensor tensor, String expected) {
        return new ModelFormatException(
                tensor.values().file(),
                tensor.values().name(),
                "is " + tensor.values().dtype() + ", expected " + expected);
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
