package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.util.IdentityHashMap;
import org.hotrow.engine.lanes.PackedMatrix;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.MoeMlp;
import org.hotrow.modelloader.MtpWeights;
import org.hotrow.modelloader.TensorView;
import org.hotrow.modelloader.VectorTensor;
import org.jspecify.annotations.Nullable;

/**
 * All weights of the main layers in memory, and of the MTP layer if it drafts: matrices off the heap, packed for the tiles; vectors as f32. The files are
 * not needed any more.
 */
final class CpuWeights implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final WeightPacker packer = new WeightPacker(arena);
    private final IdentityHashMap<MatrixTensor, PackedMatrix> matrices = new IdentityHashMap<>();
    private final IdentityHashMap<MatrixTensor, HeadMatrices> heads = new IdentityHashMap<>();
    private final IdentityHashMap<VectorTensor, float[]> vectors = new IdentityHashMap<>();
    private final AttentionConfig attention;
    private final LoadProgress progress;
    private final long total;
    private long loaded;

    private CpuWeights(AttentionConfig attention, long total, LoadProgress progress) {
        this.attention = attention;
        this.total = total;
        this.progress = progress;
    }

    /** The weights without an MTP layer. */
    static CpuWeights load(ModelConfig config, ModelWeights model, LoadProgress progress) {
        return load(config, model, false, progress);
    }

    /**
     * Copies the weights in.
     *
     * @param drafting whether the MTP layer drafts
     * @throws EngineException if they don't fit in the machine's memory
     * @throws org.hotrow.modelloader.ModelFormatException if the file changes while it is read, or has absurd scales or
     *     FP8 weights that are NaN
     */
    static CpuWeights load(ModelConfig config, ModelWeights model, boolean drafting, LoadProgress progress) {
        long bytes = model.bytes(drafting);
        MachineMemory.require(bytes, "the weights", "take a smaller model or a larger machine");
        CpuWeights weights = new CpuWeights(config.attention(), bytes, progress);
        try {
            weights.addAll(model);
            if (drafting) {
                weights.addDrafter(model.mtp().getFirst());
            }
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
        model.layers().forEach(this::addLayer);
    }

    private void addDrafter(MtpWeights mtp) {
        add(mtp.eNorm());
        add(mtp.hNorm());
        add(mtp.ehProj());
        addLayer(mtp.layer());
        add(mtp.headNorm());
    }

    private void addLayer(LayerWeights layer) {
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

    private void addAttention(AttentionWeights w) {
        add(w.qA());
        add(w.qANorm());
        add(w.qB());
        add(w.kvA());
        add(w.kvANorm());
        heads.put(w.kvB(), packer.packHeads(w.kvB(), attention));
        report(w.kvB().bytes());
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
        if (!matrices.containsKey(tensor)) {
            matrices.put(tensor, packer.pack(tensor));
            report(tensor.bytes());
        }
    }

    private void report(long bytes) {
        loaded += bytes;
        progress.loaded(loaded, total);
    }

    PackedMatrix matrix(MatrixTensor tensor) {
        return require(matrices.get(tensor), tensor.values());
    }

    HeadMatrices heads(MatrixTensor kvB) {
        return require(heads.get(kvB), kvB.values());
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

    @Override
    public void close() {
        arena.close();
    }
}
