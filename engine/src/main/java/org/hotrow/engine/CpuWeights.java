package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.MoeMlp;
import org.hotrow.modelloader.TensorView;
import org.hotrow.modelloader.VectorTensor;
import org.jspecify.annotations.Nullable;

/**
 * All weights of the main layers in memory: matrices off the heap, in the element type of their file and aligned to 64
 * bytes; vectors as f32. The files are not needed any more.
 */
final class CpuWeights implements AutoCloseable {
    private static final long COPY_BYTES = 16 << 20;
    private static final int ALIGNMENT = 64;

    private final Arena arena = Arena.ofShared();
    private final IdentityHashMap<MatrixTensor, CpuMatrix> matrices = new IdentityHashMap<>();
    private final IdentityHashMap<VectorTensor, float[]> vectors = new IdentityHashMap<>();
    private final LoadProgress progress;
    private final long total;
    private long loaded;
    private int widest;

    private CpuWeights(long total, LoadProgress progress) {
        this.total = total;
        this.progress = progress;
    }

    /**
     * Copies the weights in.
     *
     * @throws EngineException if they don't fit in the machine's memory
     * @throws org.hotrow.modelloader.ModelFormatException if the file changes while it is read, or has absurd scales
     */
    static CpuWeights load(ModelWeights model, LoadProgress progress) {
        HostMemory.require(model.bytes(), "the weights", "take a smaller model or a larger machine");
        CpuWeights weights = new CpuWeights(model.bytes(), progress);
        try {
            weights.addAll(model);
            return weights;
        } catch (RuntimeException | Error e) {
            weights.close();
            throw e;
        }
    }

    private void addAll(ModelWeights model) {
        add(model.embedding());
        add(model.head());
        add(model.norm());
        for (LayerWeights layer : model.layers()) {
            add(layer.inputNorm());
            add(layer.postAttentionNorm());
            addAttention(layer.attention());
            IndexerWeights indexer = layer.indexer();
            if (indexer != null) {
                addIndexer(indexer);
            }
            switch (layer.mlp()) {
                case DenseMlp dense -> addMlp(dense);
                case MoeMlp moe -> addMoe(moe);
            }
        }
    }

    private void addAttention(AttentionWeights w) {
        add(w.qA());
        add(w.qANorm());
        add(w.qB());
        add(w.kvA());
        add(w.kvANorm());
        add(w.kvB());
        add(w.output());
    }

    private void addIndexer(IndexerWeights w) {
        add(w.qB());
        add(w.k());
        add(w.kNormWeight());
        add(w.kNormBias());
        add(w.headWeights());
    }

    private void addMoe(MoeMlp moe) {
        add(moe.router());
        add(moe.bias());
        moe.experts().forEach(this::addMlp);
        DenseMlp shared = moe.shared();
        if (shared != null) {
            addMlp(shared);
        }
    }

    private void addMlp(DenseMlp mlp) {
        add(mlp.gate());
        add(mlp.up());
        add(mlp.down());
    }

    private void add(VectorTensor tensor) {
        vectors.put(tensor, tensor.read());
        report(tensor.bytes());
    }

    private void add(MatrixTensor tensor) {
        if (matrices.containsKey(tensor)) {
            return;
        }
        TensorView values = tensor.values();
        long bytes = values.data().byteSize();
        MemorySegment copy = arena.allocate(bytes, ALIGNMENT);
        for (long at = 0; at < bytes; at += COPY_BYTES) {
            long count = Math.min(COPY_BYTES, bytes - at);
            values.copyTo(at, copy.asSlice(at, count));
            report(count);
        }
        float[] scales = tensor.quantised() ? tensor.readScales() : new float[0];
        report((long) scales.length * Float.BYTES);
        matrices.put(tensor, new CpuMatrix(copy, values.dtype(), tensor.rows(), tensor.cols(), scales));
        widest = Math.max(widest, tensor.cols());
    }

    private void report(long bytes) {
        loaded += bytes;
        progress.loaded(loaded, total);
    }

    CpuMatrix matrix(MatrixTensor tensor) {
        return require(matrices.get(tensor), tensor.values());
    }

    float[] vector(VectorTensor tensor) {
        return require(vectors.get(tensor), tensor.values());
    }

    private static <T> T require(@Nullable T loaded, TensorView tensor) {
        if (loaded == null) {
            throw new IllegalStateException(tensor.name() + " was not loaded");
        }
        return loaded;
    }

    /** Columns of the widest matrix. */
    int widest() {
        return widest;
    }

    @Override
    public void close() {
        arena.close();
    }
}
